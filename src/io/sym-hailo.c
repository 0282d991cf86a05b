/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* Hailo's networks (*.hn, alone or in a *.har archive, of the Dataflow Compiler 3): layers by name,
 * which tell the layers before and behind them, and the shapes between. */

static int
score (const SymJson *json)
{
  guint layers = sym_json_get_member (json, 0, "layers");
  SymJsonIter i = sym_json_iterate (json, layers);

  if (sym_json_get_kind (json, layers) != SYM_JSON_OBJECT ||
      sym_json_get_member (json, 0, "net_params") == SYM_JSON_NONE ||
      !sym_json_iter_next (json, &i))
    return 0;
  return sym_json_get_member (json, i.value, "type") != SYM_JSON_NONE ? 100 : 60;
}

/* ---- Tensors ---- */

static SymType
read_type (SymNet *net, guint layer, const char *name, guint place)
{
  const SymJson *json = sym_net_get_json (net);
  guint shapes = sym_json_get_member (json, layer, name);

  return sym_type_tensor (SYM_DTYPE_UNKNOWN,
                          sym_net_read_shape (net, sym_json_get_element (json, shapes, place)));
}

/* What goes from one layer to another, where it is not the same for all behind. */
static char *
make_key (const char *from, const char *to)
{
  return g_strconcat (from, ">", to, NULL);
}

/* Whether each layer behind gets a part of its own. */
static gboolean
gives_parts (SymNet *net, guint layer)
{
  const SymJson *json = sym_net_get_json (net);
  guint n = sym_json_count (json, sym_json_get_member (json, layer, "output_shapes"));
  SymType first = read_type (net, layer, "output_shapes", 0);

  if (n != sym_json_count (json, sym_json_get_member (json, layer, "output")))
    return FALSE;
  for (guint i = 1; i < n; i++)
    {
      SymType other = read_type (net, layer, "output_shapes", i);

      if (!sym_shape_equal (&first.shape, &other.shape))
        return TRUE;
    }
  return FALSE;
}

static void
add_results (SymNet *net, SymId call, guint layer, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  SymType type = read_type (net, layer, "output_shapes", 0);
  guint place = 0;

  if (!gives_parts (net, layer))
    {
      sym_net_add_result (net, call, name, name, &type);
      return;
    }
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, layer, "output"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *to = sym_json_dup_string (json, i.value);
      g_autofree char *key = to == NULL ? NULL : make_key (name, to);

      type = read_type (net, layer, "output_shapes", place++);
      sym_net_add_result (net, call, key, name, &type);
    }
  sym_net_add_alias (net, name, call);
}

static void
add_operands (SymNet *net, SymId call, guint layer, const char *name)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, layer, "input"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *from = sym_json_dup_string (json, i.value);
      g_autofree char *own = from == NULL ? NULL : make_key (from, name);

      sym_net_add_operand (net, call,
                           own != NULL && sym_net_find (net, own) != SYM_NO_ID ? own : from);
    }
}

/* ---- Layers ---- */

/* The kernel is told; a bias is always there, of as many as come out. */
static void
add_weights (SymNet *net, SymId call, guint layer, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  guint params = sym_json_get_member (json, layer, "params");
  guint kernel = sym_json_get_member (json, params, "kernel_shape");
  SymType out = read_type (net, layer, "output_shapes", 0);
  SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, sym_net_read_shape (net, kernel));
  g_autofree char *weight = g_strconcat (name, ".kernel", NULL);
  g_autofree char *bias = g_strconcat (name, ".bias", NULL);

  if (sym_json_get_kind (json, kernel) != SYM_JSON_ARRAY)
    return;
  sym_net_add_value (net, weight, NULL, SYM_ROLE_PARAMETER, &type, layer);
  sym_net_add_operand (net, call, weight);
  type.shape =
      SYM_SHAPE (out.shape.rank > 0 ? out.shape.dims[out.shape.rank - 1] : SYM_DIM_UNKNOWN);
  sym_net_add_value (net, bias, NULL, SYM_ROLE_PARAMETER, &type, layer);
  sym_net_add_operand (net, call, bias);
}

/* What has weights beside a kernel, or without one: only the file of weights tells them. */
static gboolean
hides_parameters (const SymJson *json, guint layer, const char *type)
{
  static const char *const others[] = { "batch_norm", "normalization", "layer_normalization",
                                        "portal",     "lstm",          NULL };
  guint params = sym_json_get_member (json, layer, "params");
  gboolean has_norm = FALSE;

  sym_json_get_bool (json, sym_json_get_member (json, params, "batch_norm"), &has_norm);
  return has_norm || g_strv_contains (others, type);
}

static gboolean
is_border (SymNet *net, guint layer, const char *type, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  SymType known = read_type (net, layer, "output_shapes", 0);

  if (strcmp (type, "input_layer") == 0)
    sym_net_add_value (net, name, NULL, SYM_ROLE_INPUT, &known, layer);
  else if (strcmp (type, "const_input") == 0)
    sym_net_add_value (net, name, NULL, SYM_ROLE_PARAMETER, &known, layer);
  else if (strcmp (type, "output_layer") == 0)
    sym_net_add_outputs (net, sym_json_get_member (json, layer, "input"));
  else
    return FALSE;
  return TRUE;
}

static gboolean
add_layer (SymNet *net, guint key, guint layer, gpointer user_data, GError **error)
{
  static const char *const own[] = { "type",          "input",  "output", "input_shapes",
                                     "output_shapes", "params", NULL };
  const SymJson *json = sym_net_get_json (net);
  guint params = sym_json_get_member (json, layer, "params");
  g_autofree char *name = sym_json_dup_string (json, key);
  g_autofree char *type = sym_json_dup_string (json, sym_json_get_member (json, layer, "type"));
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) made = NULL;
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, layer, error, "layer '%s' needs a 'type', a string", name);
  if (is_border (net, layer, type, name))
    return TRUE;
  attributes = sym_net_read_attributes (net, layer, own);
  for (SymJsonIter i = sym_json_iterate (json, params); sym_json_iter_next (json, &i);)
    {
      g_autofree char *param = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      if (param != NULL)
        sym_net_set_attribute (net, attributes, param, i.value);
    }
  made = sym_layer_new (type, NULL, attributes);
  sym_layer_set_name (made, name);
  sym_layer_set_hides_parameters (made, hides_parameters (json, layer, type));
  call = sym_net_add_layer (net, name, made, layer);
  add_operands (net, call, layer, name);
  add_weights (net, call, layer, name);
  add_results (net, call, layer, name);
  return TRUE;
}

static SymModel *
read_network (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "hailo");

  sym_net_expect_all (net);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "layers"), add_layer, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_hailo_format = {
  .name = "hailo",
  .title = "Hailo network",
  .versions = "Dataflow Compiler 3 (*.hn, *.har)",
  .limits = "shapes are those stored, weights are not read; does not run",
  .suffix = ".hn",
  .has_nan = TRUE,
  .score = score,
  .read = read_network,
};
