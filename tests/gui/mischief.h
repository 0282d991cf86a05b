/* SPDX-License-Identifier: MIT */
#pragma once

#include "monkey.h"

typedef struct {
  const char *name;
  guint weight;
  void (*act) (Monkey *self);
} Trick;

/* What the monkey does apart from pointer and keys: files that are opened and changed on the disk,
 * actions, colours, sizes, and storms of wishes. */
const Trick *mischief_get_tricks (guint *n);
