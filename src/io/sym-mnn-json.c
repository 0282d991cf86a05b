/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* MNN's models as MNNDump2Json writes them (MNN 1 to 3): operators that number their tensors, whose
 * names are a list. */

static int
score (const SymJson *json)
{
  guint ops = sym_json_get_member (json, 0, "oplists");

  if (sym_json_get_kind (json, ops) != SYM_JSON_ARRAY)
    return 0;
  return sym_json_get_member (json, 0, "tensorName") != SYM_JSON_NONE ? 100 : 60;
}

static const char *
get_name (const GPtrArray *names, const char *number)
{
  guint64 i = g_ascii_strtoull (number, NULL, 10);

  return i < names->len ? g_ptr_array_index (names, i) : NULL;
}

/* {"dims": [1, 3, 224, 224], "dtype": "DT_FLOAT"} of an input or a constant. */
static void
add_source (SymNet *net, guint op, const char *type, const GPtrArray *names)
{
  const SymJson *json = sym_net_get_json (net);
  guint main = sym_json_get_member (json, op, "main");
  guint outputs = sym_json_get_member (json, op, "outputIndexes");
  guint dtype = sym_json_get_member (json, main, "dataType");
  SymType known = sym_net_read_type (
      net, dtype == SYM_JSON_NONE ? sym_json_get_member (json, main, "dtype") : dtype,
      sym_json_get_member (json, main, "dims"));
  SymRole role = strcmp (type, "Input") == 0 ? SYM_ROLE_INPUT : SYM_ROLE_PARAMETER;

  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *key = sym_net_dup_key (json, i.value);

      if (key != NULL)
        sym_net_add_value (net, key, get_name (names, key), role, &known, op);
    }
}

static gboolean
add_op (SymNet *net, guint op_key, guint op, gpointer user_data, GError **error)
{
  const GPtrArray *names = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *type = sym_net_dup_key (json, sym_json_get_member (json, op, "type"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, op, "name"));
  static const char *const bulky[] = { "weight", "bias", "symmetricQuan", "quanParameter", NULL };
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, op, error, "an operator needs a 'type'");
  if (strcmp (type, "Input") == 0 || strcmp (type, "Const") == 0)
    {
      add_source (net, op, type, names);
      return TRUE;
    }
  call = sym_net_add_call (
      net, name == NULL || name[0] == '\0' ? type : name, type, NULL,
      sym_net_read_attributes (net, sym_json_get_member (json, op, "main"), bulky), op);
  sym_net_add_operands (net, call, sym_json_get_member (json, op, "inputIndexes"));
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, op, "outputIndexes"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *key = sym_net_dup_key (json, i.value);

      if (key != NULL)
        sym_net_add_result (net, call, key, get_name (names, key), NULL);
    }
  return TRUE;
}

static SymModel *
read_model (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "mnn-json");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint list = sym_json_get_member (json, 0, "tensorName");

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    g_ptr_array_add (names, sym_json_dup_string (json, i.value));
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "oplists"), add_op, names, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_mnn_json_format = {
  .name = "mnn-json",
  .title = "MNN model as JSON",
  .versions = "1 to 3",
  .limits = "shapes only where the file tells them, weights are not read; does not run",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_model,
};
