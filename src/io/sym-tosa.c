/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

/* TOSA as flatc writes it as JSON (0.20 to 1.0): regions of blocks, whose operators name their
 * tensors. */

static guint
get_blocks (const SymJson *json)
{
  guint regions = sym_json_get_member (json, 0, "regions");
  guint region = sym_json_get_element (json, regions, 0);

  return regions != SYM_JSON_NONE ? sym_json_get_member (json, region, "blocks")
                                  : sym_json_get_member (json, 0, "blocks");
}

static int
score (const SymJson *json)
{
  guint version = sym_json_get_member (json, 0, "version");
  guint block = sym_json_get_element (json, get_blocks (json), 0);

  if (sym_json_get_kind (json, sym_json_get_member (json, block, "operators")) != SYM_JSON_ARRAY)
    return 0;
  return sym_json_get_member (json, version, "_major") != SYM_JSON_NONE ||
                 sym_json_get_member (json, version, "_minor") != SYM_JSON_NONE
             ? 100
             : 60;
}

static gboolean
declare_tensor (SymNet *net, guint key, guint tensor, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, tensor, "name"));
  SymType type = sym_net_read_type (net, sym_json_get_member (json, tensor, "type"),
                                    sym_json_get_member (json, tensor, "shape"));

  if (name == NULL)
    return sym_json_fail (json, tensor, error, "a tensor needs a 'name', a string");
  sym_net_declare (net, name, NULL, SYM_ROLE_INPUT, &type, tensor);
  return TRUE;
}

static gboolean
add_input (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);

  if (name != NULL)
    sym_net_add_declared (net, name, NULL, SYM_ROLE_INPUT, entry);
  return TRUE;
}

static gboolean
add_output (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);

  if (name != NULL)
    sym_net_add_output (net, name);
  return TRUE;
}

/* CONST makes numbers of nothing: what it makes is a weight. */
static gboolean
add_operator (SymNet *net, guint key, guint op, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, op, "inputs");
  guint outputs = sym_json_get_member (json, op, "outputs");
  g_autofree char *type = sym_net_dup_key (json, sym_json_get_member (json, op, "op"));
  g_autofree char *first = sym_json_dup_string (json, sym_json_get_element (json, outputs, 0));
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, op, error, "an operator needs an 'op'");
  if (g_str_has_prefix (type, "CONST") && first != NULL)
    {
      sym_net_add_declared (net, first, NULL, SYM_ROLE_PARAMETER, op);
      return TRUE;
    }
  call = sym_net_add_call (
      net, first == NULL ? type : first, type, NULL,
      sym_net_read_attributes (net, sym_json_get_member (json, op, "attribute"), NULL), op);
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.value);

      sym_net_add_operand (net, call, name);
    }
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.value);

      sym_net_add_result (net, call, name, name, NULL);
    }
  return TRUE;
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "tosa");
  guint blocks = get_blocks (json);
  guint block = sym_json_get_element (json, blocks, 0);

  if (sym_json_count (json, blocks) > 1)
    sym_net_warn (net, blocks, "the program has %u blocks; the first one is shown",
                  sym_json_count (json, blocks));
  if (!sym_net_visit (net, sym_json_get_member (json, block, "tensors"), declare_tensor, NULL,
                      error) ||
      !sym_net_visit (net, sym_json_get_member (json, block, "inputs"), add_input, NULL, error) ||
      !sym_net_visit (net, sym_json_get_member (json, block, "operators"), add_operator, NULL,
                      error) ||
      !sym_net_visit (net, sym_json_get_member (json, block, "outputs"), add_output, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_tosa_format = {
  .name = "tosa",
  .title = "TOSA program as JSON",
  .versions = "0.20 to 1.0",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_program,
};
