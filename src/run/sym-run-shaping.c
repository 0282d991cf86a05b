/* SPDX-License-Identifier: MIT */
#include "run/sym-run-shaping.h"

#include "core/sym-element.h"
#include "core/sym-model-builder.h"
#include "run/sym-run-fill.h"

/* As many integers as inference follows from layer to layer. */
#define MAX_NUMBERS 64

/* ---- Numbers ---- */

struct _SymRunShaping {
  const SymInference *inference;
  GHashTable *shaped;  /* call to a set of its operands whose numbers decide, NULL for none */
  GHashTable *answers; /* value to the call that is shaped by it or SYM_NO_ID */
  guint n_inferences;
};

/* Operands of a call whose numbers are tried, all at once. */
typedef struct {
  GHashTable *values;
  gboolean has_numbers; /* else they are not known */
  SymRunFill fill;
} Trial;

/* Numbers that are tried: one is an axis of most tensors, those in a row are an order of axes. */
static const SymRunFill fills[] = { SYM_RUN_FILL_ZEROS, SYM_RUN_FILL_ONES, SYM_RUN_FILL_ARANGE };

static gboolean
is_small (const SymType *type)
{
  guint64 n;

  return type->kind == SYM_KIND_TENSOR && type->shape.rank >= 0 && type->shape.rank <= 1 &&
         sym_dtype_is_numeric (type->dtype) && sym_shape_get_n_elements (&type->shape, &n) &&
         n <= MAX_NUMBERS;
}

/* NULL for what is not small. */
static SymTensor *
make_up (const SymType *type, SymRunFill fill)
{
  g_autoptr (SymDatum) datum = NULL;

  if (is_small (type))
    datum = sym_run_fill (fill, type->dtype, &type->shape, 0, NULL);
  return datum == NULL ? NULL : sym_tensor_new_copy (sym_datum_get_array (datum), NULL);
}

/* Those that inference found, as a tensor. */
static SymTensor *
copy_ints (const SymType *type, const gint64 *values, gsize n)
{
  guint8 bytes[MAX_NUMBERS * sizeof (gint64)] = { 0 };
  const SymArray array = { .dtype = type->dtype, .shape = type->shape, .data = bytes };

  for (gsize i = 0; i < n; i++)
    sym_element_set_int (type->dtype, bytes, i, values[i]);
  return sym_tensor_new_copy (&array, NULL);
}

static gboolean
is_known_integer (const SymInference *inference, SymId value, const SymType *type)
{
  gint64 values[MAX_NUMBERS];

  return sym_dtype_is_integer (type->dtype) &&
         sym_inference_get_ints (inference, value, values, MAX_NUMBERS) >= 0;
}

/* Small, and nobody knows its numbers. */
static gboolean
is_in_question (const SymInference *inference, SymId value)
{
  const SymType type = sym_inference_get_type (inference, value);

  return is_small (&type) &&
         sym_model_get_tensor (sym_inference_get_model (inference), value) == NULL &&
         !is_known_integer (inference, value, &type);
}

/* An operand's, before a run.  Those of another one that shapes may be made of, which nobody knows,
 * are made up: they are not tried. */
static SymTensor *
find_numbers (const SymInference *inference, SymId operand, const SymType *type)
{
  SymTensor *tensor = sym_model_get_tensor (sym_inference_get_model (inference), operand);
  gint64 values[MAX_NUMBERS];
  int n;

  if (tensor != NULL)
    return sym_tensor_ref (tensor);
  n = is_small (type) && sym_dtype_is_integer (type->dtype)
          ? sym_inference_get_ints (inference, operand, values, MAX_NUMBERS)
          : -1;
  return n >= 0 ? copy_ints (type, values, (gsize) n) : make_up (type, SYM_RUN_FILL_ONES);
}

/* ---- A call alone ---- */

static SymId
add_operand (SymModelBuilder *builder,
             const SymInference *inference,
             SymId operand,
             const Trial *trial)
{
  SymType type = sym_inference_get_type (inference, operand);
  g_autoptr (SymTensor) numbers = NULL;
  SymId added;

  if (type.kind != SYM_KIND_TENSOR)
    type = SYM_TYPE_UNKNOWN;
  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = type.shape.dims[i] >= 0 ? type.shape.dims[i] : SYM_DIM_UNKNOWN;
  if (!g_hash_table_contains (trial->values, GUINT_TO_POINTER (operand)))
    numbers = find_numbers (inference, operand, &type);
  else if (trial->has_numbers)
    numbers = make_up (&type, trial->fill);
  added = sym_model_builder_add_value (builder, "",
                                       numbers != NULL ? SYM_ROLE_CONSTANT : SYM_ROLE_INPUT, &type);
  if (numbers != NULL)
    sym_model_builder_set_tensor (builder, added, g_steal_pointer (&numbers));
  else
    sym_model_builder_add_input (builder, added);
  return added;
}

/* The call by itself: what is known of its results follows from its operands alone. */
static SymInference *
infer_alone (SymRunShaping *self,
             SymId call,
             const Trial *trial,
             GCancellable *cancellable,
             GError **error)
{
  const SymInference *inference = self->inference;
  SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  const SymValue *arguments = sym_model_get_arguments (model, call);
  g_autoptr (GHashTable) added = g_hash_table_new (NULL, NULL);
  g_autofree SymId *ids = g_new (SymId, operands.n + 1);
  g_autoptr (SymModel) alone = NULL;
  SymModelBuilder *builder = sym_model_builder_new (sym_model_get_dialect (model));

  for (guint i = 0; i < operands.n; i++)
    {
      gpointer key = GUINT_TO_POINTER (operands.ids[i]), found;

      if (operands.ids[i] == SYM_NO_ID)
        ids[i] = SYM_NO_ID;
      else if (g_hash_table_lookup_extended (added, key, NULL, &found))
        ids[i] = GPOINTER_TO_UINT (found);
      else
        ids[i] = add_operand (builder, inference, operands.ids[i], trial);
      g_hash_table_insert (added, key, GUINT_TO_POINTER (ids[i]));
    }
  sym_model_builder_add_call (builder, "", sym_model_get_layer (model, call), ids, operands.n,
                              sym_model_get_results (model, call).n);
  if (arguments != NULL)
    sym_model_builder_set_arguments (builder, 0, sym_value_ref ((SymValue *) arguments));
  alone = sym_model_builder_end (builder);
  self->n_inferences++;
  return sym_infer (alone, NULL, 0, cancellable, error);
}

/* How much is known of the shapes of the results: ranks and sizes; *@is_all: there is no more. */
static guint
count_known (const SymInference *alone, gboolean *is_all)
{
  SymIds results = sym_model_get_results (sym_inference_get_model (alone), 0);
  guint n = 0;

  *is_all = TRUE;
  for (guint i = 0; i < results.n; i++)
    {
      SymShape shape = sym_inference_get_type (alone, results.ids[i]).shape;

      *is_all &= sym_shape_is_known (&shape);
      n += shape.rank >= 0;
      for (int axis = 0; axis < shape.rank; axis++)
        n += shape.dims[axis] >= 0;
    }
  return n;
}

/* FALSE when none is left. */
static gboolean
drop_floats (GHashTable *values, const SymInference *inference)
{
  GHashTableIter i;
  gpointer value;

  g_hash_table_iter_init (&i, values);
  while (g_hash_table_iter_next (&i, &value, NULL))
    if (!sym_dtype_is_integer (sym_inference_get_type (inference, GPOINTER_TO_UINT (value)).dtype))
      g_hash_table_iter_remove (&i);
  return g_hash_table_size (values) > 0;
}

/* Whether the numbers of any of @operands decide.  Where shapes are known without numbers, some of
 * these may still be none that an operand can have: axes of size 1, which a Squeeze knows by
 * itself. */
static gboolean
try_operands (SymRunShaping *self,
              SymId call,
              const SymId *operands,
              guint n,
              gboolean *decide,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL);
  Trial trial = { .values = values };
  g_autoptr (SymInference) without = NULL;
  gboolean is_all;
  guint n_known;

  *decide = FALSE;
  for (guint i = 0; i < n; i++)
    g_hash_table_add (values, GUINT_TO_POINTER (operands[i]));
  without = infer_alone (self, call, &trial, cancellable, error);
  if (without == NULL)
    return FALSE;
  n_known = count_known (without, &is_all);
  if (sym_inference_contradicts (without, 0) || (is_all && !drop_floats (values, self->inference)))
    return TRUE;
  trial.has_numbers = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (fills) && !*decide; i++)
    {
      g_autoptr (SymInference) with = NULL;

      trial.fill = fills[i];
      with = infer_alone (self, call, &trial, cancellable, error);
      if (with == NULL)
        return FALSE;
      *decide = sym_inference_contradicts (with, 0) || count_known (with, &is_all) != n_known;
    }
  return TRUE;
}

/* ---- The operands of a call ---- */

typedef struct {
  guint first, n;
} Range;

static GArray *
list_in_question (const SymInference *inference, SymId call)
{
  GArray *operands = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymIds all = sym_model_get_operands (sym_inference_get_model (inference), call);
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < all.n; i++)
    if (all.ids[i] != SYM_NO_ID && g_hash_table_add (met, GUINT_TO_POINTER (all.ids[i])) &&
        is_in_question (inference, all.ids[i]))
      g_array_append_val (operands, all.ids[i]);
  return operands;
}

static void
split (GArray *ranges, Range range)
{
  const Range halves[] = { { range.first, range.n / 2 },
                           { range.first + range.n / 2, range.n - range.n / 2 } };

  g_array_append_vals (ranges, halves, 2);
}

/* All at once: a call may have thousands of operands, and mostly no shape is made of any.  Those
 * that decide are found by halves, and each is tried by itself in the end. */
static gboolean
try_call (SymRunShaping *self, SymId call, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) operands = NULL;
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  g_autoptr (GHashTable) shaped = NULL;
  Range range = { 0, 0 };

  if (g_hash_table_contains (self->shaped, GUINT_TO_POINTER (call)))
    return TRUE;
  operands = list_in_question (self->inference, call);
  range.n = operands->len;
  if (range.n > 0)
    g_array_append_val (ranges, range);
  while (ranges->len > 0)
    {
      const SymId *ids = (const SymId *) (gpointer) operands->data;
      gboolean decide;

      range = g_array_index (ranges, Range, ranges->len - 1);
      g_array_set_size (ranges, ranges->len - 1);
      if (!try_operands (self, call, ids + range.first, range.n, &decide, cancellable, error))
        return FALSE;
      if (decide && range.n > 1)
        split (ranges, range);
      if (!decide || range.n > 1)
        continue;
      if (shaped == NULL)
        shaped = g_hash_table_new (NULL, NULL);
      g_hash_table_add (shaped, GUINT_TO_POINTER (ids[range.first]));
    }
  g_hash_table_insert (self->shaped, GUINT_TO_POINTER (call), g_steal_pointer (&shaped));
  return TRUE;
}

/* ---- The search ---- */

typedef struct {
  SymId value;
  guint from; /* the step that led here; the first one leads to itself */
} Step;

typedef struct {
  GArray *steps;
  GHashTable *met; /* values */
} Walk;

static void
follow (Walk *walk, const SymInference *inference, SymId value, guint from)
{
  Step step = { value, from };

  if (is_in_question (inference, value) && g_hash_table_add (walk->met, GUINT_TO_POINTER (value)))
    g_array_append_val (walk->steps, step);
}

/* What is computed of small integers, as far as shapes may be made of it. */
static void
follow_results (Walk *walk, const SymInference *inference, SymId call, guint from)
{
  SymIds results = sym_model_get_results (sym_inference_get_model (inference), call);

  for (guint i = 0; i < results.n; i++)
    if (sym_dtype_is_integer (sym_inference_get_type (inference, results.ids[i]).dtype))
      follow (walk, inference, results.ids[i], from);
}

/* *@found stays SYM_NO_ID where nothing is shaped by the value itself. */
static gboolean
look_at (SymRunShaping *self,
         Walk *walk,
         guint at,
         SymId *found,
         GCancellable *cancellable,
         GError **error)
{
  gpointer tried = GUINT_TO_POINTER (g_array_index (walk->steps, Step, at).value), answer;
  SymIds users =
      sym_model_get_consumers (sym_inference_get_model (self->inference), GPOINTER_TO_UINT (tried));

  if (g_hash_table_lookup_extended (self->answers, tried, NULL, &answer))
    {
      *found = GPOINTER_TO_UINT (answer);
      return TRUE;
    }
  for (guint i = 0; i < users.n; i++)
    {
      GHashTable *shaped;

      if (i > 0 && users.ids[i] == users.ids[i - 1]) /* one entry for each use */
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !try_call (self, users.ids[i], cancellable, error))
        return FALSE;
      shaped = g_hash_table_lookup (self->shaped, GUINT_TO_POINTER (users.ids[i]));
      if (shaped != NULL && g_hash_table_contains (shaped, tried))
        {
          *found = users.ids[i];
          return TRUE;
        }
      follow_results (walk, self->inference, users.ids[i], at);
    }
  return TRUE;
}

/* What was found holds for the values on the way there; where nothing was, for all. */
static void
remember (SymRunShaping *self, const Walk *walk, guint at, SymId found)
{
  for (guint i = 0; found == SYM_NO_ID && i < walk->steps->len; i++)
    g_hash_table_insert (self->answers,
                         GUINT_TO_POINTER (g_array_index (walk->steps, Step, i).value),
                         GUINT_TO_POINTER (found));
  while (found != SYM_NO_ID)
    {
      Step step = g_array_index (walk->steps, Step, at);

      g_hash_table_insert (self->answers, GUINT_TO_POINTER (step.value), GUINT_TO_POINTER (found));
      if (at == step.from)
        break;
      at = step.from;
    }
}

static void
free_set (gpointer data)
{
  if (data != NULL)
    g_hash_table_unref (data);
}

SymRunShaping *
sym_run_shaping_new (const SymInference *inference)
{
  SymRunShaping *self = g_new0 (SymRunShaping, 1);

  self->inference = inference;
  self->shaped = g_hash_table_new_full (NULL, NULL, NULL, free_set);
  self->answers = g_hash_table_new (NULL, NULL);
  return self;
}

void
sym_run_shaping_free (SymRunShaping *self)
{
  g_hash_table_unref (self->shaped);
  g_hash_table_unref (self->answers);
  g_free (self);
}

gboolean
sym_run_shaping_find (SymRunShaping *self,
                      SymId value,
                      SymId *call,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  Walk walk = { steps, met };
  SymId found = SYM_NO_ID;
  guint at;

  follow (&walk, self->inference, value, 0);
  for (at = 0; at < steps->len; at++)
    {
      if (!look_at (self, &walk, at, &found, cancellable, error))
        return FALSE;
      if (found != SYM_NO_ID)
        break;
    }
  remember (self, &walk, at, found);
  *call = found;
  return TRUE;
}

guint
sym_run_shaping_get_n_inferences (const SymRunShaping *self)
{
  return self->n_inferences;
}
