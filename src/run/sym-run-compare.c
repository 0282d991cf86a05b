/* SPDX-License-Identifier: MIT */
#include "run/sym-run-compare.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-error.h"

static const char *
name_kind (const SymDatum *datum)
{
  switch (sym_datum_get_kind (datum))
    {
    case SYM_KIND_TENSOR:
      return "a tensor";
    case SYM_KIND_SEQUENCE:
      return "a sequence";
    case SYM_KIND_OPTIONAL:
      return "an optional";
    case SYM_KIND_UNKNOWN:
    case SYM_KIND_TUPLE:
    case SYM_KIND_OPAQUE:
      break;
    }
  return "something else";
}

static char *
format_type (const SymArray *array)
{
  GString *text = g_string_new (sym_dtype_to_string (array->dtype));

  g_string_append_c (text, '[');
  for (int i = 0; i < array->shape.rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", array->shape.dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static gboolean
same_type (const SymArray *actual, const SymArray *expected, GError **error)
{
  g_autofree char *is = NULL, *should = NULL;

  if (actual->dtype == expected->dtype && sym_shape_equal (&actual->shape, &expected->shape))
    return TRUE;
  is = format_type (actual);
  should = format_type (expected);
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "it is %s and should be %s", is, should);
  return FALSE;
}

static gboolean
same_strings (const SymArray *actual, const SymArray *expected, GError **error)
{
  GBytes *const *a = actual->data, *const *b = expected->data;

  for (gsize i = 0; i < sym_array_get_n_elements (actual); i++)
    if (!g_bytes_equal (a[i], b[i]))
      {
        g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                     "string %" G_GSIZE_FORMAT " is another one", i);
        return FALSE;
      }
  return TRUE;
}

/* How far two numbers are apart, beyond what is allowed; 0 or less: near enough. */
static double
measure (double actual, double expected, double relative, double absolute)
{
  if (isnan (expected) || isnan (actual))
    return isnan (expected) && isnan (actual) ? 0 : INFINITY;
  if (isinf (expected) || isinf (actual))
    return actual == expected ? 0 : INFINITY;
  return fabs (actual - expected) - absolute - relative * fabs (expected);
}

static gboolean
same_numbers (const SymArray *actual,
              const SymArray *expected,
              double relative,
              double absolute,
              GError **error)
{
  gsize n = sym_array_get_n_elements (actual), n_wrong = 0, worst = 0;
  double distance = 0;

  for (gsize i = 0; i < n; i++)
    {
      double further =
          measure (sym_element_get_double (actual->dtype, actual->data, i),
                   sym_element_get_double (expected->dtype, expected->data, i), relative, absolute);

      if (further <= 0)
        continue;
      if (n_wrong++ == 0 || further > distance)
        {
          distance = further;
          worst = i;
        }
    }
  if (n_wrong == 0)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " numbers differ; number %" G_GSIZE_FORMAT
               " is %.9g and should be %.9g",
               n_wrong, n, worst, sym_element_get_double (actual->dtype, actual->data, worst),
               sym_element_get_double (expected->dtype, expected->data, worst));
  return FALSE;
}

static gboolean
same_arrays (const SymArray *actual,
             const SymArray *expected,
             double relative,
             double absolute,
             GError **error)
{
  if (!same_type (actual, expected, error))
    return FALSE;
  if (actual->dtype == SYM_DTYPE_STRING)
    return same_strings (actual, expected, error);
  /* 64-bit integers do not all fit into a double. */
  if (!sym_dtype_is_floating (actual->dtype) && sym_dtype_get_bits (actual->dtype) == 64 &&
      memcmp (actual->data, expected->data, sym_array_get_n_bytes (actual)) == 0)
    return TRUE;
  if (sym_dtype_is_floating (actual->dtype))
    return same_numbers (actual, expected, relative, absolute, error);
  return same_numbers (actual, expected, 0, 0, error);
}

gboolean
sym_run_compare (const SymDatum *actual,
                 const SymDatum *expected,
                 double relative,
                 double absolute,
                 GError **error)
{
  guint n = sym_datum_get_n_items (expected);

  if (sym_datum_get_kind (actual) != sym_datum_get_kind (expected))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "it is %s and should be %s",
                   name_kind (actual), name_kind (expected));
      return FALSE;
    }
  if (sym_datum_get_array (expected) != NULL)
    return same_arrays (sym_datum_get_array (actual), sym_datum_get_array (expected), relative,
                        absolute, error);
  if (sym_datum_get_n_items (actual) != n)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "it holds %u items and should hold %u",
                   sym_datum_get_n_items (actual), n);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (!sym_run_compare (sym_datum_get_item (actual, i), sym_datum_get_item (expected, i),
                          relative, absolute, error))
      {
        g_prefix_error (error, "item %u: ", i);
        return FALSE;
      }
  return TRUE;
}
