/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

#include "ops/sym-op.h"

/* What TensorRT's engine inspector tells of a built engine (TensorRT 8 and later,
 * --exportLayerInfo): the layers that it fused, with the tensors between them, their sizes and how
 * they lie in memory. */

/* What it tells of one layer after the other may have been gathered in a list. */
static guint
find_layers (const SymJson *json)
{
  return sym_json_get_kind (json, 0) == SYM_JSON_ARRAY ? 0
                                                       : sym_json_get_member (json, 0, "Layers");
}

static int
score (const SymJson *json)
{
  guint layers = find_layers (json);
  guint first = sym_json_get_element (json, layers, 0);

  if (sym_json_get_kind (json, layers) != SYM_JSON_ARRAY)
    return 0;
  if (sym_json_get_member (json, first, "LayerType") != SYM_JSON_NONE)
    return layers != 0 || sym_json_get_member (json, first, "Outputs") != SYM_JSON_NONE ? 100 : 0;
  if (layers == 0)
    return 0;
  if (sym_json_get_kind (json, first) == SYM_JSON_STRING && sym_json_count (json, 0) == 1)
    return 50;
  return sym_json_get_member (json, 0, "Bindings") != SYM_JSON_NONE ? 80 : 0;
}

/* "Thirty-two wide channel vectorized row major Int8 format": the dtype is one of its words. */
static SymDType
find_dtype (const char *format)
{
  SymDType dtype = SYM_DTYPE_UNKNOWN;

  while (format != NULL && *format != '\0' && dtype == SYM_DTYPE_UNKNOWN)
    {
      gsize n = strcspn (format, " ,");

      dtype = sym_net_parse_dtype_of (format, n);
      format += n + strspn (format + n, " ,");
    }
  return dtype;
}

/* Most tensors of an engine have the format of the one before. */
typedef struct {
  gboolean has_names_only; /* and was told */
  const char *text;        /* as it stands in the file; NULL for none so far */
  gsize length;
  SymDType dtype;
} Format;

static SymDType
read_dtype (const SymJson *json, guint token, Format *last)
{
  gsize length;
  const char *text = sym_json_get_text (json, token, &length);
  g_autofree char *format = NULL;

  if (text == NULL)
    return SYM_DTYPE_UNKNOWN;
  if (last->text != NULL && last->length == length && memcmp (last->text, text, length) == 0)
    return last->dtype;

  format = sym_json_dup_string (json, token);
  last->text = text;
  last->length = length;
  last->dtype = find_dtype (format);
  return last->dtype;
}

static SymType
read_type (SymNet *net, guint tensor, Format *last)
{
  const SymJson *json = sym_net_get_json (net);

  return sym_type_tensor (
      read_dtype (json, sym_json_get_member (json, tensor, "Format/Datatype"), last),
      sym_net_read_shape (net, sym_json_get_member (json, tensor, "Dimensions")));
}

/* Where a layer says neither, its tensors have no names to be known by. */
static char *
dup_name (SymNet *net, guint entry)
{
  const SymJson *json = sym_net_get_json (net);

  return sym_json_dup_string (json, sym_json_get_member (json, entry, "Name"));
}

static void
add_operand (SymNet *net, SymId call, guint tensor, Format *last)
{
  g_autofree char *name = dup_name (net, tensor);
  SymType type;

  if (name == NULL)
    {
      sym_net_add_operand (net, call, NULL);
      return;
    }
  type = read_type (net, tensor, last);
  sym_net_add_told_operand (net, call, name, SYM_ROLE_INPUT, &type, tensor);
}

static void
add_result (SymNet *net, SymId call, guint tensor, Format *last)
{
  g_autofree char *name = dup_name (net, tensor);
  SymType type = read_type (net, tensor, last);

  sym_net_add_result (net, call, name, name, &type);
}

/* "Weights": {"Type": "Half", "Count": 9408}: how many there are, not how they lie. */
static void
add_weights (SymNet *net, SymId call, guint layer, const char *name)
{
  static const char *const kinds[] = { "Weights", "Bias", "Scale", "Shift", "Power", NULL };
  const SymJson *json = sym_net_get_json (net);

  for (guint i = 0; kinds[i] != NULL; i++)
    {
      guint member = sym_json_get_member (json, layer, kinds[i]);
      g_autofree char *suffix = NULL;
      g_autofree char *full = NULL;
      gint64 count = 0;
      SymType type;

      if (!sym_json_get_int (json, sym_json_get_member (json, member, "Count"), &count) ||
          count <= 0)
        continue;
      suffix = g_ascii_strdown (kinds[i], -1);
      full = g_strconcat (name, ".", suffix, NULL);
      type = sym_type_tensor (sym_net_read_dtype (json, sym_json_get_member (json, member, "Type")),
                              SYM_SHAPE (count));
      sym_net_add_value (net, full, NULL, SYM_ROLE_PARAMETER, &type, member);
      sym_net_add_operand (net, call, full);
    }
}

/* Engines that were built without details have a list of names in place of layers: nothing is told
 * of what each is and what passes between them. */
static void
add_name (SymNet *net, guint entry, Format *last)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);
  g_autoptr (SymLayer) layer = sym_layer_new ("Layer", NULL, NULL);
  SymId call;

  sym_layer_set_name (layer, name);
  sym_layer_set_hides_parameters (layer, TRUE);
  call = sym_net_add_layer (net, name, layer, entry);
  sym_net_pass_over (net, sym_net_add_result (net, call, NULL, NULL, NULL));
  if (last->has_names_only)
    return;
  last->has_names_only = TRUE;
  sym_net_warn (net, entry,
                "this engine tells names of layers only: their types, shapes and connections, its "
                "inputs and outputs are missing, unless it is built with ProfilingVerbosity "
                "kDETAILED");
}

/* Kernels are many; what they do is told by their parameters.  Weights count as operands, behind
 * those that are tensors. */
static const SymOperator *
find_operator (const SymJson *json, guint layer, const char *type)
{
  g_autofree char *parameters =
      sym_json_dup_string (json, sym_json_get_member (json, layer, "ParameterType"));

  return sym_op_find ("tensorrt", parameters == NULL ? type : parameters, 0);
}

static guint
find_first (const SymJson *json, guint layer, const char *list, const char *member)
{
  guint first = sym_json_get_element (json, sym_json_get_member (json, layer, list), 0);

  return sym_json_get_member (json, first, member);
}

/* Layers that move nothing in memory may still have a result of other axes. */
static gboolean
has_other_axes (SymNet *net, guint layer, const SymOperator *op)
{
  const SymJson *json = sym_net_get_json (net);
  SymShape given, made;

  if (strcmp (op->name, "NoOp") != 0)
    return FALSE;
  given = sym_net_read_shape (net, find_first (json, layer, "Inputs", "Dimensions"));
  made = sym_net_read_shape (net, find_first (json, layer, "Outputs", "Dimensions"));
  return made.rank >= 0 && !sym_shape_equal (&given, &made);
}

/* Which dtype comes out the builder has chosen: it is told where it is another than that of the
 * data.  Other layers share what they have in common. */
static SymAttributes *
read_attributes (SymNet *net, guint layer, const SymOperator *op, Format *last)
{
  static const char *const own[] = { "Name", "LayerType", "Inputs", "Outputs", NULL };
  const SymJson *json = sym_net_get_json (net);
  SymDType made = read_dtype (json, find_first (json, layer, "Outputs", "Format/Datatype"), last);
  SymDType given = read_dtype (json, find_first (json, layer, "Inputs", "Format/Datatype"), last);
  gboolean is_shaped = op != NULL && has_other_axes (net, layer, op);
  SymAttributes *attributes;

  if (op == NULL || (made == given && !is_shaped))
    return sym_net_share_attributes (net, layer, own);
  attributes = sym_net_read_attributes (net, layer, own);
  sym_net_note_dtype (attributes, given, made);
  if (is_shaped)
    sym_net_set_attribute (net, attributes, "output_shape",
                           find_first (json, layer, "Outputs", "Dimensions"));
  return attributes;
}

static gboolean
add_layer (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, entry, "Inputs");
  guint outputs = sym_json_get_member (json, entry, "Outputs");
  g_autofree char *name = dup_name (net, entry);
  g_autofree char *type =
      sym_json_dup_string (json, sym_json_get_member (json, entry, "LayerType"));
  const SymOperator *op;
  SymId call;

  if (sym_json_get_kind (json, entry) == SYM_JSON_STRING)
    {
      add_name (net, entry, user_data);
      return TRUE;
    }
  if (name == NULL || type == NULL)
    return sym_json_fail (json, entry, error, "a layer needs 'Name' and 'LayerType', both strings");

  op = find_operator (json, entry, type);
  call = sym_net_add_call (net, name, type, op, read_attributes (net, entry, op, user_data), entry);
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    add_operand (net, call, i.value, user_data);
  add_weights (net, call, entry, name);
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    add_result (net, call, i.value, user_data);
  if (sym_net_count_results (net, call) == 0)
    sym_net_pass_over (net, sym_net_add_result (net, call, NULL, NULL, NULL));
  return TRUE;
}

/* Bindings are inputs and outputs alike: what a layer makes is an output. */
static gboolean
add_binding (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);

  if (name != NULL && sym_net_find (net, name) != SYM_NO_ID)
    sym_net_add_output (net, name);
  return TRUE;
}

static SymModel *
read_engine (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "tensorrt");
  Format last = { 0 };

  if (!sym_net_visit (net, find_layers (json), add_layer, &last, error) ||
      !sym_net_visit (net, sym_json_get_member (json, 0, "Bindings"), add_binding, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_tensorrt_format = {
  .name = "tensorrt",
  .title = "TensorRT engine graph",
  .versions = "8 to 10 (engine inspector)",
  .limits = "without detailed verbosity names of layers alone; weights are counted; does not run",
  .suffix = ".json",
  .score = score,
  .read = read_engine,
};
