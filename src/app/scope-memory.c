/* SPDX-License-Identifier: MIT */
#include "app/scope-memory.h"

#include <math.h>
#include <string.h>

#include "app/scope-draft.h"
#include "app/scope-names.h"
#include "core/sym-extract.h"
#include "query/sym-open-bodies.h"

struct _ScopeMemory {
  gatomicrefcount ref_count;
  ScopeMiddle middle;
  SymDrawing drawing;
  SymDirection direction;
  SymLabels labels;
  char *selected; /* "" for nothing */
  char **groups;  /* keys of those that were open; NULL: not known */
  char **layers;  /* likewise of calls whose bodies were */
  char **marks[SCOPE_N_MARKS];
  char **shapes;      /* a name and the text that was typed, by turns */
  ScopeDraft *draft;  /* NULL for none */
  gboolean is_edited; /* something is not saved */
};

static ScopeMemory *
create (void)
{
  ScopeMemory *self = g_new0 (ScopeMemory, 1);

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

static const char *const mark_keys[SCOPE_N_MARKS] = {
  [SCOPE_MARK_OUTPUT] = "outputs",
  [SCOPE_MARK_INPUT] = "inputs",
};

/* ---- Groups: by how deep they lie, and their first call ---- */

static char *
format_group (const SymGroups *groups, SymModel *names, guint group, const guint *depths)
{
  SymIds calls = sym_groups_get_calls (groups, group);
  const char *name = calls.n > 0 ? scope_names_get_call (names, calls.ids[0]) : NULL;

  return name != NULL ? g_strdup_printf ("%u %s", depths[group], name) : NULL;
}

/* A parent comes before the groups within it. */
static guint *
count_depths (const SymGroups *groups)
{
  guint n = sym_groups_get_n (groups);
  guint *depths = g_new0 (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      guint parent = sym_groups_get (groups, i)->parent;

      depths[i] = parent == SYM_NO_GROUP ? 0 : depths[parent] + 1;
    }
  return depths;
}

/* Only what is seen open: to open a group is to open all around it. */
static char **
list_groups (const SymFolding *folding, SymModel *names)
{
  const SymGroups *groups = sym_folding_get_groups (folding);
  guint n = sym_groups_get_n (groups);
  g_autofree guint *depths = count_depths (groups);
  g_autofree gboolean *is_seen = g_new0 (gboolean, MAX (n, 1));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < n; i++)
    {
      guint parent = sym_groups_get (groups, i)->parent;

      is_seen[i] = sym_folding_is_open (folding, i) && (parent == SYM_NO_GROUP || is_seen[parent]);
      if (!is_seen[i])
        continue;
      g_autofree char *key = format_group (groups, names, i, depths);

      if (key != NULL)
        g_strv_builder_add (builder, key);
    }
  return g_strv_builder_end (builder);
}

static GHashTable *
index_keys (char **keys)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; keys[i] != NULL; i++)
    g_hash_table_add (index, keys[i]);
  return index;
}

SymFolding *
scope_memory_create_folding (const ScopeMemory *self, SymGroups *groups)
{
  if (self->groups == NULL)
    return NULL;
  guint n = sym_groups_get_n (groups);
  g_autofree guint8 *is_open = g_new0 (guint8, n + 1);
  g_autofree guint *depths = count_depths (groups);
  g_autoptr (GHashTable) open = index_keys (self->groups);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = format_group (groups, sym_groups_get_model (groups), i, depths);

      is_open[i] = key != NULL && g_hash_table_contains (open, key);
    }
  return sym_folding_new_flagged (groups, is_open);
}

/* ---- Bodies: the name of the outermost call, and the rest of the path ---- */

static char *
format_layer (SymModel *names, const char *path)
{
  char *rest = NULL;
  guint64 call = g_ascii_strtoull (path, &rest, 10);
  const char *name = call < SYM_NO_ID && sym_model_has_call (names, (SymId) call)
                         ? scope_names_get_call (names, (SymId) call)
                         : NULL;

  return name != NULL ? g_strconcat (rest, " ", name, NULL) : NULL;
}

static char **
list_layers (SymModel *names, const SymOpenBodies *open)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = sym_open_bodies_list (open);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *key = format_layer (names, paths[i]);

      if (key != NULL)
        g_strv_builder_add (builder, key);
    }
  return g_strv_builder_end (builder);
}

/* Calls are told by numbers, bodies by letters; a file could have anything. */
static gboolean
is_path (const char *rest)
{
  return *rest == '\0' || rest[strspn (rest, "abcdefghijklmnopqrstuvwxyz/0123456789")] == '\0';
}

SymOpenBodies *
scope_memory_create_open_bodies (const ScopeMemory *self, SymModel *model)
{
  SymOpenBodies *open = sym_open_bodies_new ();

  for (guint i = 0; self->layers != NULL && self->layers[i] != NULL; i++)
    {
      const char *space = strchr (self->layers[i], ' ');
      SymId call = space != NULL ? scope_names_find_call (model, space + 1) : SYM_NO_ID;

      if (call == SYM_NO_ID)
        continue;
      g_autofree char *rest = g_strndup (self->layers[i], (gsize) (space - self->layers[i]));
      g_autofree char *path = g_strdup_printf ("%u%s", call, rest);

      if (!is_path (rest))
        continue;
      SymOpenBodies *next = sym_open_bodies_open (open, path);

      sym_open_bodies_unref (open);
      open = next;
    }
  return open;
}

/* ---- Selection and decisions ---- */

const char *
scope_memory_get_selected (const ScopeMemory *self)
{
  return self->selected != NULL && *self->selected != '\0' ? self->selected : NULL;
}

SymId
scope_memory_find_selected (const ScopeMemory *self, SymModel *model)
{
  return scope_names_find_value (model, self->selected);
}

static char **
list_marks (const ScopeState *state, SymModel *names, ScopeMark mark)
{
  SymIds marks = scope_state_get_marks (state, mark);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < marks.n; i++)
    g_strv_builder_add (builder, sym_model_get_unique_name (names, marks.ids[i]));
  return g_strv_builder_end (builder);
}

static char **
list_shapes (const ScopeState *state)
{
  SymModel *model = scope_state_get_model (state);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n;
  const SymOverride *overrides = scope_state_get_overrides (state, &n);

  for (guint i = 0; i < n; i++)
    {
      g_strv_builder_add (builder, sym_model_get_unique_name (model, overrides[i].value));
      g_strv_builder_add (builder, scope_state_get_shape_text (state, overrides[i].value));
    }
  return g_strv_builder_end (builder);
}

/* Takes what it is given and what it gives. */
static ScopeState *
replace (ScopeState *state, ScopeState *next)
{
  if (next == NULL)
    return state;
  scope_state_unref (state);
  return next;
}

static ScopeState *
set_shapes (const ScopeMemory *self, ScopeState *take_state, guint *n_lost)
{
  ScopeState *state = take_state;
  SymModel *model = scope_state_get_model (state);

  for (guint i = 0; self->shapes != NULL && self->shapes[i] != NULL && self->shapes[i + 1] != NULL;
       i += 2)
    {
      SymId value = scope_names_find_value (model, self->shapes[i]);
      const char *text = self->shapes[i + 1];

      if (value != SYM_NO_ID && scope_state_is_declared_shape (model, value, text))
        continue;
      ScopeState *next =
          value != SYM_NO_ID ? scope_state_set_shape_text (state, value, text, NULL) : NULL;

      if (next == NULL)
        ++*n_lost;
      state = replace (state, next);
    }
  return state;
}

ScopeState *
scope_memory_create_state (const ScopeMemory *self, SymModel *read, guint *n_lost)
{
  g_autoptr (SymModel) model = scope_draft_apply (self->draft, read, n_lost);
  ScopeState *state = scope_state_new (model);

  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    for (guint i = 0; self->marks[mark] != NULL && self->marks[mark][i] != NULL; i++)
      {
        SymId value = scope_names_find_value (model, self->marks[mark][i]);

        if (value != SYM_NO_ID && !scope_state_has_mark (state, (ScopeMark) mark, value))
          state = replace (state, scope_state_toggle_mark (state, (ScopeMark) mark, value));
      }
  state = set_shapes (self, state, n_lost);
  if (!self->is_edited) /* shapes were the file's own */
    *n_lost = 0;
  return state;
}

/* ---- The whole ---- */

/* In names of @names, whose ids are the document's. */
static ScopeMemory *
create_place (ScopeDocument *document, const ScopeMiddle *middle, SymModel *names)
{
  SymFolding *folding = scope_document_get_folding (document);
  SymId selected = scope_document_get_selected_value (document);
  const ScopeView *view = scope_document_get_view (document);
  ScopeMemory *self = create ();

  self->middle = *middle;
  self->drawing = view->drawing;
  self->direction = view->direction;
  self->labels = view->labels;
  self->selected =
      g_strdup (selected != SYM_NO_ID ? sym_model_get_unique_name (names, selected) : "");
  self->groups = folding != NULL ? list_groups (folding, names) : NULL;
  self->layers = list_layers (names, scope_document_get_open_bodies (document));
  return self;
}

ScopeMemory *
scope_memory_new_place (ScopeDocument *document, const ScopeMiddle *middle)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document) && middle != NULL, NULL);

  SymModel *model = scope_document_get_model (document);

  return model != NULL ? create_place (document, middle, model) : NULL;
}

static ScopeMemory *
create_marked (ScopeDocument *document, const ScopeMiddle *middle, SymModel *names)
{
  ScopeMemory *self = create_place (document, middle, names);

  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    self->marks[mark] = list_marks (scope_document_get_state (document), names, (ScopeMark) mark);
  return self;
}

ScopeMemory *
scope_memory_new_saved (ScopeDocument *document, const ScopeMiddle *middle)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document) && middle != NULL, NULL);

  SymModel *saved = scope_document_get_saved_model (document);

  return saved != NULL ? create_marked (document, middle, saved) : NULL;
}

ScopeMemory *
scope_memory_new (ScopeDocument *document, const ScopeMiddle *middle)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document) && middle != NULL, NULL);

  SymModel *model = scope_document_get_model (document);
  SymModel *saved = scope_document_get_saved_model (document);
  ScopeMemory *self;

  if (model == NULL)
    return NULL;
  self = create_marked (document, middle, model);
  self->shapes = list_shapes (scope_document_get_state (document));
  self->is_edited = scope_document_is_modified (document);
  if (saved != NULL)
    self->draft = scope_draft_new (saved, model);
  return self;
}

gboolean
scope_memory_has_edits (const ScopeMemory *self)
{
  return self->is_edited;
}

ScopeMemory *
scope_memory_ref (ScopeMemory *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
scope_memory_unref (ScopeMemory *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->selected);
  g_strfreev (self->groups);
  g_strfreev (self->layers);
  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    g_strfreev (self->marks[mark]);
  g_strfreev (self->shapes);
  g_clear_pointer (&self->draft, scope_draft_free);
  g_free (self);
}

static void
save_list (GKeyFile *file, const char *group, const char *key, char **list)
{
  if (list != NULL)
    g_key_file_set_string_list (file, group, key, (const char *const *) list, g_strv_length (list));
  else
    g_key_file_remove_key (file, group, key, NULL);
}

void
scope_memory_save_decisions (const ScopeMemory *self, GKeyFile *file, const char *group)
{
  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    save_list (file, group, mark_keys[mark], self->marks[mark]);
  save_list (file, group, "shapes", self->shapes);
  g_key_file_set_boolean (file, group, "edited", self->is_edited);
  scope_draft_save (self->draft, file, group);
}

void
scope_memory_save (const ScopeMemory *self, GKeyFile *file, const char *group)
{
  g_key_file_set_double (file, group, "x", self->middle.x);
  g_key_file_set_double (file, group, "y", self->middle.y);
  g_key_file_set_double (file, group, "scale", self->middle.scale);
  g_key_file_set_boolean (file, group, "fitted", self->middle.is_fitted);
  g_key_file_set_integer (file, group, "drawing", (int) self->drawing);
  g_key_file_set_integer (file, group, "direction", (int) self->direction);
  g_key_file_set_integer (file, group, "labels", (int) self->labels);
  g_key_file_set_string (file, group, "selected", self->selected != NULL ? self->selected : "");
  save_list (file, group, "groups", self->groups);
  save_list (file, group, "layers", self->layers);
  scope_memory_save_decisions (self, file, group);
}

static double
load_double (GKeyFile *file, const char *group, const char *key)
{
  double number = g_key_file_get_double (file, group, key, NULL);

  return isfinite (number) ? number : 0;
}

ScopeMemory *
scope_memory_load (GKeyFile *file, const char *group)
{
  ScopeMemory *self = create ();
  int drawing = g_key_file_get_integer (file, group, "drawing", NULL);
  int direction = g_key_file_get_integer (file, group, "direction", NULL);

  self->middle.x = load_double (file, group, "x");
  self->middle.y = load_double (file, group, "y");
  self->middle.scale = MAX (0, load_double (file, group, "scale"));
  self->middle.is_fitted = g_key_file_get_boolean (file, group, "fitted", NULL);
  self->drawing = drawing == SYM_DRAWING_LAYERS ? SYM_DRAWING_LAYERS : SYM_DRAWING_DATA;
  self->direction = direction == SYM_DIRECTION_RIGHT ? SYM_DIRECTION_RIGHT : SYM_DIRECTION_DOWN;
  self->labels = (SymLabels) g_key_file_get_integer (file, group, "labels", NULL) &
                 (SYM_LABEL_NAME | SYM_LABEL_VARIABLE | SYM_LABEL_SHAPE | SYM_LABEL_DTYPE);
  self->selected = g_key_file_get_string (file, group, "selected", NULL);
  self->groups = g_key_file_get_string_list (file, group, "groups", NULL, NULL);
  self->layers = g_key_file_get_string_list (file, group, "layers", NULL, NULL);
  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    self->marks[mark] = g_key_file_get_string_list (file, group, mark_keys[mark], NULL, NULL);
  self->shapes = g_key_file_get_string_list (file, group, "shapes", NULL, NULL);
  self->draft = scope_draft_load (file, group);
  self->is_edited = g_key_file_get_boolean (file, group, "edited", NULL);
  return self;
}

ScopeMiddle
scope_memory_get_middle (const ScopeMemory *self)
{
  return self->middle;
}

ScopeView
scope_memory_get_view (const ScopeMemory *self, const ScopeView *view)
{
  ScopeView own = *view;

  own.drawing = self->drawing;
  own.direction = self->direction;
  own.labels = self->labels;
  return own;
}
