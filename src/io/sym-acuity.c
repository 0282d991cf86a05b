/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"

#include <string.h>

#include "ops/sym-op.h"

/* VeriSilicon Acuity's networks (*.json beside *.data, 2, 5 and 6): layers by id, whose inputs are
 * "@other:out0". */

static int
score (const SymJson *json)
{
  guint layers = sym_json_get_member (json, 0, "Layers");

  return sym_json_get_kind (json, layers) == SYM_JSON_OBJECT &&
                 sym_json_get_member (json, 0, "MetaData") != SYM_JSON_NONE
             ? 100
             : 0;
}

/* The `size` of an image in files of Acuity 2, "columns rows", which has its channels last. */
static gboolean
read_size (const SymJson *json, guint parameters, gint64 sizes[2])
{
  g_autofree char *text =
      sym_json_dup_string (json, sym_json_get_member (json, parameters, "size"));
  g_auto (GStrv) parts = text == NULL ? NULL : g_strsplit (text, " ", -1);

  if (parts == NULL || g_strv_length (parts) != 2)
    return FALSE;
  for (int i = 0; i < 2; i++)
    if (!g_ascii_string_to_signed (parts[1 - i], 10, 1, G_MAXINT32, &sizes[i], NULL))
      return FALSE;
  return TRUE;
}

/* ---- Weights, of which only shapes are known ---- */

static const struct {
  const char *op;
  const char *names[4];
} weighted[] = {
  { "convolution", { "weight", "bias" } },
  { "depthwise_convolution", { "weight", "bias" } },
  { "deconvolution", { "weight", "bias" } },
  { "conv1d", { "weight", "bias" } },
  { "fullconnect", { "weight", "bias" } },
  { "batchnormalize", { "mean", "variance", "beta", "gamma" } },
  { "batchnorm_single", { "mean", "variance" } },
  { "prelu", { "alpha" } },
  { "layernormalize", { "bias", "scale" } },
  { "instancenormalize", { "bias", "scale" } },
  { "rmsnormalize", { "scale" } },
  { "l2normalizescale", { "scale" } },
  { "group_conv1d", { "weight", "bias" } },
  { "depthwise_conv1d", { "weight", "bias" } },
  { "multiply", { "scale", "bias" } },
  { "variable", { "data" } },
  { "lstm", { "kernel", "bias" } },
  { "gru", { "gates_kernel", "gates_bias", "candidate_kernel", "candidate_bias" } },
};

/* Recurrences with no gates and no projection beside those of a cell. */
static gboolean
is_plain (const SymJson *json, guint parameters)
{
  static const char *const options[] = { "use_cifg", "use_peepholes" };
  gboolean is_true = FALSE, has_bias = TRUE;
  gint64 size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (sym_json_get_bool (json, sym_json_get_member (json, parameters, options[i]), &is_true) &&
        is_true)
      return FALSE;
  sym_json_get_int (json, sym_json_get_member (json, parameters, "num_proj"), &size);
  sym_json_get_bool (json, sym_json_get_member (json, parameters, "bias"), &has_bias);
  return size == 0 && has_bias;
}

/* What has weights that nothing is known of. */
static gboolean
hides_parameters (const char *op, gboolean is_known)
{
  static const char *const ops[] = { "groupnormalize", "gru_cell", "l1_layernormalize", "lstmunit",
                                     NULL };

  return !is_known || g_strv_contains (ops, op);
}

/* Where a file has all operands there are no weights; a product of one is Caffe's Scale. */
static gboolean
lies_beside (const char *op, guint n_inputs)
{
  return n_inputs == (strcmp (op, "variable") == 0 ? 0 : 1);
}

/* A bias is there unless `bias` is false.  */
static void
add_weights (SymNet *net, SymId call, const char *op, const char *id, guint layer)
{
  const SymJson *json = sym_net_get_json (net);
  guint parameters = sym_json_get_member (json, layer, "parameters");
  SymType known = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  gboolean has_bias = TRUE;

  sym_json_get_bool (json, sym_json_get_member (json, parameters, "bias"), &has_bias);
  for (guint i = 0; i < G_N_ELEMENTS (weighted); i++)
    for (guint k = 0; strcmp (weighted[i].op, op) == 0 && k < 4; k++)
      {
        const char *name = weighted[i].names[k];
        g_autofree char *key = g_strdup_printf ("%s.%s", id, name);

        if (name == NULL || (!has_bias && strcmp (name, "bias") == 0))
          break;
        sym_net_add_value (net, key, NULL, SYM_ROLE_PARAMETER, &known, layer);
        sym_net_add_operand (net, call, key);
      }
}

/* ---- Layers ---- */

/* A first size of 0 is a batch of any size.  Files of Acuity 2 may tell columns, rows and channels
 * alone, beside no shape or one of no sizes, and no type: its numbers were floats. */
static SymType
read_input_type (SymNet *net, guint parameters)
{
  const SymJson *json = sym_net_get_json (net);
  guint shape = sym_json_get_member (json, parameters, "shape");
  SymType type = sym_net_read_type (net, sym_json_get_member (json, parameters, "type"), shape);
  gint64 sizes[2], channels;

  if (sym_json_count (json, shape) == 0 && read_size (json, parameters, sizes))
    {
      if (!sym_json_get_int (json, sym_json_get_member (json, parameters, "channels"), &channels) ||
          channels < 1 || channels > G_MAXINT32)
        channels = SYM_DIM_UNKNOWN;
      type.shape = SYM_SHAPE (SYM_DIM_UNKNOWN, sizes[0], sizes[1], channels);
    }
  if (sym_json_get_member (json, parameters, "type") == SYM_JSON_NONE)
    type.dtype = SYM_DTYPE_FLOAT32;
  if (type.shape.rank > 1 && type.shape.dims[0] == 0)
    type.shape.dims[0] = SYM_DIM_UNKNOWN;
  return type;
}

static void
add_input (SymNet *net, guint layer, const char *id)
{
  const SymJson *json = sym_net_get_json (net);
  guint parameters = sym_json_get_member (json, layer, "parameters");
  guint outputs = sym_json_get_member (json, layer, "outputs");
  g_autofree char *output = sym_json_dup_string (json, sym_json_get_element (json, outputs, 0));
  g_autofree char *key = g_strdup_printf ("@%s:%s", id, output == NULL ? "out0" : output);
  SymType type = read_input_type (net, parameters);

  sym_net_add_value (net, key, id, SYM_ROLE_INPUT, &type, layer);
}

static gboolean
add_layer (SymNet *net, guint key, guint layer, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *id = sym_json_dup_string (json, key);
  g_autofree char *op = sym_json_dup_string (json, sym_json_get_member (json, layer, "op"));
  guint inputs = sym_json_get_member (json, layer, "inputs");
  guint outputs = sym_json_get_member (json, layer, "outputs");
  guint parameters = sym_json_get_member (json, layer, "parameters");
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) made = NULL;
  const SymOperator *known;
  gboolean is_beside, is_odd;
  SymId call;

  if (op == NULL)
    return sym_json_fail (json, layer, error, "layer '%s' needs an 'op', a string", id);
  if (strcmp (op, "input") == 0)
    {
      add_input (net, layer, id);
      return TRUE;
    }
  if (strcmp (op, "output") == 0)
    {
      sym_net_add_outputs (net, inputs);
      return TRUE;
    }
  attributes = sym_net_read_attributes (net, parameters, NULL);
  known = sym_op_find ("acuity", op, 0);
  if (user_data != NULL && known != NULL && sym_op_find_attribute (known, "axes") != NULL)
    sym_attributes_set (attributes, "axes", sym_value_new_string ("NCHW"), NULL);
  if (strcmp (op, "multiply") == 0 && lies_beside (op, sym_json_count (json, inputs)))
    sym_attributes_set (attributes, "is_scale", sym_value_new_bool (TRUE), NULL);
  made = sym_layer_new (op, known, attributes);
  sym_layer_set_name (made, id);
  is_beside = lies_beside (op, sym_json_count (json, inputs));
  is_odd = (strcmp (op, "lstm") == 0 || strcmp (op, "gru") == 0) &&
           !(is_beside && is_plain (json, parameters));
  sym_layer_set_hides_parameters (made, is_odd || hides_parameters (op, known != NULL));
  call = sym_net_add_layer (net, id, made, layer);
  sym_net_add_operands (net, call, inputs);
  if (is_beside && !is_odd)
    add_weights (net, call, op, id, layer);
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *output = sym_json_dup_string (json, i.value);
      g_autofree char *name = g_strdup_printf ("@%s:%s", id, output == NULL ? "" : output);

      sym_net_add_result (net, call, name, NULL, NULL);
    }
  return TRUE;
}

static SymModel *
read_network (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "MetaData.*", NULL };
  guint platform =
      sym_json_get_member (json, sym_json_get_member (json, 0, "MetaData"), "Platform");
  gboolean is_caffe = sym_json_string_equals (json, platform, "caffe");
  g_autoptr (SymNet) net = sym_net_new (source, json, "acuity");

  sym_net_expect_all (net);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "Layers"), add_layer,
                      is_caffe ? net : NULL, error))
    return NULL;
  sym_net_note_origin (net, "acuity", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_acuity_format = {
  .name = "acuity",
  .title = "Acuity network",
  .versions = "2, 5 and 6",
  .limits = "weights are not read",
  .suffix = ".json",
  .score = score,
  .read = read_network,
  .tell = sym_net_tell,
};
