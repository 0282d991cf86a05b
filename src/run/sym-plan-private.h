/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"
#include "run/sym-plan.h"

G_BEGIN_DECLS

#define SYM_PLAN_FOREVER G_MAXUINT

typedef struct {
  SymId call;
  SymLayer *layer;  /* of the call; borrowed from the model */
  SymPlan **bodies; /* of the layer, in order */
  guint n_bodies;
  int running_body; /* the body that stands for the layer, -1 for none */
  char *obstacle;   /* why the call cannot be run; NULL when it can */
} SymPlanStep;

struct _SymPlan {
  gatomicrefcount ref_count;
  SymModel *model;
  SymPlanStep *steps;
  guint n_steps;
  SymDatum **constants; /* of each value its numbers; NULL for none */
  char **obstacles;     /* of each value why its numbers could not be read; NULL for no reason */
  guint *last_uses;     /* of each value the last step that needs it */
  guint *makers;        /* of each value the step that makes it, SYM_PLAN_FOREVER for none */
  GArray *inputs;       /* of SymId */
  guint64 n_weight_bytes;
};

G_END_DECLS
