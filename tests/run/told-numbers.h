/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>

#include "core/sym-element.h"
#include "io/sym-json.h"
#include "run/sym-run.h"

/* Cases of a numbers.json, which a make.py wrote beside models: "shape" of the data, which has a
 * fixed formula, and "result" and "numbers", what numpy makes of it. */
typedef struct {
  SymJson *json;
  guint place;
} ToldCase;

static inline SymShape
told_read_shape (const SymJson *json, guint token)
{
  SymShape shape = { 0 };

  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    g_assert_true (sym_json_get_int (json, i.value, &shape.dims[shape.rank++]));
  return shape;
}

/* -1.1 to 1.1 in steps; of indices, whole numbers below @below. */
static inline SymDatum *
told_make_data (SymDType dtype, const SymShape *shape, gint64 below)
{
  SymDatum *datum = sym_datum_new (dtype, shape, NULL);
  SymArray *array = (SymArray *) sym_datum_get_array (datum);

  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    sym_element_set_double (array->dtype, array->data, i,
                            below > 0 ? (double) ((i * 5 + 2) % (gsize) below)
                                      : ((double) ((i * 7 + 3) % 23) - 11) / 10);
  return datum;
}

static inline void
told_compare (const ToldCase *self, const SymArray *result)
{
  const SymJson *json = self->json;
  SymShape shape = told_read_shape (json, sym_json_get_member (json, self->place, "result"));
  gsize n = 0;

  g_assert_true (sym_shape_equal (&result->shape, &shape));
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, self->place, "numbers"));
       sym_json_iter_next (json, &i); n++)
    {
      double expected = 0, found = sym_element_get_double (result->dtype, result->data, n);

      g_assert_true (sym_json_get_double (json, i.value, &expected));
      if (!(fabs (found - expected) <= 2e-5 * MAX (1, fabs (expected))))
        g_error ("element %" G_GSIZE_FORMAT " is %.9g, not %.9g", n, found, expected);
    }
  g_assert_cmpuint (n, ==, sym_array_get_n_elements (result));
}

static inline void
told_case_free (gpointer data)
{
  ToldCase *self = data;

  sym_json_unref (self->json);
  g_free (self);
}

static inline char *
told_dup (const ToldCase *self, const char *member)
{
  return sym_json_dup_string (self->json, sym_json_get_member (self->json, self->place, member));
}

/* The file's cases, each under @prefix and its "name". */
static inline void
told_add_cases (const char *path, const char *prefix, GTestDataFunc test)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymJson) json = NULL;
  char *text;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  bytes = g_bytes_new_take (text, length);
  json = sym_json_parse (bytes, NULL, &error);
  g_assert_no_error (error);
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      ToldCase *one = g_new (ToldCase, 1);
      g_autofree char *name = NULL;
      g_autofree char *full = NULL;

      *one = (ToldCase){ sym_json_ref (json), i.value };
      name = told_dup (one, "name");
      full = g_strdelimit (g_strconcat (prefix, name, NULL), " ,:", '-');
      g_test_add_data_func_full (full, one, test, told_case_free);
    }
}
