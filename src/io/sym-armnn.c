/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"

#include "ops/sym-op.h"

#include <string.h>

/* Arm NN's serialised networks as JSON (flatc): layers with slots, each input slot telling the
 * layer and output slot that it comes from. */

#define MAX_BASES 4

static int
score (const SymJson *json)
{
  guint layers = sym_json_get_member (json, 0, "layers");
  guint first = sym_json_get_element (json, layers, 0);

  if (sym_json_get_member (json, first, "layer_type") == SYM_JSON_NONE ||
      sym_json_get_member (json, first, "layer") == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, 0, "inputIds") != SYM_JSON_NONE ? 100 : 70;
}

/* "base" of "base" of the layer: the one with the slots. */
static guint
get_base (const SymJson *json, guint layer)
{
  guint at = sym_json_get_member (json, layer, "layer");

  for (guint i = 0; i < MAX_BASES && at != SYM_JSON_NONE; i++)
    {
      if (sym_json_get_member (json, at, "outputSlots") != SYM_JSON_NONE ||
          sym_json_get_member (json, at, "inputSlots") != SYM_JSON_NONE)
        return at;
      at = sym_json_get_member (json, at, "base");
    }
  return SYM_JSON_NONE;
}

static gint64
get_int (const SymJson *json, guint object, const char *member)
{
  gint64 number = 0; /* flatc leaves zeros out */

  sym_json_get_int (json, sym_json_get_member (json, object, member), &number);
  return number;
}

static char *
make_key (gint64 layer, gint64 slot)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, layer, slot);
}

/* "QAsymmU8", "QSymmS16", "Float32" */
static SymType
read_type (SymNet *net, guint info)
{
  const SymJson *json = sym_net_get_json (net);
  guint dtype = sym_json_get_member (json, info, "dataType");
  g_autofree char *name = sym_json_dup_string (json, dtype);
  SymType type = sym_net_read_type (net, dtype, sym_json_get_member (json, info, "dimensions"));

  if (name != NULL && g_str_has_prefix (name, "Q"))
    type.dtype = g_str_has_suffix (name, "U8")   ? SYM_DTYPE_UINT8
                 : g_str_has_suffix (name, "16") ? SYM_DTYPE_INT16
                                                 : SYM_DTYPE_INT8;
  return type;
}

/* Of what the first slot gets, where a layer before this one made it. */
static SymDType
find_dtype (SymNet *net, GHashTable *dtypes, guint base)
{
  const SymJson *json = sym_net_get_json (net);
  guint slot = sym_json_get_element (json, sym_json_get_member (json, base, "inputSlots"), 0);
  guint connection = sym_json_get_member (json, slot, "connection");
  g_autofree char *key = make_key (get_int (json, connection, "sourceLayerIndex"),
                                   get_int (json, connection, "outputSlotIndex"));
  gpointer dtype;

  return g_hash_table_lookup_extended (dtypes, key, NULL, &dtype)
             ? (SymDType) GPOINTER_TO_INT (dtype)
             : SYM_DTYPE_UNKNOWN;
}

/* Of what a layer makes: that of the first slot. */
static SymDType
note_dtypes (SymNet *net, GHashTable *dtypes, guint base, gint64 index)
{
  const SymJson *json = sym_net_get_json (net);
  SymDType first = SYM_DTYPE_UNKNOWN;
  gint64 n = 0;

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, base, "outputSlots"));
       sym_json_iter_next (json, &i); n++)
    {
      SymDType dtype = read_type (net, sym_json_get_member (json, i.value, "tensorInfo")).dtype;

      first = n == 0 ? dtype : first;
      g_hash_table_insert (dtypes, make_key (index, n), GINT_TO_POINTER (dtype));
    }
  return first;
}

static void
add_operands (SymNet *net, SymId call, guint base)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, base, "inputSlots"));
       sym_json_iter_next (json, &i);)
    {
      guint connection = sym_json_get_member (json, i.value, "connection");
      g_autofree char *key = make_key (get_int (json, connection, "sourceLayerIndex"),
                                       get_int (json, connection, "outputSlotIndex"));

      sym_net_add_operand (net, call, key);
    }
}

/* Weights that a layer brings along, "weights": {"info": {"dimensions": ...}, "data_type": ...}. */
static void
add_weights (SymNet *net, SymId call, guint layer, const char *name)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, layer, "layer"));
       sym_json_iter_next (json, &i);)
    {
      guint info = sym_json_get_member (json, i.value, "info");
      g_autofree char *own = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      g_autofree char *key = own == NULL ? NULL : g_strconcat (name, ".", own, NULL);
      SymType type;

      if (info == SYM_JSON_NONE || key == NULL)
        continue;
      type = read_type (net, info);
      sym_net_add_value (net, key, NULL, SYM_ROLE_PARAMETER, &type, i.value);
      sym_net_add_operand (net, call, key);
    }
}

/* FALSE when it is no place where data comes in or goes out. */
static gboolean
is_border (SymNet *net, guint base, const char *type, const char *name, gint64 index)
{
  const SymJson *json = sym_net_get_json (net);
  guint outputs = sym_json_get_member (json, base, "outputSlots");
  g_autofree char *key = make_key (index, 0);
  SymType known = read_type (
      net, sym_json_get_member (json, sym_json_get_element (json, outputs, 0), "tensorInfo"));

  if (strcmp (type, "InputLayer") == 0)
    sym_net_add_value (net, key, name, SYM_ROLE_INPUT, &known, base);
  else if (strcmp (type, "ConstantLayer") == 0)
    sym_net_add_value (net, key, name, SYM_ROLE_PARAMETER, &known, base);
  else if (strcmp (type, "OutputLayer") == 0)
    {
      guint slot = sym_json_get_element (json, sym_json_get_member (json, base, "inputSlots"), 0);
      guint connection = sym_json_get_member (json, slot, "connection");
      g_autofree char *source = make_key (get_int (json, connection, "sourceLayerIndex"),
                                          get_int (json, connection, "outputSlotIndex"));

      sym_net_add_output (net, source);
    }
  else
    return FALSE;
  return TRUE;
}

/* [{"data": [0, 1]}, {"data": [2, 0]}], as a list of lists. */
static void
set_rows (SymNet *net, SymAttributes *attributes, const char *name, guint array)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
    g_ptr_array_add (rows, sym_net_read_value (json, sym_json_get_member (json, i.value, "data")));
  if (rows->len > 0)
    sym_attributes_set (attributes, name,
                        sym_value_new_list ((SymValue *const *) rows->pdata, rows->len), NULL);
}

/* A splitter's views, one below the other in the file. */
static SymAttributes *
read_attributes (SymNet *net, guint descriptor)
{
  static const char *const own[] = { "origins", "viewOrigins", "viewSizes", NULL };
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_net_read_attributes (net, descriptor, own);
  guint origins = sym_json_get_member (json, descriptor, "origins");

  set_rows (
      net, attributes, "viewOrigins",
      sym_json_get_member (json, origins == SYM_JSON_NONE ? descriptor : origins, "viewOrigins"));
  set_rows (net, attributes, "viewSizes", sym_json_get_member (json, descriptor, "viewSizes"));
  return attributes;
}

static gboolean
add_layer (SymNet *net, guint entry_key, guint entry, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint base = get_base (json, entry);
  guint descriptor =
      sym_json_get_member (json, sym_json_get_member (json, entry, "layer"), "descriptor");
  g_autofree char *type =
      sym_json_dup_string (json, sym_json_get_member (json, entry, "layer_type"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, base, "layerName"));
  guint outputs = sym_json_get_member (json, base, "outputSlots");
  gint64 index = get_int (json, base, "index");
  SymDType dtype = note_dtypes (net, user_data, base, index);
  const SymOperator *op;
  SymAttributes *attributes;
  SymId call;
  gint64 slot = 0;

  if (type == NULL || base == SYM_JSON_NONE)
    return sym_json_fail (json, entry, error, "a layer needs 'layer_type' and 'layer' with slots");
  if (name == NULL || name[0] == '\0')
    {
      g_free (name);
      name = g_strdup_printf ("%s_%" G_GINT64_FORMAT, type, index);
    }
  if (is_border (net, base, type, name, index))
    return TRUE;
  if (g_str_has_suffix (type, "Layer"))
    type[strlen (type) - strlen ("Layer")] = '\0';

  attributes = read_attributes (net, descriptor);
  op = sym_op_find ("armnn", type, 0);
  if (op != NULL)
    sym_net_note_dtype (attributes, find_dtype (net, user_data, base), dtype);
  call = sym_net_add_call (net, name, type, op, attributes, entry);
  add_operands (net, call, base);
  add_weights (net, call, entry, name);
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i); slot++)
    {
      g_autofree char *key = make_key (index, slot);
      SymType known = read_type (net, sym_json_get_member (json, i.value, "tensorInfo"));

      sym_net_add_result (net, call, key, NULL, &known);
    }
  return TRUE;
}

static SymModel *
read_network (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "featureVersions.*", NULL };
  g_autoptr (SymNet) net = sym_net_new (source, json, "armnn");
  g_autoptr (GHashTable) dtypes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  sym_net_expect_all (net);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "layers"), add_layer, dtypes, error))
    return NULL;
  sym_net_note_origin (net, "armnn", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_armnn_format = {
  .name = "armnn",
  .title = "Arm NN network as JSON",
  .versions = "20 to 25",
  .limits = "weights are not read; integers with a scale do not run",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_network,
  .tell = sym_net_tell,
};
