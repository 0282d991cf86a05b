/* SPDX-License-Identifier: MIT */
#include "io/sym-espresso-weights.h"
#include "io/sym-net-tell.h"

#include <string.h>

#include "ops/sym-op.h"

/* Core ML's compiled networks (model.espresso.net, format versions 100 to 200): layers that name
 * what they take ("bottom") and make ("top"), as Caffe's do.  The shapes are in
 * model.espresso.shape beside them. */

#define MAX_SHAPES_SIZE (16 << 20)

static int
score (const SymJson *json)
{
  guint layers = sym_json_get_member (json, 0, "layers");
  guint first = sym_json_get_element (json, layers, 0);

  if (sym_json_get_member (json, first, "top") == SYM_JSON_NONE ||
      sym_json_get_member (json, first, "type") == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, 0, "format_version") != SYM_JSON_NONE ? 100 : 70;
}

/* ---- Shapes ---- */

/* {"k": 64, "w": 40, "n": 1, "_rank": 4, "h": 40}: the last of five axes. */
static SymShape
read_shape (const SymJson *json, guint entry)
{
  static const char *const axes[] = { "seq", "n", "k", "h", "w" };
  gint64 rank = 4;
  SymShape shape = { 0 };

  sym_json_get_int (json, sym_json_get_member (json, entry, "_rank"), &rank);
  if (rank < 0 || rank > (gint64) G_N_ELEMENTS (axes))
    return SYM_SHAPE_UNKNOWN;
  shape.rank = (int) rank;
  for (int i = 0; i < shape.rank; i++)
    {
      const char *axis = axes[G_N_ELEMENTS (axes) - (guint) shape.rank + (guint) i];
      gint64 size = 1;

      sym_json_get_int (json, sym_json_get_member (json, entry, axis), &size);
      shape.dims[i] = size < 0 || size > G_MAXINT32 ? SYM_DIM_UNKNOWN : size;
    }
  return shape;
}

static SymJson *
parse_shapes (SymBlob *blob, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (blob->size > MAX_SHAPES_SIZE)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "it has %" G_GUINT64_FORMAT " bytes, more than %d", (guint64) blob->size,
                   MAX_SHAPES_SIZE);
      return NULL;
    }
  text = sym_io_read_text (blob, error);
  if (text == NULL)
    return NULL;
  bytes = g_bytes_new (text, blob->size);
  return sym_json_parse (bytes, NULL, error);
}

/* NULL when there are none; a file that cannot be read is told. */
static SymJson *
open_shapes (SymNet *net, const SymIoSource *source)
{
  g_autofree char *name = sym_net_dup_file_name (source);
  g_autofree char *path = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  SymJson *json;

  if (name == NULL || !g_str_has_suffix (name, ".net"))
    return NULL;
  path = sym_net_dup_name_beside (source, ".shape");
  blob = sym_net_open_file (source, path, NULL);
  if (blob == NULL)
    return NULL;
  json = parse_shapes (blob, &error);
  if (json == NULL)
    sym_net_warn (net, 0, "the shapes in '%s' cannot be read: %s", path, error->message);
  return json;
}

static void
declare_shapes (SymNet *net, const SymIoSource *source)
{
  g_autoptr (SymJson) json = open_shapes (net, source);
  guint shapes = json == NULL ? SYM_JSON_NONE : sym_json_get_member (json, 0, "layer_shapes");

  if (json == NULL || sym_json_get_kind (json, shapes) != SYM_JSON_OBJECT)
    return;
  for (SymJsonIter i = sym_json_iterate (json, shapes); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);
      SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, read_shape (json, i.value));

      sym_net_declare (net, name, NULL, SYM_ROLE_INPUT, &type, 0);
    }
}

/* ---- Weights ---- */

static gint64
get_size (const SymJson *json, guint layer, const char *name)
{
  gint64 size = -1;

  sym_json_get_int (json, sym_json_get_member (json, layer, name), &size);
  return size < 1 || size > G_MAXINT32 ? SYM_DIM_UNKNOWN : size;
}

/* Those of a layer are called as it is; @blob, or for short numbers @short_blob, tells which of the
 * file they are.  Where neither is there, as in what is quantised, they are only counted. */
static void
add_weight (SymNet *net,
            const SymEspressoWeights *weights,
            SymId call,
            guint layer,
            const char *suffix,
            const char *blob,
            const char *short_blob,
            SymShape shape)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, layer, "name"));
  g_autofree char *key = g_strconcat (name == NULL ? "" : name, suffix, NULL);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  guint token = sym_json_get_member (json, layer, blob);
  guint64 number;
  g_autoptr (SymTensor) tensor = NULL;
  g_autofree char *lack = NULL;
  SymId value;

  if (token == SYM_JSON_NONE && short_blob != NULL)
    {
      token = sym_json_get_member (json, layer, short_blob);
      if (token != SYM_JSON_NONE)
        type.dtype = SYM_DTYPE_FLOAT16;
    }
  value = sym_net_add_value (net, key, NULL, SYM_ROLE_PARAMETER, &type, layer);
  tensor = sym_json_get_uint (json, token, &number)
               ? sym_espresso_weights_read (weights, key, number, &type, layer, &lack)
               : NULL;
  sym_model_builder_set_lack (sym_net_get_builder (net), value, lack);
  if (tensor != NULL)
    sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                     sym_parameter_new (TRUE, tensor));
  sym_net_add_operand (net, call, key);
}

/* Four numbers of each channel: factor, summand, mean and variance. */
static void
add_norm (SymNet *net, const SymEspressoWeights *weights, SymId call, guint layer)
{
  gint64 n = get_size (sym_net_get_json (net), layer, "C");

  if (n != SYM_DIM_UNKNOWN)
    add_weight (net, weights, call, layer, ".params", "blob_batchnorm_params", NULL,
                (SymShape){ 2, { n, 4 } });
}

/* Filters are [C, K / n_groups, Ny, Nx], of deconvolution [K, C / n_groups, Ny, Nx]. */
static void
add_weights (SymNet *net,
             const SymEspressoWeights *weights,
             SymId call,
             guint layer,
             const char *type)
{
  const SymJson *json = sym_net_get_json (net);
  gboolean is_product = strcmp (type, "inner_product") == 0;
  gboolean is_turned = strcmp (type, "deconvolution") == 0;
  gint64 n_groups = get_size (json, layer, "n_groups");
  gint64 n_in = get_size (json, layer, is_product ? "nB" : "K");
  gint64 n_out = get_size (json, layer, is_product ? "nC" : "C");
  gint64 has_biases = 0, first = is_turned ? n_in : n_out, second = is_turned ? n_out : n_in;
  SymShape shape = { 2, { n_out, n_in } };

  if (strcmp (type, "batchnorm") == 0)
    add_norm (net, weights, call, layer);
  if ((!is_product && !is_turned && strcmp (type, "convolution") != 0) || n_in == SYM_DIM_UNKNOWN ||
      n_out == SYM_DIM_UNKNOWN)
    return;
  if (!is_product)
    shape = (SymShape){ 4,
                        { first, n_groups == SYM_DIM_UNKNOWN ? second : second / n_groups,
                          get_size (json, layer, "Ny"), get_size (json, layer, "Nx") } };
  add_weight (net, weights, call, layer, ".weights", "blob_weights", "blob_weights_f16", shape);
  sym_json_get_int (json, sym_json_get_member (json, layer, "has_biases"), &has_biases);
  if (has_biases != 0)
    add_weight (net, weights, call, layer, ".biases", "blob_biases", NULL,
                (SymShape){ 1, { n_out } });
}

/* ---- Layers ---- */

typedef void (*Use) (SymNet *net, SymId call, const char *name);

static void
use_operand (SymNet *net, SymId call, const char *name)
{
  sym_net_add_operand (net, call, name);
}

static void
use_result (SymNet *net, SymId call, const char *name)
{
  sym_net_add_result (net, call, name, name, NULL);
}

/* "a,b" */
static void
use_all (SymNet *net, guint token, SymId call, Use use)
{
  g_autofree char *text = sym_json_dup_string (sym_net_get_json (net), token);
  g_auto (GStrv) names = text == NULL ? NULL : g_strsplit (text, ",", -1);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (g_strstrip (names[i])[0] != '\0')
      use (net, call, names[i]);
}

/* How many axes have other sizes in what @bottom and @top name, where the shapes beside the network
 * tell both: which ones, into @axes. */
static guint
compare_shapes (SymNet *net, guint bottom, guint top, gint64 axes[SYM_MAX_RANK])
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *from = sym_json_dup_string (json, bottom), *to = sym_json_dup_string (json, top);
  SymShape before = SYM_SHAPE_UNKNOWN, after = SYM_SHAPE_UNKNOWN;
  guint n = 0;

  if (from != NULL && to != NULL)
    {
      before = sym_net_get_declared_type (net, from).shape;
      after = sym_net_get_declared_type (net, to).shape;
    }
  for (int i = 0; before.rank == after.rank && i < before.rank; i++)
    if (before.dims[i] != after.dims[i])
      axes[n++] = i;
  return n;
}

/* Which axes layers work on is told by numbers of which nothing is known, and by the shapes. */
static SymAttributes *
read_attributes (SymNet *net, guint layer, const char *type)
{
  static const char *const own[] = { "name", "type", "bottom", "top", NULL };
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes;
  gint64 axes[SYM_MAX_RANK];
  guint n = 0;

  if (strcmp (type, "slice") == 0 || strcmp (type, "reduce") == 0)
    n = compare_shapes (net, sym_json_get_member (json, layer, "bottom"),
                        sym_json_get_member (json, layer, "top"), axes);
  if (n == 0)
    return sym_net_share_attributes (net, layer, own);
  attributes = sym_net_read_attributes (net, layer, own);
  sym_attributes_set (attributes, "axes", sym_value_new_ints (SYM_VALUE_LIST, axes, n), NULL);
  return attributes;
}

static gboolean
add_layer (SymNet *net, guint key, guint layer, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *type = sym_json_dup_string (json, sym_json_get_member (json, layer, "type"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, layer, "name"));
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, layer, error, "a layer needs a 'type', a string");
  call = sym_net_add_call (net, name == NULL ? type : name, type, sym_op_find ("espresso", type, 0),
                           read_attributes (net, layer, type), layer);
  use_all (net, sym_json_get_member (json, layer, "bottom"), call, use_operand);
  add_weights (net, user_data, call, layer, type);
  use_all (net, sym_json_get_member (json, layer, "top"), call, use_result);
  return TRUE;
}

static SymModel *
read_network (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "format_version", "storage", "properties.*", NULL };
  g_autoptr (SymNet) net = sym_net_new (source, json, "espresso");
  g_autoptr (SymEspressoWeights) weights = sym_espresso_weights_new (net, source, error);

  if (weights == NULL)
    return NULL;
  declare_shapes (net, source);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "layers"), add_layer, weights, error))
    return NULL;
  sym_net_note_origin (net, "espresso", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_espresso_format = {
  .name = "espresso",
  .title = "Core ML compiled network (Espresso)",
  .versions = "100 to 200",
  .limits = "weights that are quantised are counted, not read",
  .suffix = ".espresso.net",
  .takes_weights = TRUE,
  .score = score,
  .read = read_network,
  .tell = sym_net_tell,
};
