/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

#include "core/sym-progress.h"
#include "core/sym-rows.h"
#include "io/sym-json-private.h"
#include "io/sym-net-attributes.h"
#include "io/sym-net-keys.h"
#include "io/sym-net-missing.h"

/* A use of a key that nothing had made when the use was read. */
typedef struct {
  const SymNetKey *key;
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
  const char *name;
  SymRole role;
  SymType type;
  guint token;
  gboolean by_use;
} Declared;

typedef struct {
  SymId maker; /* the call that makes it, or SYM_NO_ID */
  guint used;  /* whether something uses it, or may do without: */
} Value;

/* What only has an effect is no output. */
#define PASSED_OVER 2

struct _SymNet {
  const SymIoSource *source;
  const SymJson *json;
  SymModelBuilder *builder;
  SymNetKeys *keys;
  SymNetKey *kept;              /* the key that was kept last; NULL for none */
  GArray *declared;             /* of Declared */
  SymRows *values;              /* of Value */
  SymRows *counts;              /* of Counts, per call */
  GStringChunk *strings;        /* names of the declared; NULL until there is one */
  SymNetAttributes *attributes; /* NULL until somebody asks */
  SymNetLastType last_type;
  GArray *pending; /* of Pending */
  SymNetMissing *missing;
  guint n_told; /* problems of the source that the builder has */
  gboolean has_outputs;
  gboolean expects_all;
};

static SymValue *
read_value (const SymJson *json, guint token, gpointer user_data)
{
  return sym_net_read_value (json, token);
}

SymNet *
sym_net_new (const SymIoSource *source, const SymJson *json, const char *format)
{
  SymNet *self = g_new0 (SymNet, 1);

  self->source = source;
  self->json = json;
  self->builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  self->keys = sym_net_keys_new ();
  self->declared = g_array_new (FALSE, FALSE, sizeof (Declared));
  self->values = sym_rows_new (sizeof (Value));
  self->counts = sym_rows_new (sizeof (Counts));
  self->last_type.type = SYM_TYPE_UNKNOWN;
  self->pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  self->missing = sym_net_missing_new ();
  sym_model_builder_set_name (self->builder, source->name);
  sym_model_builder_set_origin (self->builder, format, NULL, NULL);
  self->n_told = sym_problems_append_rest (sym_model_builder_get_problems (self->builder),
                                           source->problems, 0);
  return self;
}

void
sym_net_free (SymNet *self)
{
  g_clear_pointer (&self->builder, sym_model_builder_free);
  sym_net_keys_free (self->keys);
  g_array_unref (self->declared);
  sym_rows_free (self->values);
  sym_rows_free (self->counts);
  g_clear_pointer (&self->strings, g_string_chunk_free);
  g_clear_pointer (&self->attributes, sym_net_attributes_free);
  g_array_unref (self->pending);
  sym_net_missing_free (self->missing);
  g_free (self);
}

SymModelBuilder *
sym_net_get_builder (SymNet *self)
{
  return self->builder;
}

SymNetAttributes *
sym_net_get_attributes (SymNet *self)
{
  if (self->attributes == NULL)
    self->attributes = sym_net_attributes_new (read_value, NULL);
  return self->attributes;
}

SymNetLastType *
sym_net_get_last_type (SymNet *self)
{
  return &self->last_type;
}

const SymJson *
sym_net_get_json (const SymNet *self)
{
  return self->json;
}

guint
sym_net_get_line (const SymNet *self, guint token)
{
  return self->json == NULL ? (token == SYM_JSON_NONE ? 0 : token)
                            : sym_json_get_line (self->json, token);
}

gboolean
sym_net_visit (SymNet *self, guint container, SymNetVisit visit, gpointer user_data, GError **error)
{
  guint n = self->source->cancellable == NULL ? 0 : sym_json_count (self->json, container);
  guint at = 0;

  for (SymJsonIter i = sym_json_begin (self->json, container); sym_json_step (self->json, &i);)
    {
      if (sym_progress_step (self->source->cancellable, at++, n) &&
          g_cancellable_set_error_if_cancelled (self->source->cancellable, error))
        return FALSE;
      if (!visit (self, i.key, i.value, user_data, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Keys ---- */

static SymId
get_latest (const SymNetKey *key)
{
  return key == NULL ? SYM_NO_ID : key->last != SYM_NO_ID ? key->last : key->first;
}

static const Declared *
get_declared (const SymNet *self, const SymNetKey *key)
{
  return key == NULL || key->declared == 0
             ? NULL
             : &g_array_index (self->declared, Declared, key->declared - 1);
}

static SymNetKey *
find_key (const SymNet *self, const char *key)
{
  return sym_net_keys_find (self->keys, key, strlen (key));
}

static SymNetKey *
enter_key (SymNet *self, const char *key)
{
  if (self->kept != NULL && key == self->kept->text)
    return self->kept;
  return sym_net_keys_enter (self->keys, key, strlen (key));
}

const char *
sym_net_keep_key (SymNet *self, guint token)
{
  SymNetKey *key = sym_net_keys_enter_string (self->keys, self->json, token);

  if (key == NULL)
    return NULL;
  self->kept = key;
  return key->text;
}

SymId
sym_net_find (const SymNet *self, const char *key)
{
  return get_latest (find_key (self, key));
}

static const char *
keep (SymNet *self, const char *name)
{
  if (name == NULL)
    return NULL;
  if (self->strings == NULL)
    self->strings = g_string_chunk_new (4096);
  return g_string_chunk_insert (self->strings, name);
}

static Value *
get_value (SymNet *self, SymId value)
{
  return &g_array_index (self->values, Value, value);
}

static void
remember (SymNet *self, SymNetKey *key, SymId value, SymId maker)
{
  guint n = sym_model_builder_get_n_values (self->builder);

  while (self->values->len < n)
    {
      Value none = { SYM_NO_ID, FALSE };

      sym_rows_append (self->values, none);
    }
  get_value (self, value)->maker = maker;
  if (key != NULL)
    *(key->first == SYM_NO_ID ? &key->first : &key->last) = value;
}

static void
mark_used (SymNet *self, SymId value)
{
  get_value (self, value)->used = TRUE;
}

static void
add_pending (SymNet *self, const SymNetKey *key, SymId call, guint slot)
{
  Pending pending = { key, call, slot };

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
  remember (self, key == NULL ? NULL : enter_key (self, key), value, SYM_NO_ID);
  return value;
}

static void
declare (SymNet *self, SymNetKey *key, const Declared *declared)
{
  g_array_append_vals (self->declared, declared, 1);
  key->declared = self->declared->len;
}

void
sym_net_declare (SymNet *self,
                 const char *key,
                 const char *name,
                 SymRole role,
                 const SymType *type,
                 guint token)
{
  SymNetKey *known = enter_key (self, key);
  Declared declared = { NULL, role, type == NULL ? SYM_TYPE_UNKNOWN : *type, token, FALSE };

  if (known->declared != 0)
    return;
  declared.name = keep (self, name);
  declare (self, known, &declared);
}

SymType
sym_net_get_declared_type (SymNet *self, const char *key)
{
  const Declared *declared = get_declared (self, find_key (self, key));

  return declared == NULL ? sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN) : declared->type;
}

SymId
sym_net_add_declared (SymNet *self, const char *key, const char *name, SymRole role, guint token)
{
  const Declared *declared = get_declared (self, find_key (self, key));

  return sym_net_add_value (self, key, name, role, declared == NULL ? NULL : &declared->type,
                            token);
}

static void
note_call (SymNet *self, SymId call, guint token)
{
  Counts none = { 0, 0 };

  sym_model_builder_set_call_line (self->builder, call, sym_net_get_line (self, token));
  sym_rows_append (self->counts, none);
}

SymId
sym_net_add_layer (SymNet *self, const char *name, SymLayer *layer, guint token)
{
  SymId call = sym_model_builder_add_call (self->builder, name, layer, NULL, 0, 0);

  note_call (self, call, token);
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
  SymId call = sym_model_builder_add_new (self->builder, name, type, op, take_attributes);

  note_call (self, call, token);
  return call;
}

void
sym_net_note_dtype (SymAttributes *attributes, SymDType given, SymDType made)
{
  if (given != SYM_DTYPE_UNKNOWN && made != SYM_DTYPE_UNKNOWN && made != given)
    sym_attributes_set (attributes, "output_dtype", sym_value_new_dtype (made), NULL);
}

void
sym_net_add_operand_value (SymNet *self, SymId call, SymId value)
{
  g_array_index (self->counts, Counts, call).operands++;
  sym_model_builder_append_operand (self->builder, call, value);
  mark_used (self, value);
}

/* What is not known yet is entered, to be found later. */
static void
add_operand (SymNet *self, SymId call, const SymNetKey *key)
{
  SymId value = get_latest (key);
  guint slot = g_array_index (self->counts, Counts, call).operands++;

  sym_model_builder_append_operand (self->builder, call, value);
  if (value != SYM_NO_ID)
    mark_used (self, value);
  else if (key != NULL)
    add_pending (self, key, call, slot);
}

void
sym_net_add_operand_of (SymNet *self, SymId call, const char *text, gsize length)
{
  add_operand (self, call, text == NULL ? NULL : sym_net_keys_enter (self->keys, text, length));
}

void
sym_net_add_told_operand (SymNet *self,
                          SymId call,
                          const char *key,
                          SymRole role,
                          const SymType *type,
                          guint token)
{
  SymNetKey *known = enter_key (self, key);
  Declared use = { NULL, role, *type, token, TRUE };

  /* What is made piece by piece is another thing in each place. */
  if (known->first != SYM_NO_ID && known->last == SYM_NO_ID)
    sym_net_compare_types (self, token, key, type,
                           sym_model_builder_get_type (self->builder, known->first), TRUE);
  else if (known->declared == 0)
    declare (self, known, &use);
  else if (known->first == SYM_NO_ID)
    sym_net_compare_types (self, token, key, type, &get_declared (self, known)->type, FALSE);
  add_operand (self, call, known);
}

void
sym_net_add_operand (SymNet *self, SymId call, const char *key)
{
  sym_net_add_operand_of (self, call, key, key == NULL ? 0 : strlen (key));
}

static SymId
add_result (SymNet *self, SymId call, SymNetKey *key, const char *name, const SymType *type)
{
  const char *shown = name != NULL ? name : sym_model_builder_get_call_name (self->builder, call);
  const Declared *declared = get_declared (self, key);
  SymId value = sym_model_builder_append_result (self->builder, call, shown);

  if (key != NULL && key->first == SYM_NO_ID && type != NULL && declared != NULL &&
      declared->by_use)
    sym_net_compare_types (self, declared->token, key->text, &declared->type, type, TRUE);
  if (type != NULL || declared != NULL)
    sym_model_builder_set_type (self->builder, value, type != NULL ? type : &declared->type);
  g_array_index (self->counts, Counts, call).results++;
  remember (self, key, value, call);
  return value;
}

SymId
sym_net_add_result (SymNet *self,
                    SymId call,
                    const char *key,
                    const char *name,
                    const SymType *type)
{
  return add_result (self, call, key == NULL ? NULL : enter_key (self, key), name, type);
}

SymId
sym_net_add_result_of (SymNet *self, SymId call, const char *text, gsize length, gboolean named)
{
  SymNetKey *key = sym_net_keys_enter (self->keys, text, length);

  return add_result (self, call, key, named ? key->text : NULL, NULL);
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
  remember (self, enter_key (self, key), sym_model_builder_get_result (self->builder, call, 0),
            call);
}

void
sym_net_add_control (SymNet *self, SymId call, const char *key)
{
  add_pending (self, enter_key (self, key), call, CONTROL);
}

void
sym_net_add_output (SymNet *self, const char *key)
{
  self->has_outputs = TRUE;
  add_pending (self, enter_key (self, key), SYM_NO_ID, OUTPUT);
}

void
sym_net_add_output_value (SymNet *self, SymId value)
{
  self->has_outputs = TRUE;
  sym_model_builder_add_output (self->builder, value);
}

void
sym_net_pass_over (SymNet *self, SymId value)
{
  get_value (self, value)->used = PASSED_OVER;
}

void
sym_net_expect_all (SymNet *self)
{
  self->expects_all = TRUE;
}

/* ---- The end ---- */

/* What the file says that the key is; else an input. */
static SymId
add_missing (SymNet *self, const SymNetKey *key)
{
  const Declared *declared = get_declared (self, key);

  if (declared == NULL)
    return sym_net_add_value (self, key->text, NULL, SYM_ROLE_INPUT, NULL, SYM_JSON_NONE);
  return sym_net_add_value (self, key->text, declared->name,
                            declared->role == SYM_ROLE_INTERMEDIATE ? SYM_ROLE_INPUT
                                                                    : declared->role,
                            &declared->type, declared->token);
}

static void
note_missing (SymNet *self, const Pending *pending)
{
  const Declared *declared = get_declared (self, pending->key);
  SymNetMissingUse use = pending->slot == OUTPUT    ? SYM_NET_MISSING_OUTPUT
                         : pending->slot == CONTROL ? SYM_NET_MISSING_CONTROL
                                                    : SYM_NET_MISSING_OPERAND;

  if (pending->slot < CONTROL &&
      (declared == NULL ? !self->expects_all : declared->role != SYM_ROLE_INTERMEDIATE))
    return;
  sym_net_missing_add (self->missing, use, pending->key->text,
                       declared == NULL ? 0 : sym_net_get_line (self, declared->token),
                       pending->call);
}

static SymId
resolve (SymNet *self, const Pending *pending)
{
  SymId value = pending->slot == OUTPUT ? get_latest (pending->key) : pending->key->first;

  if (value != SYM_NO_ID)
    return value;
  note_missing (self, pending);
  if (pending->slot == CONTROL || (pending->slot == OUTPUT && pending->key->declared == 0))
    return SYM_NO_ID;
  return add_missing (self, pending->key);
}

static void
settle (SymNet *self, const Pending *pending)
{
  SymId value = resolve (self, pending);
  SymId maker = value == SYM_NO_ID ? SYM_NO_ID : get_value (self, value)->maker;

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

/* Those that were passed over only where there are no others. */
static void
find_outputs (SymNet *self)
{
  static const guint choices[] = { FALSE, PASSED_OVER };
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (choices) && !found; i++)
    for (SymId value = 0; value < self->values->len; value++)
      if (get_value (self, value)->maker != SYM_NO_ID &&
          get_value (self, value)->used == choices[i])
        {
          sym_model_builder_add_output (self->builder, value);
          found = TRUE;
        }
}

SymModel *
sym_net_end_body (SymNet *self, GPtrArray *captures, GError **error)
{
  for (guint i = 0; i < self->pending->len; i++)
    {
      const Pending *pending = &g_array_index (self->pending, Pending, i);

      if (pending->slot == CONTROL || pending->key->first != SYM_NO_ID ||
          pending->key->declared != 0)
        continue;
      sym_net_add_value (self, pending->key->text, NULL, SYM_ROLE_INPUT, NULL, SYM_JSON_NONE);
      g_ptr_array_add (captures, g_strdup (pending->key->text));
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
  sym_net_missing_tell (net->missing, sym_model_builder_get_problems (net->builder));
  if (!net->has_outputs)
    find_outputs (net);
  /* Some were found meanwhile, as in files of weights. */
  sym_problems_append_rest (sym_model_builder_get_problems (net->builder), net->source->problems,
                            net->n_told);
  return sym_model_builder_end (g_steal_pointer (&net->builder));
}
