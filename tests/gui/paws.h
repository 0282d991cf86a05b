/* SPDX-License-Identifier: MIT */
#pragma once

#include "monkey.h"

/* What the monkey does with pointer and keys. */
const Trick *paws_get_tricks (guint *n);
