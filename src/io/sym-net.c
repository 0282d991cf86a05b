/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include "core/sym-progress.h"

/* A use of a key that nothing had made when the use was read. */
typedef struct {
  char *key;
  SymId call;
  guint slot; /* or one of these: */
} Pending;

#define OUTPUT G_MAXUINT
#define CONTROL (G_MAXUINT - 1)

typedef struct {
  guint operands, results;
} Counts;

/* What a key is if no layer makes it. */
typedef struct {
  char *name;
  SymRole role;
  SymType type;
  guint token;
} Declared;

struct _SymNet {
  const SymIoSource *source;
  const SymJson *json;
  SymModelBuilder *builder;
  GHashTable *first;  /* key to id + 1 of what was made first under it */
  GHashTable *last;   /* the same of what was made last, where that is something else */
  GHashTable *declared; /* key to Declared */
  GHashTable *used;   /* ids that something uses */
  GArray *makers;     /* per value: the call that makes it, or SYM_NO_ID */
  GArray *counts;     /* of Counts, per call */
  GPtrArray *names;   /* per call */
  GArray *pending;    /* of Pending */
  gboolean has_outputs;
  gboolean expects_all;
};

static void
clear_pending (gpointer data)
{
  g_free (((Pending *) data)->key);
}

static void
free_declared (gpointer data)
{
  Declared *self = data;

  g_free (self->name);
  g_free (self);
}

SymNet *
sym_net_new (const SymIoSource *source, const SymJson *json, const char *format)
{
  SymNet *self = g_new0 (SymNet, 1);

  self->source = source;
  self->json = json;
  self->builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  self->first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->declared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_declared);
  self->used = g_hash_table_new (NULL, NULL);
  self->makers = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->counts = g_array_new (FALSE, FALSE, sizeof (Counts));
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  g_array_set_clear_func (self->pending, clear_pending);
  sym_model_builder_set_name (self->builder, source->name);
  sym_model_builder_set_origin (self->builder, format, NULL, NULL);
  sym_problems_append (sym_model_builder_get_problems (self->builder), source->problems);
  return self;
}

void
sym_net_free (SymNet *self)
{
  g_clear_pointer (&self->builder, sym_model_builder_free);
  g_hash_table_unref (self->first);
  g_hash_table_unref (self->last);
  g_hash_table_unref (self->declared);
  g_hash_table_unref (self->used);
  g_array_unref (self->makers);
  g_array_unref (self->counts);
  g_ptr_array_unref (self->names);
  g_array_unref (self->pending);
  g_free (self);
}

SymModelBuilder *
sym_net_get_builder (SymNet *self)
{
  return self->builder;
}

const SymJson *
sym_net_get_json (const SymNet *self)
{
  return self->json;
}

guint
sym_net_get_line (const SymNet *self, guint token)
{
  return self->json == NULL ? (token == SYM_JSON_NONE ? 0 : token) : sym_json_get_line (self->json, token);
}

gboolean
sym_net_visit (SymNet *self,
               guint container,
               SymNetVisit visit,
               gpointer user_data,
               GError **error)
{
  guint n = sym_json_count (self->json, container), at = 0;

  for (SymJsonIter i = sym_json_iterate (self->json, container); sym_json_iter_next (self->json, &i);)
    {
      if (sym_progress_step (self->source->cancellable, at++, n)
          && g_cancellable_set_error_if_cancelled (self->source->cancellable, error))
        return FALSE;
      if (!visit (self, i.key, i.value, user_data, error))
        return FALSE;
    }
  return TRUE;
}

void
sym_net_warn (SymNet *self, guint token, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sym_problems_add (sym_model_builder_get_problems (self->builder), SYM_SEVERITY_WARNING,
                    sym_net_get_line (self, token), SYM_NO_ID, SYM_NO_ID, "%s", message);
}

/* ---- Keys ---- */

static SymId
look_up (GHashTable *table, const char *key)
{
  gpointer found = g_hash_table_lookup (table, key);

  return found == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (found) - 1;
}

SymId
sym_net_find (const SymNet *self, const char *key)
{
  SymId last = look_up (self->last, key);

  return last != SYM_NO_ID ? last : look_up (self->first, key);
}

static void
remember (SymNet *self, const char *key, SymId value, SymId maker)
{
  guint n = sym_model_builder_get_n_values (self->builder);

  while (self->makers->len < n)
    {
      const SymId none = SYM_NO_ID;

      g_array_append_val (self->makers, none);
    }
  g_array_index (self->makers, SymId, value) = maker;
  if (key != NULL)
    g_hash_table_insert (look_up (self->first, key) == SYM_NO_ID ? self->first : self->last,
                         g_strdup (key), GUINT_TO_POINTER (value + 1));
}

static void
mark_used (SymNet *self, SymId value)
{
  g_hash_table_add (self->used, GUINT_TO_POINTER (value));
}

static void
add_pending (SymNet *self, const char *key, SymId call, guint slot)
{
  Pending pending = { g_strdup (key), call, slot };

  g_array_append_val (self->pending, pending);
}

/* ---- Values and calls ---- */

SymId
sym_net_add_value (SymNet *self,
                   const char *key,
                   const char *name,
                   SymRole role,
                   const SymType *type,
                   guint token)
{
  SymId value = sym_model_builder_add_value (self->builder, name == NULL ? key : name, role, type);

  sym_model_builder_set_value_line (self->builder, value, sym_net_get_line (self, token));
  remember (self, key, value, SYM_NO_ID);
  return value;
}

void
sym_net_declare (SymNet *self,
                 const char *key,
                 const char *name,
                 SymRole role,
                 const SymType *type,
                 guint token)
{
  Declared *declared;

  if (g_hash_table_contains (self->declared, key))
    return;
  declared = g_new0 (Declared, 1);
  declared->name = g_strdup (name);
  declared->role = role;
  declared->type = type == NULL ? SYM_TYPE_UNKNOWN : *type;
  declared->token = token;
  g_hash_table_insert (self->declared, g_strdup (key), declared);
}

SymId
sym_net_add_declared (SymNet *self, const char *key, const char *name, SymRole role, guint token)
{
  const Declared *declared = g_hash_table_lookup (self->declared, key);

  return sym_net_add_value (self, key, name, role, declared == NULL ? NULL : &declared->type, token);
}

SymId
sym_net_add_layer (SymNet *self, const char *name, SymLayer *layer, guint token)
{
  SymId call = sym_model_builder_add_call (self->builder, name, layer, NULL, 0, 0);
  Counts none = { 0, 0 };

  sym_model_builder_set_call_line (self->builder, call, sym_net_get_line (self, token));
  g_array_append_val (self->counts, none);
  g_ptr_array_add (self->names, g_strdup (name));
  return call;
}

SymId
sym_net_add_call (SymNet *self,
                  const char *name,
                  const char *type,
                  const SymOperator *op,
                  SymAttributes *take_attributes,
                  guint token)
{
  g_autoptr (SymAttributes) attributes = take_attributes;
  g_autoptr (SymLayer) layer = sym_layer_new (type, op, attributes);

  sym_layer_set_name (layer, name);
  return sym_net_add_layer (self, name, layer, token);
}

void
sym_net_add_operand (SymNet *self, SymId call, const char *key)
{
  SymId value = key == NULL ? SYM_NO_ID : sym_net_find (self, key);
  guint slot = g_array_index (self->counts, Counts, call).operands++;

  sym_model_builder_append_operand (self->builder, call, value);
  if (value != SYM_NO_ID)
    mark_used (self, value);
  else if (key != NULL)
    add_pending (self, key, call, slot);
}

SymId
sym_net_add_result (SymNet *self, SymId call, const char *key, const char *name, const SymType *type)
{
  const char *shown = name != NULL ? name : g_ptr_array_index (self->names, call);
  const Declared *declared
    = key == NULL || type != NULL ? NULL : g_hash_table_lookup (self->declared, key);
  SymId value = sym_model_builder_append_result (self->builder, call, shown);

  if (type != NULL || declared != NULL)
    sym_model_builder_set_type (self->builder, value, type != NULL ? type : &declared->type);
  g_array_index (self->counts, Counts, call).results++;
  remember (self, key, value, call);
  return value;
}

guint
sym_net_count_operands (const SymNet *self, SymId call)
{
  return g_array_index (self->counts, Counts, call).operands;
}

guint
sym_net_count_results (const SymNet *self, SymId call)
{
  return g_array_index (self->counts, Counts, call).results;
}

void
sym_net_add_alias (SymNet *self, const char *key, SymId call)
{
  remember (self, key, sym_model_builder_get_result (self->builder, call, 0), call);
}

void
sym_net_add_control (SymNet *self, SymId call, const char *key)
{
  add_pending (self, key, call, CONTROL);
}

void
sym_net_add_output (SymNet *self, const char *key)
{
  self->has_outputs = TRUE;
  add_pending (self, key, SYM_NO_ID, OUTPUT);
}

void
sym_net_expect_all (SymNet *self)
{
  self->expects_all = TRUE;
}

/* ---- The end ---- */

/* What the file says that the key is; else an input. */
static SymId
add_missing (SymNet *self, const char *key)
{
  const Declared *declared = g_hash_table_lookup (self->declared, key);

  if (declared == NULL)
    return sym_net_add_value (self, key, NULL, SYM_ROLE_INPUT, NULL, SYM_JSON_NONE);
  return sym_net_add_value (self, key, declared->name,
                            declared->role == SYM_ROLE_INTERMEDIATE ? SYM_ROLE_INPUT
                                                                    : declared->role,
                            &declared->type, declared->token);
}

static void
tell_missing (SymNet *self, const Pending *pending)
{
  const Declared *declared = g_hash_table_lookup (self->declared, pending->key);
  const char *effect = pending->slot == OUTPUT    ? ", which is to be an output"
                       : pending->slot == CONTROL ? ", which is to come before"
                                                  : ": it is taken for an input";

  if (pending->slot < CONTROL
      && (declared == NULL ? !self->expects_all : declared->role != SYM_ROLE_INTERMEDIATE))
    return;
  sym_problems_add (sym_model_builder_get_problems (self->builder), SYM_SEVERITY_WARNING,
                    declared == NULL ? 0 : sym_net_get_line (self, declared->token), SYM_NO_ID,
                    pending->call, "nothing in the file makes '%s'%s", pending->key, effect);
}

static SymId
resolve (SymNet *self, const Pending *pending)
{
  SymId value = pending->slot == OUTPUT ? sym_net_find (self, pending->key)
                                        : look_up (self->first, pending->key);

  if (value != SYM_NO_ID)
    return value;
  tell_missing (self, pending);
  if (pending->slot == CONTROL
      || (pending->slot == OUTPUT && !g_hash_table_contains (self->declared, pending->key)))
    return SYM_NO_ID;
  return add_missing (self, pending->key);
}

static void
settle (SymNet *self, const Pending *pending)
{
  SymId value = resolve (self, pending);
  SymId maker = value == SYM_NO_ID ? SYM_NO_ID : g_array_index (self->makers, SymId, value);

  if (pending->slot == OUTPUT && value != SYM_NO_ID)
    sym_model_builder_add_output (self->builder, value);
  else if (pending->slot == CONTROL && maker != SYM_NO_ID)
    sym_model_builder_add_control (self->builder, pending->call, maker);
  else if (pending->slot < CONTROL)
    {
      sym_model_builder_set_operand (self->builder, pending->call, pending->slot, value);
      mark_used (self, value);
    }
}

static void
find_outputs (SymNet *self)
{
  for (SymId value = 0; value < self->makers->len; value++)
    if (g_array_index (self->makers, SymId, value) != SYM_NO_ID
        && !g_hash_table_contains (self->used, GUINT_TO_POINTER (value)))
      sym_model_builder_add_output (self->builder, value);
}

SymModel *
sym_net_end_body (SymNet *self, GPtrArray *captures, GError **error)
{
  for (guint i = 0; i < self->pending->len; i++)
    {
      const Pending *pending = &g_array_index (self->pending, Pending, i);

      if (pending->slot == CONTROL || sym_net_find (self, pending->key) != SYM_NO_ID
          || g_hash_table_contains (self->declared, pending->key))
        continue;
      sym_net_add_value (self, pending->key, NULL, SYM_ROLE_INPUT, NULL, SYM_JSON_NONE);
      g_ptr_array_add (captures, g_strdup (pending->key));
    }
  return sym_net_end (self, error);
}

SymModel *
sym_net_end (SymNet *self, GError **error)
{
  g_autoptr (SymNet) net = self;

  if (g_cancellable_set_error_if_cancelled (net->source->cancellable, error))
    return NULL;
  for (guint i = 0; i < net->pending->len; i++)
    settle (net, &g_array_index (net->pending, Pending, i));
  if (!net->has_outputs)
    find_outputs (net);
  return sym_model_builder_end (g_steal_pointer (&net->builder));
}
