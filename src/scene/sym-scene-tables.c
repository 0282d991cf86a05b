/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-private.h"

guint *
sym_scene_new_indices (guint n)
{
  guint *indices = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    indices[i] = G_MAXUINT;
  return indices;
}

static guint8 *
mark (SymIds ids, guint n_values)
{
  guint8 *marks = g_new0 (guint8, MAX (n_values, 1));

  for (guint i = 0; i < ids.n; i++)
    marks[ids.ids[i]] = 1;
  return marks;
}

SymSceneTables *
sym_scene_tables_new (SymInference *inference, SymIds inputs, SymIds outputs)
{
  SymSceneTables *self = g_new0 (SymSceneTables, 1);
  SymModel *model = sym_inference_get_model (inference);
  guint n_values = sym_model_get_n_values (model);

  self->what.inference = sym_inference_ref (inference);
  self->what.call = SYM_NO_ID;
  self->what.name = self->what.path = self->what.prefix = "";
  self->what.frame = SYM_NO_FRAME;
  self->model = model;
  self->value_items = sym_scene_new_indices (n_values);
  self->call_items = sym_scene_new_indices (sym_model_get_n_calls (model));
  self->value_boxes = g_new0 (guint, MAX (n_values, 1));
  self->last_users = g_new0 (guint, MAX (n_values, 1));
  self->is_input = mark (inputs, n_values);
  self->is_output = mark (outputs, n_values);
  return self;
}

void
sym_scene_tables_settle (SymSceneTables *self)
{
  g_clear_pointer (&self->value_boxes, g_free);
  g_clear_pointer (&self->last_users, g_free);
  g_clear_pointer (&self->is_input, g_free);
  g_clear_pointer (&self->is_output, g_free);
  g_clear_pointer (&self->value_rows, g_free);
  g_clear_pointer (&self->operands, g_free);
}

void
sym_scene_tables_free (SymSceneTables *self)
{
  sym_scene_tables_settle (self);
  g_free (self->value_items);
  g_free (self->call_items);
  g_free (self->is_hidden);
  sym_inference_unref (self->what.inference);
  g_free (self);
}

const SymSceneTables *
sym_scene_get_tables (const SymScene *self, guint body)
{
  return self->bodies->pdata[body];
}
