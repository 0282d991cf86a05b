/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op.h"

/* One run of a kernel, told by texts.  An array is "float32 2,3: 1 2 3 4 5 6" ("int64 : 7" a
 * scalar, "float32 0:" an empty one); arrays are parted by ";", and "-" stands for an empty slot.
 */
typedef struct {
  const char *op;         /* "Add", or "Add-6" for what it was in that version */
  const char *attributes; /* "axis=1; keepdims=0" */
  const char *operands;
  const char *results; /* "-" for one that is not looked at */
  const char *error;   /* part of the message; then @results are unused */
  double tolerance;    /* relative; 0 for the same numbers */
  const char *domain;  /* of the operator; NULL: ONNX's own */
} KernelCase;

static inline void
kernel_case_set (SymArray *array, gsize i, const char *text)
{
  if (array->dtype == SYM_DTYPE_STRING)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

      sym_array_set_string (array, i, bytes);
    }
  else if (array->dtype == SYM_DTYPE_UINT64)
    sym_element_set_int (array->dtype, array->data, i, (gint64) g_ascii_strtoull (text, NULL, 10));
  else if (sym_dtype_is_integer (array->dtype))
    sym_element_set_int (array->dtype, array->data, i, g_ascii_strtoll (text, NULL, 10));
  else
    sym_element_set_double (array->dtype, array->data, i,
                            g_str_equal (text, "nan") ? NAN : g_ascii_strtod (text, NULL));
}

/* NULL for "-". */
static inline SymDatum *
kernel_case_read (const char *given)
{
  g_autofree char *text = g_strstrip (g_strdup (given));
  g_auto (GStrv) halves = g_strsplit (text, ":", 2);
  g_auto (GStrv) head = NULL, dims = NULL, numbers = NULL;
  SymShape shape = SYM_SHAPE ();
  SymDatum *datum;
  SymArray *array;
  SymDType dtype;
  gsize n = 0;

  if (g_str_equal (text, "-"))
    return NULL;
  head = g_strsplit (g_strstrip (halves[0]), " ", 2);
  g_assert_true (sym_dtype_from_string (head[0], &dtype));
  dims = g_strsplit (head[1] == NULL ? "" : head[1], ",", -1);
  for (guint i = 0; dims[i] != NULL; i++)
    if (*dims[i] != '\0')
      shape.dims[shape.rank++] = g_ascii_strtoll (dims[i], NULL, 10);
  datum = sym_datum_new (dtype, &shape, NULL);
  g_assert_nonnull (datum);
  array = (SymArray *) sym_datum_get_array (datum);
  numbers = g_strsplit_set (halves[1] == NULL ? "" : halves[1], " \n", -1);
  for (guint i = 0; numbers[i] != NULL; i++)
    if (*numbers[i] != '\0')
      {
        g_assert_cmpuint (n, <, sym_array_get_n_elements (array));
        kernel_case_set (array, n++, numbers[i]);
      }
  g_assert_cmpuint (n, ==, sym_array_get_n_elements (array));
  return datum;
}

static inline void
kernel_case_compare (const KernelCase *self, const SymArray *result, const SymArray *expected)
{
  g_assert_cmpstr (sym_dtype_to_string (result->dtype), ==, sym_dtype_to_string (expected->dtype));
  g_assert_cmpint (result->shape.rank, ==, expected->shape.rank);
  for (int i = 0; i < expected->shape.rank; i++)
    g_assert_cmpint (result->shape.dims[i], ==, expected->shape.dims[i]);
  for (gsize i = 0; i < sym_array_get_n_elements (expected); i++)
    {
      double a, b;

      if (result->dtype == SYM_DTYPE_STRING)
        {
          g_assert_true (
              g_bytes_equal (((GBytes **) result->data)[i], ((GBytes **) expected->data)[i]));
          continue;
        }
      a = sym_element_get_double (result->dtype, result->data, i);
      b = sym_element_get_double (expected->dtype, expected->data, i);
      if (isnan (b) ? !isnan (a)
                    : !(a == b || fabs (a - b) <= self->tolerance * MAX (fabs (b), 1e-3)))
        g_error ("%s (%s) %s: element %" G_GSIZE_FORMAT " is %.9g, not %.9g", self->op,
                 self->attributes, self->operands, i, a, b);
    }
}

static inline SymLayer *
kernel_case_new_layer (const KernelCase *self)
{
  g_auto (GStrv) parts = g_strsplit (self->op, "-", 2);
  const SymOperator *op =
      sym_op_find (self->domain == NULL ? "" : self->domain, parts[0],
                   parts[1] == NULL ? 0 : (int) g_ascii_strtoll (parts[1], NULL, 10));
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_auto (GStrv) pairs = g_strsplit (self->attributes == NULL ? "" : self->attributes, "; ", -1);

  if (op == NULL)
    g_error ("there is no operator %s", self->op);
  for (guint i = 0; pairs[i] != NULL; i++)
    {
      char *equals = strchr (pairs[i], '=');

      if (equals == NULL)
        continue;
      *equals = '\0';
      sym_attributes_set (attributes, pairs[i], sym_value_parse (equals + 1), NULL);
    }
  return sym_layer_new (parts[0], op, attributes);
}

static inline void
kernel_case_run (gconstpointer data)
{
  const KernelCase *self = data;
  g_autoptr (SymLayer) layer = kernel_case_new_layer (self);
  g_auto (GStrv) operands = g_strsplit (*self->operands == '\0' ? "-" : self->operands, ";", -1);
  g_auto (GStrv) results = g_strsplit (self->results == NULL ? "-" : self->results, ";", -1);
  guint n_inputs = g_strv_length (operands), n_outputs = g_strv_length (results);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autofree SymDatum **outputs = g_new0 (SymDatum *, n_outputs);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  gboolean done;

  for (guint i = 0; i < n_inputs; i++)
    g_ptr_array_add (inputs, kernel_case_read (operands[i]));
  /* Twice: the second time in the memory of the first. */
  for (int round = 0; round < 2; round++)
    {
      g_clear_error (&error);
      done = sym_kernel_run (kernel, (SymDatum **) inputs->pdata, n_inputs, outputs, n_outputs,
                             NULL, &error);
      if (self->error != NULL)
        {
          g_assert_false (done);
          if (strstr (error->message, self->error) == NULL)
            g_error ("%s: \"%s\" does not tell \"%s\"", self->op, error->message, self->error);
          continue;
        }
      if (!done)
        g_error ("%s (%s) %s: %s", self->op, self->attributes, self->operands, error->message);
      for (guint i = 0; i < n_outputs; i++)
        {
          SymDatum *expected = kernel_case_read (results[i]);

          if (expected == NULL)
            continue;
          kernel_case_compare (self, sym_datum_get_array (outputs[i]),
                               sym_datum_get_array (expected));
          sym_datum_unref (expected);
        }
    }
  for (guint i = 0; i < n_inputs; i++)
    if (inputs->pdata[i] != NULL)
      sym_datum_unref (inputs->pdata[i]);
  for (guint i = 0; i < n_outputs; i++)
    g_clear_pointer (&outputs[i], sym_datum_unref);
}

/* A test "/ops/kernels/<group>/<number>-<operator>" for each case; @cases end with one without op.
 */
static inline void
kernel_case_add_all (const char *group, const KernelCase *cases)
{
  for (guint i = 0; cases[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/kernels/%s/%02u-%s", group, i, cases[i].op);

      g_test_add_data_func (path, &cases[i], kernel_case_run);
    }
}
