/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-layout.h"

typedef struct {
  gboolean is_multi_line;
  guint n_items;
} Scope;

struct _SymMxnetLayout {
  GString *text;
  GArray *scopes; /* of Scope */
};

/* Where a walk over a document's value is. */
typedef struct {
  SymJsonIter iter;
  char closing;
} Walk;

SymMxnetLayout *
sym_mxnet_layout_new (void)
{
  SymMxnetLayout *self = g_new0 (SymMxnetLayout, 1);

  self->text = g_string_new (NULL);
  self->scopes = g_array_new (FALSE, FALSE, sizeof (Scope));
  return self;
}

void
sym_mxnet_layout_free (SymMxnetLayout *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->scopes);
  g_free (self);
}

const GString *
sym_mxnet_layout_get_text (const SymMxnetLayout *self)
{
  return self->text;
}

void
sym_mxnet_layout_end_line (SymMxnetLayout *self)
{
  g_string_append_c (self->text, '\n');
}

/* A new line where the scope that is open now has its items on lines of their own. */
static void
break_line (SymMxnetLayout *self)
{
  guint depth = self->scopes->len;

  if (depth > 0 && !g_array_index (self->scopes, Scope, depth - 1).is_multi_line)
    return;

  g_string_append_c (self->text, '\n');
  for (guint i = 0; i < depth; i++)
    g_string_append (self->text, "  ");
}

void
sym_mxnet_layout_begin (SymMxnetLayout *self, char bracket, gboolean is_multi_line)
{
  Scope scope = { is_multi_line, 0 };

  g_array_append_val (self->scopes, scope);
  g_string_append_c (self->text, bracket);
}

void
sym_mxnet_layout_end (SymMxnetLayout *self, char bracket)
{
  Scope scope = g_array_index (self->scopes, Scope, self->scopes->len - 1);

  g_array_set_size (self->scopes, self->scopes->len - 1);
  if (scope.is_multi_line && scope.n_items > 0)
    break_line (self);
  g_string_append_c (self->text, bracket);
}

void
sym_mxnet_layout_item (SymMxnetLayout *self)
{
  Scope *scope = &g_array_index (self->scopes, Scope, self->scopes->len - 1);

  if (scope->n_items++ > 0)
    g_string_append (self->text, ", ");
  break_line (self);
}

void
sym_mxnet_layout_key (SymMxnetLayout *self, const char *key)
{
  sym_mxnet_layout_item (self);
  sym_json_append_string (self->text, key);
  g_string_append (self->text, ": ");
}

void
sym_mxnet_layout_int (SymMxnetLayout *self, gint64 number)
{
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT, number);
}

void
sym_mxnet_layout_string (SymMxnetLayout *self, const char *text)
{
  sym_json_append_string (self->text, text);
}

static gboolean
is_multi_line (const SymJson *json, guint container)
{
  guint n = sym_json_count (json, container);

  if (sym_json_get_kind (json, container) == SYM_JSON_OBJECT)
    return n > 1;
  return n > SYM_MXNET_SHORT_ARRAY ||
         sym_json_get_kind (json, sym_json_get_element (json, container, 0)) == SYM_JSON_OBJECT;
}

static void
append_literal (SymMxnetLayout *self, const SymJson *json, guint value)
{
  gsize length;
  const char *text = sym_json_get_text (json, value, &length);

  g_string_append_len (self->text, text, (gssize) length);
}

static Walk
enter (SymMxnetLayout *self, const SymJson *json, guint container)
{
  gboolean is_object = sym_json_get_kind (json, container) == SYM_JSON_OBJECT;
  Walk walk = { sym_json_iterate (json, container), is_object ? '}' : ']' };

  sym_mxnet_layout_begin (self, is_object ? '{' : '[', is_multi_line (json, container));
  return walk;
}

static gboolean
is_container (const SymJson *json, guint value)
{
  SymJsonKind kind = sym_json_get_kind (json, value);

  return kind == SYM_JSON_ARRAY || kind == SYM_JSON_OBJECT;
}

void
sym_mxnet_layout_value (SymMxnetLayout *self, const SymJson *json, guint value)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Walk));
  Walk walk;

  if (!is_container (json, value))
    {
      append_literal (self, json, value);
      return;
    }

  walk = enter (self, json, value);
  g_array_append_val (stack, walk);
  while (stack->len > 0)
    {
      Walk *top = &g_array_index (stack, Walk, stack->len - 1);

      if (!sym_json_iter_next (json, &top->iter))
        {
          sym_mxnet_layout_end (self, top->closing);
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      sym_mxnet_layout_item (self);
      if (top->iter.key != SYM_JSON_NONE)
        {
          append_literal (self, json, top->iter.key);
          g_string_append (self->text, ": ");
        }
      if (!is_container (json, top->iter.value))
        {
          append_literal (self, json, top->iter.value);
          continue;
        }
      walk = enter (self, json, top->iter.value);
      g_array_append_val (stack, walk);
    }
}
