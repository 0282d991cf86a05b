/* SPDX-License-Identifier: MIT */
#pragma once

#include "monkey.h"

/* What the monkey does apart from pointer and keys: files that are opened and changed on the disk,
 * actions, colours, sizes, and storms of wishes. */
const Trick *mischief_get_tricks (guint *n);
