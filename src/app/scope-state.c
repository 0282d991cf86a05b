/* SPDX-License-Identifier: MIT */
#include "app/scope-state.h"

#include "app/scope-shape-text.h"

typedef struct {
  SymId value;
  char *text;
  ScopeShapeText *parsed;
} Shape;

struct _ScopeState {
  gatomicrefcount ref_count;
  SymModel *model;
  GArray *marks[SCOPE_N_MARKS]; /* of SymId */
  GArray *shapes;               /* of Shape, in order of their values */
  GArray *overrides;            /* of SymOverride, each borrowing from its Shape */
};

static void
clear_shape (gpointer data)
{
  Shape *shape = data;

  g_free (shape->text);
  scope_shape_text_free (shape->parsed);
}

static void
rebuild_overrides (ScopeState *self)
{
  g_array_set_size (self->overrides, 0);
  for (guint i = 0; i < self->shapes->len; i++)
    {
      const Shape *shape = &g_array_index (self->shapes, Shape, i);
      SymOverride override = {
        .value = shape->value,
        .has_shape = TRUE,
        .shape = shape->parsed->shape,
        .names = (const char *const *) shape->parsed->names,
      };

      g_array_append_val (self->overrides, override);
    }
}

static ScopeState *

copy_state (const ScopeState *self)
{
  return scope_state_edit (self, self->model);
}

static gboolean
find_mark (const ScopeState *self, ScopeMark mark, SymId value, guint *index)
{
  for (guint i = 0; i < self->marks[mark]->len; i++)
    if (g_array_index (self->marks[mark], SymId, i) == value)
      {
        *index = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
find_shape (const ScopeState *self, SymId value, guint *index)
{
  guint low = 0, high = self->shapes->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->shapes, Shape, middle).value < value)
        low = middle + 1;
      else
        high = middle;
    }
  *index = low;
  return low < self->shapes->len && g_array_index (self->shapes, Shape, low).value == value;
}

/* Instead of that which the value has. */
static void
insert_shape (ScopeState *self, SymId value, const char *text, ScopeShapeText *take_parsed)
{
  Shape shape = { value, g_strdup (text), take_parsed };
  guint index;

  if (!find_shape (self, value, &index))
    {
      g_array_insert_val (self->shapes, index, shape);
      return;
    }
  clear_shape (&g_array_index (self->shapes, Shape, index));
  g_array_index (self->shapes, Shape, index) = shape;
}

static gboolean
is_blank (const char *text)
{
  return text == NULL || text[strspn (text, " \t")] == '\0';
}

ScopeState *
scope_state_new (SymModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);

  ScopeState *self = g_new0 (ScopeState, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  for (guint i = 0; i < SCOPE_N_MARKS; i++)
    self->marks[i] = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->shapes = g_array_new (FALSE, FALSE, sizeof (Shape));
  g_array_set_clear_func (self->shapes, clear_shape);
  self->overrides = g_array_new (FALSE, TRUE, sizeof (SymOverride));
  return self;
}

SymId
scope_state_find_same (SymModel *from, SymId value, SymModel *to)
{
  SymId same = SYM_NO_ID;

  if (value == SYM_NO_ID || !sym_model_has_value (from, value))
    return SYM_NO_ID;
  const char *name = sym_model_get_unique_name (from, value);

  if (name == NULL || !sym_model_resolve (to, name, &same, NULL) ||
      g_strcmp0 (sym_model_get_unique_name (to, same), name) != 0)
    return SYM_NO_ID;
  return same;
}

/* An unknown dimension is declared where any is typed. */
static gboolean
is_declared_dim (const SymTerms *terms, SymDim declared, const ScopeShapeText *typed, int i)
{
  g_autofree char *text = declared != SYM_DIM_UNKNOWN ? sym_terms_format (terms, declared) : NULL;

  if (typed->shape.dims[i] >= 0)
    return declared == typed->shape.dims[i];
  return g_strcmp0 (text, typed->names[i]) == 0;
}

gboolean
scope_state_is_declared_shape (SymModel *model, SymId value, const char *text)
{
  g_return_val_if_fail (model != NULL && text != NULL, FALSE);

  SymType type = sym_model_get_declared_type (model, value);
  g_autoptr (ScopeShapeText) typed = scope_shape_text_parse (text, NULL);

  if (typed == NULL || type.kind != SYM_KIND_TENSOR || type.shape.rank != typed->shape.rank)
    return FALSE;
  for (int i = 0; i < type.shape.rank; i++)
    if (!is_declared_dim (sym_model_get_terms (model), type.shape.dims[i], typed, i))
      return FALSE;
  return TRUE;
}

ScopeState *
scope_state_move (const ScopeState *self, SymModel *model)
{
  g_return_val_if_fail (self != NULL && model != NULL, NULL);

  ScopeState *moved = scope_state_new (model);

  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    for (guint i = 0; i < self->marks[mark]->len; i++)
      {
        SymId value =
            scope_state_find_same (self->model, g_array_index (self->marks[mark], SymId, i), model);

        if (value != SYM_NO_ID)
          g_array_append_val (moved->marks[mark], value);
      }
  for (guint i = 0; i < self->shapes->len; i++)
    {
      const Shape *old = &g_array_index (self->shapes, Shape, i);
      SymId value = scope_state_find_same (self->model, old->value, model);

      if (value != SYM_NO_ID && !scope_state_is_declared_shape (model, value, old->text))
        insert_shape (moved, value, old->text, scope_shape_text_parse (old->text, NULL));
    }
  rebuild_overrides (moved);
  return moved;
}

ScopeState *
scope_state_edit (const ScopeState *self, SymModel *model)
{
  g_return_val_if_fail (self != NULL && model != NULL, NULL);

  ScopeState *copy = scope_state_new (model);

  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    for (guint i = 0; i < self->marks[mark]->len; i++)
      {
        SymId value = g_array_index (self->marks[mark], SymId, i);

        if (sym_model_has_value (model, value))
          g_array_append_val (copy->marks[mark], value);
      }
  for (guint i = 0; i < self->shapes->len; i++)
    {
      const Shape *old = &g_array_index (self->shapes, Shape, i);

      if (sym_model_has_value (model, old->value))
        insert_shape (copy, old->value, old->text, scope_shape_text_parse (old->text, NULL));
    }
  rebuild_overrides (copy);
  return copy;
}

ScopeState *
scope_state_ref (ScopeState *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
scope_state_unref (ScopeState *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_model_unref (self->model);
  for (guint i = 0; i < SCOPE_N_MARKS; i++)
    g_array_unref (self->marks[i]);
  g_array_unref (self->overrides);
  g_array_unref (self->shapes);
  g_free (self);
}

SymModel *
scope_state_get_model (const ScopeState *self)
{
  return self->model;
}

SymIds
scope_state_get_marks (const ScopeState *self, ScopeMark mark)
{
  const GArray *marks = self->marks[mark];

  return (SymIds){ (const SymId *) (gconstpointer) marks->data, marks->len };
}

gboolean
scope_state_has_mark (const ScopeState *self, ScopeMark mark, SymId value)
{
  guint index;

  return find_mark (self, mark, value, &index);
}

ScopeState *
scope_state_toggle_mark (const ScopeState *self, ScopeMark mark, SymId value)
{
  g_return_val_if_fail (sym_model_has_value (self->model, value), NULL);

  ScopeState *copy = copy_state (self);
  guint index;

  if (find_mark (copy, mark, value, &index))
    g_array_remove_index (copy->marks[mark], index);
  else
    g_array_append_val (copy->marks[mark], value);
  return copy;
}

/* A set of ids plus one. */
static GHashTable *
collect_ids (SymIds values)
{
  GHashTable *set = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < values.n; i++)
    g_hash_table_add (set, GSIZE_TO_POINTER ((gsize) values.ids[i] + 1));
  return set;
}

static gboolean
has_id (GHashTable *set, SymId id)
{
  return g_hash_table_contains (set, GSIZE_TO_POINTER ((gsize) id + 1));
}

ScopeState *
scope_state_set_marks (const ScopeState *self, ScopeMark mark, SymIds values, gboolean is_marked)
{
  ScopeState *copy = copy_state (self);
  GArray *marks = copy->marks[mark];
  g_autoptr (GHashTable) set = NULL;

  if (is_marked)
    {
      set = collect_ids (scope_state_get_marks (self, mark));
      for (guint i = 0; i < values.n; i++)
        if (sym_model_has_value (self->model, values.ids[i]) && !has_id (set, values.ids[i]))
          g_array_append_val (marks, values.ids[i]);
      return copy;
    }
  set = collect_ids (values);
  g_array_set_size (marks, 0);
  for (guint i = 0; i < self->marks[mark]->len; i++)
    {
      SymId value = g_array_index (self->marks[mark], SymId, i);

      if (!has_id (set, value))
        g_array_append_val (marks, value);
    }
  return copy;
}

ScopeState *
scope_state_clear_marks (const ScopeState *self)
{
  ScopeState *copy = copy_state (self);

  for (guint i = 0; i < SCOPE_N_MARKS; i++)
    g_array_set_size (copy->marks[i], 0);
  return copy;
}

const char *
scope_state_get_shape_text (const ScopeState *self, SymId value)
{
  guint index;

  return find_shape (self, value, &index) ? g_array_index (self->shapes, Shape, index).text : NULL;
}

/* Without the overrides that follow from it. */
static gboolean
put_shape (ScopeState *self, SymId value, const char *text, GError **error)
{
  gboolean removes = is_blank (text);
  ScopeShapeText *parsed = removes ? NULL : scope_shape_text_parse (text, error);
  guint index;

  if (!removes && parsed == NULL)
    return FALSE;
  if (!removes)
    insert_shape (self, value, text, parsed);
  else if (find_shape (self, value, &index))
    g_array_remove_index (self->shapes, index);
  return TRUE;
}

ScopeState *
scope_state_set_shape_texts (const ScopeState *self,
                             const SymId *values,
                             const char *const *texts,
                             guint n,
                             GError **error)
{
  g_autoptr (ScopeState) copy = copy_state (self);

  for (guint i = 0; i < n; i++)
    {
      g_return_val_if_fail (sym_model_has_value (self->model, values[i]), NULL);
      if (!put_shape (copy, values[i], texts[i], error))
        return NULL;
    }
  rebuild_overrides (copy);
  return g_steal_pointer (&copy);
}

ScopeState *
scope_state_set_shape_text (const ScopeState *self, SymId value, const char *text, GError **error)
{
  return scope_state_set_shape_texts (self, &value, &text, 1, error);
}

gboolean
scope_state_has_same_shapes (const ScopeState *a, const ScopeState *b)
{
  if (a->model != b->model || a->shapes->len != b->shapes->len)
    return FALSE;
  for (guint i = 0; i < a->shapes->len; i++)
    {
      const Shape *shape = &g_array_index (a->shapes, Shape, i);

      if (g_strcmp0 (shape->text, scope_state_get_shape_text (b, shape->value)) != 0)
        return FALSE;
    }
  return TRUE;
}

const SymOverride *
scope_state_get_overrides (const ScopeState *self, guint *n)
{
  *n = self->overrides->len;
  return (const SymOverride *) (gconstpointer) self->overrides->data;
}
