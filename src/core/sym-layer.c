/* SPDX-License-Identifier: MIT */
#include "core/sym-layer-private.h"

#include <string.h>

#include "core/sym-model.h"

typedef struct {
  char *name;
  SymModel *model;
  gboolean runs;
  guint n_captures;
} Body;

typedef struct {
  char *name;
  SymType type;
  SymParameter *parameter;
} Parameter;

/* Shared by a layer and those made from it with other attributes. */
typedef struct {
  SymFunction function;
  GPtrArray *elements; /* owns those of the result */
} Function;

struct _SymLayer {
  gatomicrefcount ref_count;
  const char *type; /* the operator's name where it is that, else in @texts */
  const char *name; /* in @texts, or owned where it was given later; NULL for none */
  const SymOperator *op;
  Function *function; /* NULL for none */
  SymAttributes *attributes;
  GArray *bodies;     /* of Body; NULL for none */
  GArray *parameters; /* of Parameter; NULL for none */
  gboolean owns_name;
  gboolean hides_parameters;
  gint guess; /* without an operator: the category that its type sounds like, and one; 0 until asked
               */
  char texts[]; /* what it is called from the start, in the same piece of memory */
};

static void
clear_body (gpointer data)
{
  Body *body = data;

  g_free (body->name);
  sym_model_unref (body->model);
}

static void
clear_parameter (gpointer data)
{
  Parameter *parameter = data;

  g_free (parameter->name);
  sym_parameter_unref (parameter->parameter);
}

SymLayer *
sym_layer_new_named (const char *type,
                     const SymOperator *op,
                     SymAttributes *take_attributes,
                     const char *name)
{
  gboolean is_op = op != NULL && strcmp (type, op->name) == 0;
  gsize n_type = is_op ? 0 : strlen (type) + 1;
  gsize n_name = name == NULL ? 0 : strlen (name) + 1;
  SymLayer *self = g_malloc (sizeof *self + n_type + n_name);

  *self = (SymLayer){ .op = op, .attributes = take_attributes };
  g_atomic_ref_count_init (&self->ref_count);
  self->type = is_op ? op->name : memcpy (self->texts, type, n_type);
  if (name != NULL)
    self->name = memcpy (self->texts + n_type, name, n_name);
  return self;
}

static SymAttributes *
ref_attributes (SymAttributes *attributes)
{
  return attributes == NULL ? NULL : sym_attributes_ref (attributes);
}

SymLayer *
sym_layer_new (const char *type, const SymOperator *op, SymAttributes *attributes)
{
  g_return_val_if_fail (type != NULL, NULL);

  return sym_layer_new_named (type, op, ref_attributes (attributes), NULL);
}

/* What was given at the start goes with the layer. */
static void
free_name (SymLayer *self)
{
  if (self->owns_name)
    g_free ((char *) self->name);
}

static void
clear_function (gpointer data)
{
  Function *self = data;

  if (self->function.destroy != NULL)
    self->function.destroy (self->function.user_data);
  g_ptr_array_unref (self->elements);
}

/* A size that is a term means nothing outside of the table that it is of. */
static void
forget_terms (SymType *result)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, result);
  while (open->len > 0)
    {
      SymType *type = g_ptr_array_steal_index_fast (open, open->len - 1);

      for (int i = 0; i < type->shape.rank; i++)
        if (type->shape.dims[i] < 0)
          type->shape.dims[i] = SYM_DIM_UNKNOWN;
      for (guint i = 0; i < type->n_elements; i++)
        g_ptr_array_add (open, (SymType *) &type->elements[i]);
    }
}

SymLayer *
sym_layer_new_function (const char *type, const SymFunction *function)
{
  SymLayer *self;

  g_return_val_if_fail (type != NULL && function != NULL && function->name != NULL, NULL);

  self = sym_layer_new_named (type, NULL, NULL, NULL);
  self->function = g_atomic_rc_box_new0 (Function);
  self->function->function = *function;
  self->function->function.name = g_intern_string (function->name);
  self->function->elements = g_ptr_array_new_with_free_func (g_free);
  sym_type_copy_elements (&self->function->function.result, self->function->elements);
  forget_terms (&self->function->function.result);
  return self;
}

SymLayer *
sym_layer_ref (SymLayer *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_layer_unref (SymLayer *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  free_name (self);
  if (self->function != NULL)
    g_atomic_rc_box_release_full (self->function, clear_function);
  g_clear_pointer (&self->attributes, sym_attributes_unref);
  g_clear_pointer (&self->bodies, g_array_unref);
  g_clear_pointer (&self->parameters, g_array_unref);
  g_free (self);
}

static gpointer
replace (gpointer own, GHashTable *others)
{
  gpointer other = others == NULL ? NULL : g_hash_table_lookup (others, own);

  return other == NULL ? own : other;
}

static SymLayer *
copy_layer (SymLayer *self, SymAttributes *attributes, GHashTable *parameters, GHashTable *bodies)
{
  SymLayer *copy =
      sym_layer_new_named (self->type, self->op, ref_attributes (attributes), self->name);

  copy->hides_parameters = self->hides_parameters;
  if (self->function != NULL)
    copy->function = g_atomic_rc_box_acquire (self->function);
  for (guint i = 0; self->bodies != NULL && i < self->bodies->len; i++)
    {
      const Body *body = &g_array_index (self->bodies, Body, i);

      sym_layer_add_body (copy, body->name, replace (body->model, bodies), body->runs);
      sym_layer_set_body_captures (copy, i, body->n_captures);
    }
  for (guint i = 0; self->parameters != NULL && i < self->parameters->len; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);

      sym_layer_add_parameter (copy, parameter->name, &parameter->type,
                               replace (parameter->parameter, parameters));
    }
  return copy;
}

SymLayer *
sym_layer_with_attributes (SymLayer *self, SymAttributes *attributes)
{
  return copy_layer (self, attributes, NULL, NULL);
}

SymLayer *
sym_layer_copy (SymLayer *self, GHashTable *parameters, GHashTable *bodies)
{
  return copy_layer (self, self->attributes, parameters, bodies);
}

const char *
sym_layer_get_type (const SymLayer *self)
{
  return self->type;
}

const char *
sym_layer_get_name (const SymLayer *self)
{
  return self->name;
}

void
sym_layer_set_name (SymLayer *self, const char *name)
{
  char *copy = g_strdup (name);

  free_name (self);
  self->name = copy;
  self->owns_name = TRUE;
}

void
sym_layer_set_hides_parameters (SymLayer *self, gboolean hides_parameters)
{
  self->hides_parameters = hides_parameters;
}

gboolean
sym_layer_get_hides_parameters (const SymLayer *self)
{
  return self->hides_parameters;
}

const SymOperator *
sym_layer_get_operator (const SymLayer *self)
{
  return self->op;
}

const SymFunction *
sym_layer_get_function (const SymLayer *self)
{
  return self->function == NULL ? NULL : &self->function->function;
}

const SymAttributes *
sym_layer_get_attributes (const SymLayer *self)
{
  return self->attributes;
}

/* Whoever asks first looks, in whichever thread: all find the same. */
static SymCategory
guess_category (const SymLayer *self)
{
  gint guess = g_atomic_int_get (&self->guess);

  if (guess == 0)
    {
      guess = (gint) sym_category_guess (self->type) + 1;
      g_atomic_int_set (&((SymLayer *) self)->guess, guess);
    }
  return (SymCategory) (guess - 1);
}

SymCategory
sym_layer_get_category (const SymLayer *self)
{
  if (self->op == NULL && (self->function != NULL || sym_layer_get_running_body (self) != NULL))
    return SYM_CATEGORY_CONTROL;
  return self->op != NULL ? self->op->category : guess_category (self);
}

void
sym_layer_add_body (SymLayer *self, const char *name, SymModel *body, gboolean runs)
{
  Body entry = { g_strdup (name), sym_model_ref (body), runs, 0 };

  if (self->bodies == NULL)
    {
      self->bodies = g_array_new (FALSE, FALSE, sizeof (Body));
      g_array_set_clear_func (self->bodies, clear_body);
    }
  g_array_append_val (self->bodies, entry);
}

guint
sym_layer_get_n_bodies (const SymLayer *self)
{
  return self->bodies == NULL ? 0 : self->bodies->len;
}

SymModel *
sym_layer_get_body (const SymLayer *self, guint i, const char **name)
{
  const Body *body;

  g_return_val_if_fail (i < sym_layer_get_n_bodies (self), NULL);

  body = &g_array_index (self->bodies, Body, i);
  if (name != NULL)
    *name = body->name;
  return body->model;
}

gboolean
sym_layer_get_body_runs (const SymLayer *self, guint i)
{
  g_return_val_if_fail (i < sym_layer_get_n_bodies (self), FALSE);

  return g_array_index (self->bodies, Body, i).runs;
}

void
sym_layer_set_body_captures (SymLayer *self, guint i, guint n)
{
  g_return_if_fail (i < sym_layer_get_n_bodies (self));
  g_return_if_fail (n <= sym_model_get_inputs (g_array_index (self->bodies, Body, i).model).n);

  g_array_index (self->bodies, Body, i).n_captures = n;
}

guint
sym_layer_get_body_captures (const SymLayer *self, guint i)
{
  g_return_val_if_fail (i < sym_layer_get_n_bodies (self), 0);

  return g_array_index (self->bodies, Body, i).n_captures;
}

guint
sym_layer_get_n_captures (const SymLayer *self)
{
  guint n = 0;

  for (guint i = 0; i < sym_layer_get_n_bodies (self); i++)
    n += sym_layer_get_body_captures (self, i);
  return n;
}

int
sym_layer_find_body (const SymLayer *self, const char *name)
{
  for (guint i = 0; i < sym_layer_get_n_bodies (self); i++)
    if (g_strcmp0 (g_array_index (self->bodies, Body, i).name, name) == 0)
      return (int) i;

  return -1;
}

void
sym_layer_get_body_operands (const SymLayer *self,
                             guint body,
                             guint n_operands,
                             int *operands,
                             guint n)
{
  guint n_captures = MIN (sym_layer_get_body_captures (self, body), n);
  guint n_formal = n_operands - MIN (sym_layer_get_n_captures (self), n_operands);
  guint first = n_formal;

  for (guint i = 0; i < body; i++)
    first += sym_layer_get_body_captures (self, i);
  for (guint i = 0; i < n; i++)
    operands[i] = i < n_formal || n_captures == 0 ? (int) MIN (i, G_MAXINT) : -1;
  if (self->op != NULL && self->op->get_body_operands != NULL)
    self->op->get_body_operands (self->attributes, body, operands, n - n_captures);
  for (guint i = 0; i < n_captures; i++)
    operands[n - n_captures + i] = (int) (first + i);
}

SymModel *
sym_layer_get_running_body (const SymLayer *self)
{
  for (guint i = 0; i < sym_layer_get_n_bodies (self); i++)
    if (g_array_index (self->bodies, Body, i).runs)
      return g_array_index (self->bodies, Body, i).model;

  return NULL;
}

void
sym_layer_add_parameter (SymLayer *self,
                         const char *name,
                         const SymType *type,
                         SymParameter *parameter)
{
  Parameter entry = { g_strdup (name), *type, sym_parameter_ref (parameter) };

  if (self->parameters == NULL)
    {
      self->parameters = g_array_new (FALSE, FALSE, sizeof (Parameter));
      g_array_set_clear_func (self->parameters, clear_parameter);
    }
  g_array_append_val (self->parameters, entry);
}

guint
sym_layer_get_n_parameters (const SymLayer *self)
{
  return self->parameters == NULL ? 0 : self->parameters->len;
}

SymParameter *
sym_layer_get_parameter (const SymLayer *self, guint i, const char **name, const SymType **type)
{
  const Parameter *parameter;

  g_return_val_if_fail (i < sym_layer_get_n_parameters (self), NULL);

  parameter = &g_array_index (self->parameters, Parameter, i);
  if (name != NULL)
    *name = parameter->name;
  if (type != NULL)
    *type = &parameter->type;
  return parameter->parameter;
}
