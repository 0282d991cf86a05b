/* SPDX-License-Identifier: MIT */
#include "run/sym-executor-private.h"

#include <string.h>

#include "core/sym-error.h"

/* Messages name no more arguments than this, as MXNet's do not. */
#define MAX_NAMED 10

/* ---- Inference ---- */

/* The first contradiction that is not already among what the model declares. */
static gboolean
check_problems (const SymInference *inference, GError **error)
{
  const SymProblems *problems = sym_inference_get_problems (inference);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    if (sym_problems_get (problems, i)->severity == SYM_SEVERITY_ERROR)
      {
        g_set_error_literal (error, SYM_ERROR, SYM_ERROR_SHAPE,
                             sym_problems_get (problems, i)->message);
        return FALSE;
      }
  return TRUE;
}

static void
collect_override (GArray *overrides, SymId value, const SymShape *shape, SymDType dtype)
{
  SymOverride override = { .value = value,
                           .has_shape = shape->rank >= 0,
                           .shape = *shape,
                           .has_dtype = dtype != SYM_DTYPE_UNKNOWN,
                           .dtype = dtype };

  if (override.has_shape || override.has_dtype)
    g_array_append_val (overrides, override);
}

static SymInference *
infer (SymModel *model, const GArray *overrides, GError **error)
{
  g_autoptr (SymInference) inference = sym_infer (
      model, (const SymOverride *) (gpointer) overrides->data, overrides->len, NULL, error);

  return inference != NULL && check_problems (inference, error) ? g_steal_pointer (&inference)
                                                                : NULL;
}

/* ---- Bind ---- */

static gboolean
collect_arrays (const SymExecutor *self, const GArray *places, GArray *overrides, GError **error)
{
  for (guint i = 0; i < places->len; i++)
    {
      const SymBound *bound = &g_array_index (places, SymBound, i);
      const SymArray *array = sym_datum_get_array (bound->array);

      if (array == NULL)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                       "“%s” can be bound to a tensor, not to a sequence or an optional",
                       sym_executor_get_bound_name (self, bound));
          return FALSE;
        }
      collect_override (overrides, bound->value, &array->shape, array->dtype);
    }
  return TRUE;
}

/* All arrays are there; do they go together? */
static SymExecutor *
finish (SymExecutor *take_self, GError **error)
{
  g_autoptr (SymExecutor) self = take_self;
  g_autoptr (GArray) overrides = g_array_new (FALSE, FALSE, sizeof (SymOverride));
  g_autoptr (SymInference) inference = NULL;

  if (!collect_arrays (self, self->arguments, overrides, error) ||
      !collect_arrays (self, self->auxiliary, overrides, error))
    return NULL;
  inference = infer (self->model, overrides, error);
  return inference != NULL && sym_executor_settle (self, inference, error) ? g_steal_pointer (&self)
                                                                           : NULL;
}

static void
put (SymBound *bound, SymDatum *array)
{
  g_clear_pointer (&bound->array, sym_datum_unref);
  bound->array = sym_datum_ref (array);
}

/* What nobody gave takes the numbers that the model has. */
static gboolean
complete (SymExecutor *self, GArray *places, const char *dict, GError **error)
{
  for (guint i = 0; i < places->len; i++)
    {
      SymBound *bound = &g_array_index (places, SymBound, i);
      SymTensor *tensor = sym_model_get_tensor (self->model, bound->value);

      if (bound->array != NULL)
        continue;
      if (tensor == NULL)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "key `%s` is missing in `%s`",
                       sym_executor_get_bound_name (self, bound), dict);
          return FALSE;
        }
      bound->array = sym_datum_new_read (tensor, error);
      if (bound->array == NULL)
        return FALSE;
    }
  return TRUE;
}

SymExecutor *
sym_model_bind (SymModel *model,
                const char *const *names,
                SymDatum *const *arrays,
                guint n,
                GError **error)
{
  g_autoptr (SymExecutor) self = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  self = sym_executor_new (model);
  for (guint i = 0; i < n; i++)
    {
      SymBound *bound = sym_executor_find_bound (self, names[i]);

      if (bound != NULL)
        put (bound, arrays[i]);
    }
  if (!complete (self, self->arguments, "args", error) ||
      !complete (self, self->auxiliary, "aux_states", error))
    return NULL;
  return finish (g_steal_pointer (&self), error);
}

static gboolean
put_list (GArray *places, SymDatum *const *arrays, guint n, const char *list, GError **error)
{
  if (n != places->len)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "Length of %s does not match the number of arguments: %u, not %u", list, n,
                   places->len);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    put (&g_array_index (places, SymBound, i), arrays[i]);
  return TRUE;
}

SymExecutor *
sym_model_bind_list (SymModel *model,
                     SymDatum *const *arguments,
                     guint n_arguments,
                     SymDatum *const *auxiliary,
                     guint n_auxiliary,
                     GError **error)
{
  g_autoptr (SymExecutor) self = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  self = sym_executor_new (model);
  if (!put_list (self->arguments, arguments, n_arguments, "args", error) ||
      !put_list (self->auxiliary, auxiliary, n_auxiliary, "aux_states", error))
    return NULL;
  return finish (g_steal_pointer (&self), error);
}

/* ---- Simple bind ---- */

static char *
list_candidates (const SymExecutor *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (self->arguments->len, MAX_NAMED); i++)
    g_string_append_printf (text, "\n\t[%u]%s", i,
                            sym_executor_get_name (self, SYM_ARRAYS_ARGUMENTS, i));
  if (self->arguments->len > MAX_NAMED)
    g_string_append (text, "\n\t...");
  return g_string_free (text, FALSE);
}

static gboolean
collect_bindings (SymExecutor *self,
                  const SymBinding *bindings,
                  guint n,
                  GArray *overrides,
                  GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      const SymBound *bound = sym_executor_find_bound (self, bindings[i].name);

      if (bound == NULL)
        {
          g_autofree char *candidates = list_candidates (self);

          g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND,
                       "Keyword argument name %s not found.\nCandidate arguments:%s",
                       bindings[i].name, candidates);
          return FALSE;
        }
      collect_override (overrides, bound->value, &bindings[i].shape, bindings[i].dtype);
    }
  return TRUE;
}

/* The type that an array needs; undecided sizes are below zero. */
static SymType
get_type (const SymInference *inference, const SymBound *bound)
{
  SymType type = sym_inference_get_type (inference, bound->value);

  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = SYM_DTYPE_FLOAT32;
  return type;
}

static gboolean
check_decided (const SymExecutor *self, const SymInference *inference, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < self->arguments->len + self->auxiliary->len; i++)
    {
      const SymBound *bound =
          i < self->arguments->len
              ? &g_array_index (self->arguments, SymBound, i)
              : &g_array_index (self->auxiliary, SymBound, i - self->arguments->len);
      SymType type = get_type (inference, bound);
      g_autofree char *shape = NULL;

      if (type.shape.rank >= 0 && sym_shape_is_known (&type.shape))
        continue;
      if (n++ >= MAX_NAMED)
        continue;
      shape = type.shape.rank < 0 ? g_strdup ("None") : sym_executor_format_shape (&type.shape);
      g_string_append_printf (text, "%s: %s, ", sym_executor_get_bound_name (self, bound), shape);
    }
  if (n == 0)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED,
               "InferShape pass cannot decide shapes for the following arguments (-1 means unknown "
               "dimensions). Please consider providing them as inputs:\n%s%s",
               text->str, n > MAX_NAMED ? "..." : "");
  return FALSE;
}

static SymDatum *
new_zeros (SymDType dtype, const SymShape *shape, GError **error)
{
  SymDatum *datum = sym_datum_new (dtype, shape, error);
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  if (datum != NULL && dtype != SYM_DTYPE_STRING)
    memset (array->data, 0, sym_array_get_n_bytes (array));
  return datum;
}

static gboolean
is_of (const SymDatum *datum, const SymType *type)
{
  const SymArray *array = sym_datum_get_array (datum);

  return array != NULL && array->dtype == type->dtype &&
         sym_shape_equal (&array->shape, &type->shape);
}

/* The model's own numbers are of use only as long as they have the shape that is wanted. */
static SymDatum *
make_array (const SymExecutor *self, const SymBound *bound, const SymType *type, GError **error)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, bound->value);

  if (tensor != NULL && sym_tensor_get_dtype (tensor) == type->dtype &&
      sym_shape_equal (sym_tensor_get_shape (tensor), &type->shape))
    return sym_datum_new_read (tensor, error);
  return new_zeros (type->dtype, &type->shape, error);
}

static gboolean
make_arrays (SymExecutor *self,
             GArray *places,
             const SymInference *inference,
             const SymExecutor *shared,
             GError **error)
{
  for (guint i = 0; i < places->len; i++)
    {
      SymBound *bound = &g_array_index (places, SymBound, i);
      const char *name = sym_executor_get_bound_name (self, bound);
      const SymBound *other = shared == NULL ? NULL : sym_executor_find_bound (shared, name);
      SymType type = get_type (inference, bound);

      if (other != NULL && is_of (other->array, &type))
        {
          put (bound, other->array);
          if (other->owner != NULL)
            bound->owner = sym_datum_ref (other->owner);
        }
      else
        bound->array = make_array (self, bound, &type, error);
      if (bound->array == NULL)
        return FALSE;
    }
  return TRUE;
}

/* As MXNet has it: what was asked for, then what is wrong with it. */
static void
explain (const SymBinding *bindings, guint n, GError **error)
{
  g_autoptr (GString) text = g_string_new ("simple_bind error. Arguments:\n");

  for (guint i = 0; i < n; i++)
    if (bindings[i].shape.rank >= 0)
      {
        g_autofree char *shape = sym_executor_format_shape (&bindings[i].shape);

        g_string_append_printf (text, "%s: %s\n", bindings[i].name, shape);
      }
  g_prefix_error (error, "%s", text->str);
}

SymExecutor *
sym_model_simple_bind (SymModel *model,
                       const SymBinding *bindings,
                       guint n,
                       SymExecutor *shared,
                       GError **error)
{
  g_autoptr (SymExecutor) self = NULL;
  g_autoptr (GArray) overrides = g_array_new (FALSE, FALSE, sizeof (SymOverride));
  g_autoptr (SymInference) inference = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  self = sym_executor_new (model);
  if (!collect_bindings (self, bindings, n, overrides, error))
    return NULL;
  inference = infer (model, overrides, error);
  if (inference == NULL || !check_decided (self, inference, error))
    {
      explain (bindings, n, error);
      return NULL;
    }
  if (!make_arrays (self, self->arguments, inference, shared, error) ||
      !make_arrays (self, self->auxiliary, inference, shared, error) ||
      !sym_executor_settle (self, inference, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* ---- Reshape ---- */

static gboolean
is_named (const SymBinding *bindings, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (bindings[i].shape.rank >= 0 && g_str_equal (bindings[i].name, name))
      return TRUE;
  return FALSE;
}

static gboolean
check_reshape (const SymExecutor *self,
               const SymBound *old,
               const SymType *type,
               gboolean named,
               SymReshapeFlags flags,
               GError **error)
{
  const char *name = sym_executor_get_bound_name (self, old);
  SymArray wanted = { type->dtype, type->shape, NULL };

  if (!named && !(flags & SYM_RESHAPE_PARTIAL))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "Shape of unspecified arg: %s changed. The new executor would not share it with "
                   "the old one; if that is intended, set partial_shaping=True",
                   name);
      return FALSE;
    }
  if (sym_array_get_n_bytes (&wanted) <= sym_array_get_n_bytes (sym_datum_get_array (old->array)) ||
      (flags & SYM_RESHAPE_ALLOW_LARGER))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "New shape of arg: %s is larger than original. Make the larger executor first, or "
               "set allow_up_sizing=True to have a new array made",
               name);
  return FALSE;
}

/* A view of the first elements of the old memory, or a new array where that is too small. */
static gboolean
view_array (SymBound *bound, const SymBound *old, const SymType *type, GError **error)
{
  const SymArray *array = sym_datum_get_array (old->array);
  SymArray wanted = { type->dtype, type->shape, NULL };

  if (sym_array_get_n_bytes (&wanted) > sym_array_get_n_bytes (array) ||
      type->dtype == SYM_DTYPE_STRING)
    {
      bound->array = new_zeros (type->dtype, &type->shape, error);
      return bound->array != NULL;
    }
  bound->array =
      sym_datum_new_lent (type->dtype, &type->shape, array->data, sym_array_get_n_bytes (array));
  bound->owner = sym_datum_ref (old->owner != NULL ? old->owner : old->array);
  return TRUE;
}

static gboolean
reshape_arrays (SymExecutor *self,
                GArray *places,
                const GArray *old_places,
                const SymInference *inference,
                const SymBinding *bindings,
                guint n,
                SymReshapeFlags flags,
                GError **error)
{
  for (guint i = 0; i < places->len; i++)
    {
      SymBound *bound = &g_array_index (places, SymBound, i);
      const SymBound *old = &g_array_index (old_places, SymBound, i);
      SymType type = sym_inference_get_type (inference, bound->value);
      gboolean named = is_named (bindings, n, sym_executor_get_bound_name (self, bound));

      if (type.dtype == SYM_DTYPE_UNKNOWN)
        type.dtype = sym_datum_get_dtype (old->array);
      if (is_of (old->array, &type))
        {
          put (bound, old->array);
          bound->owner = old->owner == NULL ? NULL : sym_datum_ref (old->owner);
        }
      else if (!check_reshape (self, old, &type, named, flags, error) ||
               !view_array (bound, old, &type, error))
        return FALSE;
    }
  return TRUE;
}

SymExecutor *
sym_executor_reshape (SymExecutor *self,
                      const SymBinding *bindings,
                      guint n,
                      SymReshapeFlags flags,
                      GError **error)
{
  g_autoptr (SymExecutor) other = NULL;
  g_autoptr (GArray) overrides = g_array_new (FALSE, FALSE, sizeof (SymOverride));
  g_autoptr (SymInference) inference = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  other = sym_executor_new (self->model);
  if (!collect_bindings (other, bindings, n, overrides, error))
    return NULL;
  inference = infer (self->model, overrides, error);
  if (inference == NULL || !check_decided (other, inference, error) ||
      !reshape_arrays (other, other->arguments, self->arguments, inference, bindings, n, flags,
                       error) ||
      !reshape_arrays (other, other->auxiliary, self->auxiliary, inference, bindings, n, flags,
                       error) ||
      !sym_executor_settle (other, inference, error))
    return NULL;
  return g_steal_pointer (&other);
}
