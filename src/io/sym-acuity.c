/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* VeriSilicon Acuity's networks (*.json beside *.data, 5 and 6): layers by id, whose inputs are
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

static void
add_input (SymNet *net, guint layer, const char *id)
{
  const SymJson *json = sym_net_get_json (net);
  guint parameters = sym_json_get_member (json, layer, "parameters");
  guint outputs = sym_json_get_member (json, layer, "outputs");
  g_autofree char *output = sym_json_dup_string (json, sym_json_get_element (json, outputs, 0));
  g_autofree char *key = g_strdup_printf ("@%s:%s", id, output == NULL ? "out0" : output);
  SymType type = sym_net_read_type (net, sym_json_get_member (json, parameters, "type"),
                                    sym_json_get_member (json, parameters, "shape"));

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
  call =
      sym_net_add_call (net, id, op, NULL, sym_net_read_attributes (net, parameters, NULL), layer);
  sym_net_add_operands (net, call, inputs);
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *output = sym_json_dup_string (json, i.value);
      g_autofree char *made = g_strdup_printf ("@%s:%s", id, output == NULL ? "" : output);

      sym_net_add_result (net, call, made, NULL, NULL);
    }
  return TRUE;
}

static SymModel *
read_network (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "acuity");

  sym_net_expect_all (net);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "Layers"), add_layer, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_acuity_format = {
  .name = "acuity",
  .title = "Acuity network",
  .versions = "5 and 6",
  .limits = "shapes only where the file tells them, weights are not read; does not run",
  .suffix = ".json",
  .score = score,
  .read = read_network,
};
