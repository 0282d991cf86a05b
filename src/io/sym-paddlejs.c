/* SPDX-License-Identifier: MIT */
#include "io/sym-paddlejs-weights.h"

#include <string.h>

#include "ops/sym-op.h"

/* Paddle.js' model.json (2.x): Paddle's operators with their variables by name, in order of
 * execution. An operator may write the variable that it reads. */

static int
score (const SymJson *json)
{
  guint ops = sym_json_get_member (json, 0, "ops");
  guint first = sym_json_get_element (json, ops, 0);
  guint vars = sym_json_get_member (json, 0, "vars");

  if (sym_json_get_kind (json, ops) != SYM_JSON_ARRAY || vars == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, first, "inputs") != SYM_JSON_NONE &&
                 sym_json_get_member (json, first, "type") != SYM_JSON_NONE
             ? 95
             : 40;
}

/* What operators make: its dtype is theirs to say, as the file has none. */
static GHashTable *
list_made (const SymJson *json)
{
  GHashTable *made = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, 0, "ops"));
       sym_json_iter_next (json, &i);)
    for (SymJsonIter j = sym_json_iterate (json, sym_json_get_member (json, i.value, "outputs"));
         sym_json_iter_next (json, &j) &&
         !sym_json_string_equals (json, sym_json_get_member (json, i.value, "type"), "feed");)
      for (SymJsonIter k = sym_json_iterate (json, j.value); sym_json_iter_next (json, &k);)
        {
          char *name = sym_json_dup_string (json, k.value);

          if (name != NULL)
            g_hash_table_add (made, name);
        }
  return made;
}

static gboolean
declare_variable (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_paddlejs_dup_name (json, key, entry);
  SymType type = sym_net_read_type (net, sym_json_get_member (json, entry, "dtype"),
                                    sym_json_get_member (json, entry, "shape"));

  if (name == NULL)
    return sym_json_fail (json, entry, error, "a variable needs a 'name', a string");
  if (type.dtype == SYM_DTYPE_UNKNOWN && !g_hash_table_contains (user_data, name))
    type.dtype = SYM_DTYPE_FLOAT32;
  sym_net_declare (net, name, NULL,
                   sym_paddlejs_is_weight (json, entry, name) ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT,
                   &type, entry);
  return TRUE;
}

/* ---- Operands ---- */

/* A running mean is not trained: the file does not say so, but its slot does. */
static void
settle_role (SymNet *net, const SymSlotSpec *slot, const char *name)
{
  SymModelBuilder *builder = sym_net_get_builder (net);
  SymId value = sym_net_find (net, name);

  if (slot != NULL && slot->kind == SYM_SLOT_AUXILIARY && value != SYM_NO_ID &&
      sym_model_builder_get_role (builder, value) == SYM_ROLE_PARAMETER)
    sym_model_builder_set_role (builder, value, SYM_ROLE_AUXILIARY);
}

/* A weight with numbers is there when it is first used, and so is one of which is known why it has
 * none.  @slot is NULL where none is called for. */
static void
use (SymNet *net,
     const SymPaddlejsWeights *weights,
     SymId call,
     const SymSlotSpec *slot,
     const char *name)
{
  gboolean is_trained = slot == NULL || slot->kind != SYM_SLOT_AUXILIARY;
  SymModelBuilder *builder = sym_net_get_builder (net);
  SymTensor *tensor = sym_paddlejs_weights_get (weights, name);
  const char *lack = tensor == NULL ? sym_paddlejs_weights_get_lack (weights, name) : NULL;

  if ((tensor != NULL || lack != NULL) && sym_net_find (net, name) == SYM_NO_ID)
    {
      SymId value = sym_net_add_declared (net, name, NULL, SYM_ROLE_PARAMETER, SYM_JSON_NONE);

      if (tensor != NULL)
        sym_model_builder_set_parameter (builder, value, sym_parameter_new (is_trained, tensor));
      sym_model_builder_set_lack (builder, value, lack);
    }
  sym_net_add_operand (net, call, name);
  settle_role (net, slot, name);
}

/* {"Input": ["image"], "Filter": ["conv2d_0.w_0"]}: the list of a slot, which may be called
 * "ShapeTensor" where it is no attribute. */
static guint
find_slot (const SymJson *json, guint slots, const char *name)
{
  g_autofree char *longer = g_strconcat (name, "Tensor", NULL);
  guint list = sym_json_get_member (json, slots, name);

  return list != SYM_JSON_NONE ? list : sym_json_get_member (json, slots, longer);
}

static void
use_list (SymNet *net,
          const SymPaddlejsWeights *weights,
          SymId call,
          const SymSlotSpec *slot,
          guint list,
          guint *n_empty)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.value);

      for (; *n_empty > 0; (*n_empty)--)
        sym_net_add_operand (net, call, NULL);
      if (name != NULL)
        use (net, weights, call, slot, name);
    }
}

/* The next list of @lists that no slot has taken. */
static guint
take_next (GArray *lists)
{
  guint list = SYM_JSON_NONE;

  if (lists->len > 0)
    {
      list = g_array_index (lists, guint, 0);
      g_array_remove_index (lists, 0);
    }
  return list;
}

/* The lists whose slots have other names than those of @op. */
static GArray *
list_others (const SymJson *json, const SymOperator *op, guint slots)
{
  g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL);
  GArray *others = g_array_new (FALSE, FALSE, sizeof (guint));

  for (const SymSlotSpec *slot = op == NULL ? NULL : op->slots; slot != NULL && slot->name != NULL;
       slot++)
    g_hash_table_add (own, GUINT_TO_POINTER (find_slot (json, slots, slot->name)));
  for (SymJsonIter i = sym_json_iterate (json, slots); sym_json_iter_next (json, &i);)
    if (!g_hash_table_contains (own, GUINT_TO_POINTER (i.value)))
      g_array_append_val (others, i.value);
  return others;
}

/* Operands in the order of the operator's slots: one that is needed and has another name in the
 * file is the first of those that no slot is called for.  The rest of these follows. */
static void
use_all (SymNet *net,
         const SymPaddlejsWeights *weights,
         SymId call,
         const SymOperator *op,
         guint slots)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GArray) others = list_others (json, op, slots);
  guint n_empty = 0;

  for (const SymSlotSpec *slot = op == NULL ? NULL : op->slots; slot != NULL && slot->name != NULL;
       slot++)
    {
      guint list = find_slot (json, slots, slot->name);

      if (list == SYM_JSON_NONE && !slot->optional)
        list = take_next (others);
      if (sym_json_count (json, list) == 0)
        n_empty++;
      else
        use_list (net, weights, call, slot, list, &n_empty);
    }
  n_empty = op == NULL || op->get_n_operands != NULL ? 0 : n_empty;
  while (others->len > 0)
    use_list (net, weights, call, NULL, take_next (others), &n_empty);
}

/* ---- Results ---- */

/* Results in the order of PIR; XShape, of older operators, is for gradients only. */
static const char *const results[] = { "Out",           "Output",       "Y",           "Mask",
                                       "Indices",       "MeanOut",      "VarianceOut", "SavedMean",
                                       "SavedVariance", "ReserveSpace", "Mean",        "Variance" };

static gboolean
is_ordered (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    if (strcmp (results[i], name) == 0)
      return TRUE;
  return strcmp (name, "XShape") == 0;
}

static void
make_all (SymNet *net, SymId call, guint slots)
{
  const SymJson *json = sym_net_get_json (net);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    sym_net_add_results (net, call, sym_json_get_member (json, slots, results[i]), TRUE);
  for (SymJsonIter i = sym_json_iterate (json, slots); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      if (name == NULL || !is_ordered (name))
        sym_net_add_results (net, call, i.value, TRUE);
    }
}

/* ---- Operators ---- */

static void
add_outputs (SymNet *net, guint slots)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, slots); sym_json_iter_next (json, &i);)
    sym_net_add_outputs (net, i.value);
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
  const SymOperator *known;
  g_autofree char *name = NULL;
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, op, error, "an operator needs a 'type', a string");
  if (strcmp (type, "feed") == 0)
    return TRUE;
  if (strcmp (type, "fetch") == 0)
    {
      add_outputs (net, inputs);
      return TRUE;
    }

  name = sym_json_dup_string (json, first);
  known = sym_op_find ("paddle", type, 0);
  call = sym_net_add_call (net, name == NULL ? type : name, type, known,
                           sym_net_share_attributes (net, attributes, NULL), op);
  use_all (net, user_data, call, known, inputs);
  make_all (net, call, outputs);
  return TRUE;
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "paddlejs");
  g_autoptr (SymPaddlejsWeights) weights = NULL;
  g_autoptr (GHashTable) made = list_made (json);
  guint variables = sym_json_get_member (json, 0, "vars");

  if (!sym_net_visit (net, variables, declare_variable, made, error))
    return NULL;
  weights = sym_paddlejs_weights_new (net, variables, source, error);
  if (weights == NULL ||
      !sym_net_visit (net, sym_json_get_member (json, 0, "ops"), add_op, weights, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_paddlejs_format = {
  .name = "paddlejs",
  .title = "Paddle.js model",
  .versions = "1 and 2",
  .limits = "unknown operators do not run",
  .suffix = ".json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_program,
};
