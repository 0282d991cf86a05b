/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-error.h"
#include "ops/sym-layers.h"
#include "run/sym-live.h"
#include "run/sym-run.h"

#include "../ops/kernel-case.h"

/* Graphs that are traced with values: rows P3, P6, P7, P13, P24, P40-P45, P57, P60 of PyTorch
 * Symbolic.  Arrays are told as in kernel-case.h, other values in Python's notation. */

typedef struct {
  SymGraph *graph;
  GError *error;
} Fixture;

static inline void
set_up (Fixture *self, gconstpointer data)
{
  self->graph = sym_graph_new ();
  self->error = NULL;
  sym_live_enable (self->graph, 1);
}

static inline void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_no_error (self->error);
  sym_graph_unref (self->graph);
}

static inline SymDatum *
literal (const char *text)
{
  g_autoptr (SymValue) value = sym_value_parse (text);

  g_assert_nonnull (value);
  return sym_datum_new_value (value, NULL);
}

static inline SymNode *
add_value (Fixture *self, SymDatum *take_datum)
{
  g_autoptr (SymDatum) datum = take_datum;

  return sym_graph_add_value (self->graph, datum, &self->error);
}

static inline void
assert_datum (SymDatum *datum, const char *expected)
{
  g_assert_nonnull (datum);
  if (sym_datum_get_value (datum) != NULL)
    {
      g_autofree char *text = sym_value_to_string (sym_datum_get_value (datum));

      g_assert_cmpstr (text, ==, expected);
    }
  else
    {
      g_autoptr (SymDatum) other = kernel_case_read (expected);
      const KernelCase one = { .op = expected, .tolerance = 1e-6 };

      kernel_case_compare (&one, sym_datum_get_array (datum), sym_datum_get_array (other));
    }
}

static inline void
assert_error (GError **error, int code, const char *part)
{
  g_assert_error (*error, SYM_ERROR, code);
  if (strstr ((*error)->message, part) == NULL)
    g_error ("“%s” has no “%s”", (*error)->message, part);
  g_clear_error (error);
}
