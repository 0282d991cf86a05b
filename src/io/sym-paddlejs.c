/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* Paddle.js' model.json (2.x): Paddle's operators with their variables by name, in order of execution.
 * An operator may write the variable that it reads. */

static int
score (const SymJson *json)
{
  guint ops = sym_json_get_member (json, 0, "ops");
  guint first = sym_json_get_element (json, ops, 0);
  guint vars = sym_json_get_member (json, 0, "vars");

  if (sym_json_get_kind (json, ops) != SYM_JSON_ARRAY || vars == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, first, "inputs") != SYM_JSON_NONE
             && sym_json_get_member (json, first, "type") != SYM_JSON_NONE
           ? 95
           : 40;
}

/* Paddle's names of weights: "conv2d_0.w_0", "batch_norm_3.b_0". */
static gboolean
is_weight_name (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL && (g_str_has_prefix (dot, ".w_") || g_str_has_prefix (dot, ".b_"));
}

static gboolean
declare_variable (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *own = sym_json_dup_string (json, sym_json_get_member (json, entry, "name"));
  g_autofree char *name = own != NULL ? g_steal_pointer (&own) : sym_json_dup_string (json, key);
  SymType type = sym_net_read_type (net, sym_json_get_member (json, entry, "dtype"),
                                    sym_json_get_member (json, entry, "shape"));
  gboolean is_weight = FALSE;

  if (name == NULL)
    return sym_json_fail (json, entry, error, "a variable needs a 'name', a string");
  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = SYM_DTYPE_FLOAT32;
  sym_json_get_bool (json, sym_json_get_member (json, entry, "persistable"), &is_weight);
  sym_net_declare (net, name, NULL,
                   is_weight || is_weight_name (name) ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT, &type,
                   entry);
  return TRUE;
}

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

static void
use_output (SymNet *net, SymId call, const char *name)
{
  sym_net_add_output (net, name);
}

/* {"Input": ["image"], "Filter": ["conv2d_0.w_0"]} */
static void
use_all (SymNet *net, guint slots, SymId call, Use use)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, slots); sym_json_iter_next (json, &i);)
    for (SymJsonIter j = sym_json_iterate (json, i.value); sym_json_iter_next (json, &j);)
      {
        g_autofree char *name = sym_json_dup_string (json, j.value);

        if (name != NULL)
          use (net, call, name);
      }
}

/* What is fed is an input, what is fetched an output: neither is a layer. */
static gboolean
add_op (SymNet *net, guint key, guint op, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, op, "inputs");
  guint outputs = sym_json_get_member (json, op, "outputs");
  guint attributes = sym_json_get_member (json, op, "attrs");
  guint first = sym_json_get_element (json, sym_json_get_member (json, outputs, "Out"), 0);
  g_autofree char *type = sym_json_dup_string (json, sym_json_get_member (json, op, "type"));
  g_autofree char *name = NULL;
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, op, error, "an operator needs a 'type', a string");
  if (strcmp (type, "feed") == 0)
    return TRUE;
  if (strcmp (type, "fetch") == 0)
    {
      use_all (net, inputs, SYM_NO_ID, use_output);
      return TRUE;
    }

  name = sym_json_dup_string (json, first);
  call = sym_net_add_call (net, name == NULL ? type : name, type, NULL,
                           sym_net_read_attributes (json, attributes, NULL), op);
  use_all (net, inputs, call, use_operand);
  use_all (net, outputs, call, use_result);
  return TRUE;
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "paddlejs");

  if (!sym_net_visit (net, sym_json_get_member (json, 0, "vars"), declare_variable, NULL, error)
      || !sym_net_visit (net, sym_json_get_member (json, 0, "ops"), add_op, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_paddlejs_format = {
  .name = "paddlejs",
  .title = "Paddle.js model",
  .versions = "1 and 2",
  .suffix = ".json",
  .score = score,
  .read = read_program,
};
