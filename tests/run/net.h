/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>

#include "core/sym-model-builder.h"
#include "ops/sym-op.h"
#include "run/sym-run.h"

/* Sanitizers have memory functions of their own, and take many times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define HAS_SANITIZER
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
      __has_feature(memory_sanitizer)
#    define HAS_SANITIZER
#  endif
#endif

/* Small models of ONNX layers with random numbers, and compiled plans of them beside the reference
 * kernels, for the tests of both. */

typedef struct {
  SymModelBuilder *builder;
  GRand *random;
  SymId input;
  SymModel *model;
} Net;

static inline Net
net_new (SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  Net self = { sym_model_builder_new (SYM_DIALECT_PLAIN), g_rand_new_with_seed (7) };

  self.input = sym_model_builder_add_value (self.builder, "x", SYM_ROLE_INPUT, &type);
  sym_model_builder_add_input (self.builder, self.input);
  return self;
}

static inline void
net_clear (Net *self)
{
  g_rand_free (self->random);
  sym_model_unref (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Net, net_clear)

static inline void
finish (Net *self, SymId output)
{
  sym_model_builder_add_output (self->builder, output);
  self->model = sym_model_builder_end (self->builder);
  g_assert_nonnull (self->model);
}

/* Random numbers between the two. */
static inline SymId
add_numbers (Net *self, SymShape shape, double low, double high)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  guint64 n;
  float *numbers;

  g_assert_true (sym_shape_get_n_elements (&shape, &n));
  numbers = g_new (float, n);
  for (guint64 i = 0; i < n; i++)
    numbers[i] = (float) g_rand_double_range (self->random, low, high);
  bytes = g_bytes_new_take (numbers, n * sizeof *numbers);
  blob = sym_blob_new_bytes (bytes);
  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL));
  return value;
}

/* Integers as a constant. */
static inline SymId
add_integers (Net *self, const gint64 *numbers, gint64 n)
{
  SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (n));
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, (gsize) n * sizeof *numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_INT64, &type.shape, blob, 0, NULL));
  return value;
}

/* @attributes in Python's notation: "{'group': 2}". */
static inline SymId
add_of_version (Net *self,
                const char *type,
                int version,
                const char *attributes,
                const SymId *operands,
                guint n)
{
  g_autoptr (SymValue) parsed = sym_value_parse (attributes);
  g_autoptr (SymAttributes) list = sym_attributes_new ();
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  g_assert_nonnull (parsed);
  for (guint i = 0; i < sym_value_get_n_children (parsed); i++)
    sym_attributes_set (list, sym_value_get_key (parsed, i),
                        sym_value_ref ((SymValue *) sym_value_get_child (parsed, i)), NULL);
  g_assert_nonnull (sym_op_find ("", type, version));
  layer = sym_layer_new (type, sym_op_find ("", type, version), list);
  call = sym_model_builder_add_call (self->builder, NULL, layer, operands, n, 1);
  return sym_model_builder_get_result (self->builder, call, 0);
}

static inline SymId
add (Net *self, const char *type, const char *attributes, const SymId *operands, guint n)
{
  return add_of_version (self, type, 17, attributes, operands, n);
}

static inline SymId
add_unary (Net *self, const char *type, SymId x)
{
  return add (self, type, "{}", &x, 1);
}

static inline SymId
add_binary (Net *self, const char *type, SymId a, SymId b)
{
  return add (self, type, "{}", (SymId[]){ a, b }, 2);
}

/* ---- Comparing ---- */

static inline SymDatum *
new_input (const Net *self)
{
  SymType type = sym_model_get_declared_type (self->model, self->input);
  SymDatum *datum = sym_datum_new (SYM_DTYPE_FLOAT32, &type.shape, NULL);
  const SymArray *array = sym_datum_get_array (datum);

  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    ((float *) array->data)[i] = (float) g_rand_double_range (self->random, -1, 1);
  return datum;
}

/* Compiled for so many threads, with one by direct algorithms only; 0 is not compiled. */
static inline SymPlan *
new_plan (SymModel *model, guint n_threads)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = n_threads > 0 ? inference : NULL,
                             .n_threads = n_threads,
                             .is_exact = n_threads == 1 };
  g_autoptr (GError) error = NULL;
  SymPlan *plan = sym_plan_new (model, &options, NULL, &error);

  g_assert_no_error (error);
  return plan;
}

static inline void
assert_near (const SymDatum *actual, const SymDatum *expected, double tolerance)
{
  const SymArray *a = sym_datum_get_array (actual), *b = sym_datum_get_array (expected);
  const float *left = a->data, *right = b->data;
  double difference = 0, largest = 0;

  g_assert_true (a->dtype == b->dtype && sym_shape_equal (&a->shape, &b->shape));
  for (gsize i = 0; i < sym_array_get_n_elements (a); i++)
    {
      g_assert_true (isfinite (left[i]) && isfinite (right[i]));
      difference = fmax (difference, fabs ((double) left[i] - (double) right[i]));
      largest = fmax (largest, fabs ((double) right[i]));
    }
  g_assert_cmpfloat (largest, >, 0);
  g_assert_cmpfloat (difference / largest, <=, tolerance);
}

static inline void
execute (SymRun *run, SymId input, SymDatum *datum)
{
  g_autoptr (GError) error = NULL;

  sym_run_feed (run, input, datum, &error);
  g_assert_no_error (error);
  sym_run_execute (run, NULL, &error);
  g_assert_no_error (error);
}

/* ---- Watching ---- */

/* What a watch was shown: copies by value. */
typedef struct {
  SymRun *run;
  SymDatum **data;
  guint n;
} Seen;

static inline gboolean
see (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Seen *self = user_data;

  (void) datum;
  g_assert_cmpuint (value, <, self->n);
  g_assert_null (self->data[value]);
  self->data[value] = sym_run_keep_shown (self->run, error);
  return self->data[value] != NULL;
}

/* All values of a run of all of the model. */
static inline Seen
watch_all (const Net *self, guint n_threads, SymDatum *input)
{
  g_autoptr (SymInference) inference = sym_infer (self->model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = n_threads > 0 ? inference : NULL,
                             .everything = TRUE,
                             .n_threads = n_threads,
                             .is_exact = n_threads == 1 };
  g_autoptr (SymPlan) plan = sym_plan_new (self->model, &options, NULL, NULL);
  Seen seen = { sym_run_new (plan), NULL, sym_model_get_n_values (self->model) };

  seen.data = g_new0 (SymDatum *, seen.n + 1);
  sym_run_set_watch (seen.run, see, &seen);
  sym_run_set_any_order (seen.run, n_threads > 1);
  execute (seen.run, self->input, input);
  return seen;
}

static inline void
seen_clear (Seen *self)
{
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->data[i], sym_datum_unref);
  g_free (self->data);
  sym_run_free (self->run);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seen, seen_clear)

static inline gboolean
is_all_zero (const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);

  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    if (((const float *) array->data)[i] != 0)
      return FALSE;
  return TRUE;
}

static inline void
assert_equal (const SymDatum *actual, const SymDatum *expected)
{
  const SymArray *a = sym_datum_get_array (actual), *b = sym_datum_get_array (expected);

  g_assert_true (a->dtype == b->dtype && sym_shape_equal (&a->shape, &b->shape));
  g_assert_cmpmem (a->data, sym_array_get_n_bytes (a), b->data, sym_array_get_n_bytes (b));
}

/* A compiled plan shows every value once, as the kernels make it, with a time for each call. */
static inline void
assert_all_seen (const Net *self, guint n_threads)
{
  g_autoptr (SymDatum) input = new_input (self);
  g_auto (Seen) expected = watch_all (self, 0, input), actual = watch_all (self, n_threads, input);

  for (guint i = 0; i < expected.n; i++)
    {
      if (expected.data[i] == NULL)
        {
          g_assert_null (actual.data[i]);
          continue;
        }
      g_assert_nonnull (actual.data[i]);
      if (sym_datum_get_dtype (expected.data[i]) != SYM_DTYPE_FLOAT32)
        assert_equal (actual.data[i], expected.data[i]);
      else if (!is_all_zero (expected.data[i]))
        assert_near (actual.data[i], expected.data[i], n_threads == 1 ? 1e-5 : 1e-4);
    }
  for (SymId call = 0; call < sym_model_get_n_calls (self->model); call++)
    g_assert_cmpfloat (sym_run_get_call_milliseconds (actual.run, call), >=, 0);
}

/* ---- Both ---- */

/* Twice, with other numbers the second time, as memory is used again.  Of the calls at least
 * @n_compiled are compiled, all of them into @n_steps steps and kernels. */
static inline void
assert_same_in_threads (const Net *self, guint n_threads, guint n_steps, guint n_compiled)
{
  g_autoptr (SymPlan) reference = new_plan (self->model, 0);
  g_autoptr (SymPlan) plan = new_plan (self->model, n_threads);
  g_autoptr (SymRun) run = sym_run_new (plan), oracle = sym_run_new (reference);
  SymIds outputs = sym_model_get_outputs (self->model);
  guint n = 0;

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    n += sym_plan_is_compiled (plan, i) ? sym_plan_get_calls (plan, i).n : 0;
  g_assert_cmpuint (n, ==, n_compiled);
  g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, n_steps);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (SymDatum) datum = new_input (self);

      execute (run, self->input, datum);
      execute (oracle, self->input, datum);
      for (guint i = 0; i < outputs.n; i++)
        assert_near (sym_run_get (run, outputs.ids[i]), sym_run_get (oracle, outputs.ids[i]),
                     n_threads == 1 ? 1e-5 : 1e-4);
    }
}

static inline void
assert_same (const Net *self, guint n_steps, guint n_compiled)
{
  assert_same_in_threads (self, 1, n_steps, n_compiled);
  assert_same_in_threads (self, 3, n_steps, n_compiled);
  assert_all_seen (self, 1);
  assert_all_seen (self, 3);
}
