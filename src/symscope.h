/* SPDX-License-Identifier: MIT */
#pragma once

/* The whole library: build graphs, open saved ones, infer shapes, summarise, cut, write. */
#include "core/sym-edit.h"
#include "core/sym-element.h"
#include "core/sym-error.h"
#include "core/sym-extract.h"
#include "core/sym-graph.h"
#include "core/sym-infer.h"
#include "core/sym-kernel.h"
#include "core/sym-model-builder.h"
#include "core/sym-statistics.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "ops/sym-layers.h"
#include "ops/sym-op.h"
#include "query/sym-folding.h"
#include "query/sym-open-bodies.h"
#include "query/sym-search.h"
#include "query/sym-trace.h"
#include "run/sym-run-compare.h"
#include "run/sym-run-fill.h"
#include "run/sym-run.h"
