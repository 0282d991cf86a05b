/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* @n numbers from -1 to 1, and room for one more; to be freed with g_free(). */
static inline float *
new_numbers (GRand *random, gsize n)
{
  float *numbers = g_new (float, n + 1);

  for (gsize i = 0; i < n; i++)
    numbers[i] = (float) g_rand_double_range (random, -1, 1);
  return numbers;
}
