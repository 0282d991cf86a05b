/* SPDX-License-Identifier: MIT */
#include "io/sym-model-explorer-private.h"

#include <string.h>

/* A node of the file when it is written again: what of its lists stays as it was. */

static const char *const type_keys[] = { "tensor_shape", "tensor_dtype", "shape", "dtype", NULL };
static const char *const model_keys[] = { "tensor_name", SYM_MODEL_EXPLORER_ROLE,
                                          SYM_MODEL_EXPLORER_OUTPUT, SYM_MODEL_EXPLORER_TRAINABLE,
                                          NULL };

void
sym_model_explorer_kept_init (SymModelExplorerKept *self, const SymJson *json, guint node)
{
  guint outputs = sym_json_get_member (json, node, "outputsMetadata");

  *self = (SymModelExplorerKept){ .json = json, .node = node };
  if (node == SYM_JSON_NONE)
    return;
  self->edges = sym_model_explorer_index (json, sym_json_get_member (json, node, "incomingEdges"),
                                          "targetNodeInputId");
  self->inputs =
      sym_model_explorer_index (json, sym_json_get_member (json, node, "inputsMetadata"), "id");
  self->outputs = sym_model_explorer_index (
      json, outputs, sym_model_explorer_are_ordered (json, outputs) ? "id" : NULL);
}

void
sym_model_explorer_kept_clear (SymModelExplorerKept *self)
{
  g_clear_pointer (&self->edges, g_hash_table_unref);
  g_clear_pointer (&self->inputs, g_hash_table_unref);
  g_clear_pointer (&self->outputs, g_hash_table_unref);
}

/* ---- Types ---- */

static char *
dup_value (const SymJson *json, guint list, const char *key)
{
  guint attribute = sym_model_explorer_find_attribute (json, list, key);

  return sym_json_dup_string (json, sym_json_get_member (json, attribute, "value"));
}

/* "float32[1, 3]" into a dtype, if it says one, and sizes; "tensor<1x3xf32>" as well. */
static void
split_type (const char *text, char **dtype, char **sizes)
{
  const char *open = strpbrk (text, "[<");
  char *inside = g_strndup (open + 1, strcspn (open + 1, "]>"));
  char *last = strrchr (inside, 'x');

  if (*open == '[')
    *dtype = g_strstrip (g_strndup (text, (gsize) (open - text)));
  else
    *dtype = g_strdup (last == NULL ? inside : last + 1);
  if (*open == '<')
    inside[last == NULL ? 0 : last - inside] = '\0';
  *sizes = inside;
}

static gboolean
says (const char *text, const SymFlow *flow, SymId value)
{
  SymType type = sym_flow_get_type (flow, value);
  g_autofree char *dtype = NULL;
  g_autofree char *sizes = NULL;
  g_autofree char *shape = NULL;

  if (strpbrk (text, "[<") == NULL)
    return FALSE;
  shape = sym_flow_format_shape (flow, value, text[strcspn (text, "[<")] == '<' ? "x" : ",");
  split_type (text, &dtype, &sizes);
  if (dtype[0] != '\0' && sym_net_parse_dtype (dtype) != type.dtype)
    return FALSE;
  for (char *from = sizes, *to = sizes; (*to = *from) != '\0'; from++)
    to += *from != ' ';
  return shape != NULL && strcmp (sizes, shape) == 0;
}

/* Whether the file says the type that the model has. */
static gboolean
says_type (const SymJson *json, guint list, const SymFlow *flow, SymId value)
{
  g_autofree char *shape = dup_value (json, list, "tensor_shape");
  g_autofree char *other = shape != NULL ? NULL : dup_value (json, list, "shape");

  return (shape != NULL && says (shape, flow, value)) ||
         (other != NULL && says (other, flow, value));
}

/* ---- Attributes ---- */

static gboolean
is_among (const SymJson *json, guint attribute, const char *const *keys)
{
  guint key = sym_json_get_member (json, attribute, "key");

  for (guint i = 0; keys[i] != NULL; i++)
    if (sym_json_string_equals (json, key, keys[i]))
      return TRUE;
  return FALSE;
}

static void
append_element (GString *out, const SymJson *json, guint element)
{
  if (out->str[out->len - 1] != '[')
    g_string_append (out, ", ");
  sym_model_explorer_append_text (out, json, element);
}

gboolean
sym_model_explorer_keep_type (GString *out,
                              const SymJson *json,
                              guint metadata,
                              const SymFlow *flow,
                              SymId value)
{
  guint list = sym_json_get_member (json, metadata, "attrs");

  if (list == SYM_JSON_NONE || !says_type (json, list, flow, value))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    if (is_among (json, i.value, type_keys))
      append_element (out, json, i.value);
  return TRUE;
}

void
sym_model_explorer_keep_attributes (GString *out, const SymJson *json, guint metadata)
{
  guint list = sym_json_get_member (json, metadata, "attrs");

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    if (!is_among (json, i.value, type_keys) && !is_among (json, i.value, model_keys))
      append_element (out, json, i.value);
}

gboolean
sym_model_explorer_keep_attribute (GString *out,
                                   const SymModelExplorerKept *kept,
                                   const SymAttributes *attributes,
                                   guint i)
{
  guint list = sym_json_get_member (kept->json, kept->node, "attrs");
  guint found =
      sym_model_explorer_find_attribute (kept->json, list, sym_attributes_get_name (attributes, i));
  guint token = sym_json_get_member (kept->json, found, "value");
  g_autoptr (SymValue) value =
      token == SYM_JSON_NONE ? NULL : sym_net_read_value (kept->json, token);

  if (value == NULL || !sym_value_equal (value, sym_attributes_get_value (attributes, i)))
    return FALSE;
  append_element (out, kept->json, found);
  return TRUE;
}

/* ---- Inputs ---- */

/* Of inputs that nodes make: what is known of parameters is in the model. */
void
sym_model_explorer_keep_inputs (GString *out, const SymModelExplorerKept *kept, guint n_operands)
{
  const SymJson *json = kept->json;
  guint inputs = sym_json_get_member (json, kept->node, "inputsMetadata");

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      guint attributes = sym_json_get_member (json, i.value, "attrs");
      g_autofree char *slot = sym_net_dup_key (json, sym_json_get_member (json, i.value, "id"));
      guint64 number;

      if (slot != NULL && g_ascii_string_to_unsigned (slot, 10, 0, G_MAXUINT64, &number, NULL) &&
          number >= n_operands)
        continue;
      if (sym_model_explorer_find_attribute (json, attributes, SYM_MODEL_EXPLORER_ROLE) ==
          SYM_JSON_NONE)
        append_element (out, json, i.value);
    }
}

/* ---- Edges ---- */

/* An edge from a node that the file does not have, which the model has as a constant. */
guint
sym_model_explorer_find_open_edge (const SymModelExplorerKept *kept,
                                   const SymModel *model,
                                   guint operand,
                                   SymId value)
{
  guint edge =
      kept->edges == NULL ? SYM_JSON_NONE : sym_model_explorer_look_up (kept->edges, operand);
  g_autofree char *source =
      sym_net_dup_key (kept->json, sym_json_get_member (kept->json, edge, "sourceNodeId"));
  g_autofree char *output =
      sym_net_dup_key (kept->json, sym_json_get_member (kept->json, edge, "sourceNodeOutputId"));
  g_autofree char *name =
      g_strconcat (source == NULL ? "" : source, ":", output == NULL ? "0" : output, NULL);

  return edge != SYM_JSON_NONE && value != SYM_NO_ID &&
                 sym_model_get_role (model, value) == SYM_ROLE_CONSTANT &&
                 g_strcmp0 (sym_model_get_value_name (model, value), name) == 0
             ? edge
             : SYM_JSON_NONE;
}
