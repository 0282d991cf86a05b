/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-private.h"

#include <string.h>

guint
sym_scene_get_n_bodies (const SymScene *self)
{
  return self->bodies->len;
}

const SymSceneBody *
sym_scene_get_body (const SymScene *self, guint body)
{
  g_return_val_if_fail (body < self->bodies->len, NULL);

  return &sym_scene_get_tables (self, body)->what;
}

guint
sym_scene_find_body (const SymScene *self, const char *path)
{
  gpointer body;

  if (*path == '\0')
    return 0;
  return g_hash_table_lookup_extended (self->body_paths, path, NULL, &body)
             ? GPOINTER_TO_UINT (body)
             : G_MAXUINT;
}

SymOpenBodies *
sym_scene_get_open_bodies (const SymScene *self)
{
  return self->open_bodies;
}

guint
sym_scene_get_n_left_closed (const SymScene *self)
{
  return self->n_left_closed;
}

guint
sym_scene_get_n_not_made (const SymScene *self)
{
  return self->n_not_made;
}

guint
sym_scene_get_item_around (const SymScene *self, guint body)
{
  const SymSceneBody *what = sym_scene_get_body (self, body);

  g_return_val_if_fail (body > 0, G_MAXUINT);

  return sym_scene_get_tables (self, what->parent)->call_items[what->call];
}

SymId
sym_scene_get_call_around (const SymScene *self, guint item)
{
  guint body = sym_scene_get_item (self, item)->body;
  SymId call = SYM_NO_ID;

  for (; body > 0; body = sym_scene_get_body (self, body)->parent)
    call = sym_scene_get_body (self, body)->call;
  return call;
}

char *
sym_scene_get_call_path (const SymScene *self, guint item)
{
  const SymSceneItem *what = sym_scene_get_item (self, item);

  return what->has_bodies
             ? sym_path_enter_call (sym_scene_get_body (self, what->body)->path, what->call)
             : NULL;
}

guint
sym_scene_find_call_path (const SymScene *self, const char *call_path)
{
  g_autofree char *around = sym_path_leave_call (call_path);
  const char *number = strrchr (call_path, '/');
  guint body = sym_scene_find_body (self, around);
  guint64 call;

  if (body == G_MAXUINT || !g_ascii_string_to_unsigned (number ? number + 1 : call_path, 10, 0,
                                                        G_MAXUINT32 - 1, &call, NULL))
    return G_MAXUINT;
  return sym_scene_find_call_in (self, body, (SymId) call);
}

SymModel *
sym_scene_get_item_model (const SymScene *self, guint item)
{
  return sym_scene_get_tables (self, sym_scene_get_item (self, item)->body)->model;
}

gboolean
sym_scene_is_hidden (const SymScene *self, guint body, SymId value)
{
  const SymSceneTables *tables = sym_scene_get_tables (self, body);

  return tables->is_hidden != NULL && value < sym_model_get_n_values (tables->model) &&
         tables->is_hidden[value];
}

guint
sym_scene_find_value_in (const SymScene *self, guint body, SymId value)
{
  const SymSceneTables *tables = sym_scene_get_tables (self, body);

  return value < sym_model_get_n_values (tables->model) ? tables->value_items[value] : G_MAXUINT;
}

guint
sym_scene_find_call_in (const SymScene *self, guint body, SymId call)
{
  const SymSceneTables *tables = sym_scene_get_tables (self, body);

  return call < sym_model_get_n_calls (tables->model) ? tables->call_items[call] : G_MAXUINT;
}
