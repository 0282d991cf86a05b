/* SPDX-License-Identifier: MIT */
#include "io/sym-net-constants.h"
#include "io/sym-tflite.h"
#include "ops/sym-op.h"

/* TOSA as flatc writes it as JSON (0.20 to 1.0): regions of blocks, whose operators name their
 * tensors.  The first block is the program; others are branches and loops. */

#define MAX_DEPTH 16

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

/* What is read beside a block. */
typedef struct {
  const SymIoSource *source;
  guint depth;         /* of bodies around it */
  GHashTable *blocks;  /* of the program: name to token + 1 */
  guint64 *spent;      /* on bodies: see sym_net_take_body() */
  GHashTable *tensors; /* of the block: name to token + 1 */
} Walk;

/* ---- Tensors ---- */

/* SHAPE is of 64-bit integers. */
static SymType
read_type (SymNet *net, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);
  guint dtype = sym_json_get_member (json, tensor, "type");
  SymType type = sym_net_read_type (net, dtype, sym_json_get_member (json, tensor, "shape"));
  gboolean is_unranked = FALSE;

  if (sym_json_string_equals (json, dtype, "SHAPE"))
    type.dtype = SYM_DTYPE_INT64;
  if (sym_json_get_bool (json, sym_json_get_member (json, tensor, "is_unranked"), &is_unranked) &&
      is_unranked)
    type.shape = SYM_SHAPE_UNKNOWN;
  return type;
}

static gboolean
declare_tensor (SymNet *net, guint key, guint tensor, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, tensor, "name"));
  SymType type = read_type (net, tensor);

  if (name == NULL)
    return sym_json_fail (json, tensor, error, "a tensor needs a 'name', a string");
  sym_net_declare (net, name, NULL, SYM_ROLE_INPUT, &type, tensor);
  g_hash_table_insert (walk->tensors, g_steal_pointer (&name), GUINT_TO_POINTER (tensor + 1));
  return TRUE;
}

/* CONST makes numbers of nothing: what it makes is a weight, or a constant where these are few. */
static void
add_constant (SymNet *net, const Walk *walk, const char *name, guint op)
{
  guint tensor = GPOINTER_TO_UINT (g_hash_table_lookup (walk->tensors, name)) - 1;
  SymType type = read_type (net, tensor);
  gboolean is_stored;
  g_autoptr (SymTensor) numbers =
      sym_tflite_read_numbers (net, tensor, tensor, NULL, &type, &is_stored);
  SymValue *small = numbers == NULL ? NULL : sym_net_read_small (numbers);
  SymId value = sym_net_add_declared (net, name, NULL,
                                      small != NULL ? SYM_ROLE_CONSTANT : SYM_ROLE_PARAMETER, op);

  if (small != NULL)
    sym_model_builder_set_tensor (sym_net_get_builder (net), value, g_steal_pointer (&numbers));
  else if (numbers != NULL)
    sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                     sym_parameter_new (TRUE, numbers));
  g_clear_pointer (&small, sym_value_unref);
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

/* ---- Operators ---- */

static SymModel *read_body (SymNet *around, const Walk *walk, guint block, GError **error);

/* Of several with one name the first, which one that is in the table already is. */
static void
add_block (const SymJson *json, GHashTable *blocks, guint named, guint block)
{
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, named, "name"));

  if (name != NULL && block != SYM_JSON_NONE && !g_hash_table_contains (blocks, name))
    g_hash_table_insert (blocks, g_steal_pointer (&name), GUINT_TO_POINTER (block + 1));
}

/* By the region whose first block it is; before 1.0, by the block itself. */
static GHashTable *
list_blocks (const SymJson *json)
{
  GHashTable *blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint regions = sym_json_get_member (json, 0, "regions");

  for (SymJsonIter i = sym_json_iterate (json, regions); sym_json_iter_next (json, &i);)
    add_block (json, blocks, i.value,
               sym_json_get_element (json, sym_json_get_member (json, i.value, "blocks"), 0));
  for (SymJsonIter i = sym_json_iterate (json, get_blocks (json)); sym_json_iter_next (json, &i);)
    add_block (json, blocks, i.value, i.value);
  return blocks;
}

static guint
find_block (const SymJson *json, const Walk *walk, guint name)
{
  g_autofree char *wanted = sym_json_dup_string (json, name);
  guint token = wanted == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (walk->blocks, wanted));

  return token == 0 ? SYM_JSON_NONE : token - 1;
}

static gboolean
add_bodies (SymNet *net, const Walk *walk, guint attribute, SymLayer *layer, GError **error)
{
  static const struct {
    const char *member, *body;
  } bodies[] = {
    { "then_graph", "then" },  { "else_graph", "else" },  { "cond_graph", "cond" },
    { "body_graph", "body" },  { "then_branch", "then" }, { "else_branch", "else" },
    { "cond_branch", "cond" }, { "body_branch", "body" },
  };
  const SymJson *json = sym_net_get_json (net);

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      guint name = sym_json_get_member (json, attribute, bodies[i].member);
      guint block = find_block (json, walk, name);
      g_autoptr (SymModel) body = NULL;

      if (name == SYM_JSON_NONE)
        continue;
      if (block == SYM_JSON_NONE || walk->depth >= MAX_DEPTH ||
          !sym_net_take_body (net, block, walk->spent))
        {
          sym_net_warn (net, name, "the graph that '%s' tells cannot be shown", bodies[i].member);
          continue;
        }
      body = read_body (net, walk, block, error);
      if (body == NULL)
        return FALSE;
      sym_layer_add_body (layer, bodies[i].body, body, FALSE);
    }
  return TRUE;
}

/* Of the tensor of that name; unknown for none. */
static SymDType
find_dtype (SymNet *net, const Walk *walk, guint name)
{
  g_autofree char *key = sym_json_dup_string (sym_net_get_json (net), name);
  guint token = key == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (walk->tensors, key));

  return token == 0 ? SYM_DTYPE_UNKNOWN : read_type (net, token - 1).dtype;
}

static gboolean
add_operator (SymNet *net, guint key, guint op, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint attribute = sym_json_get_member (json, op, "attribute");
  guint outputs = sym_json_get_member (json, op, "outputs");
  g_autofree char *type = sym_net_dup_key (json, sym_json_get_member (json, op, "op"));
  g_autofree char *first = sym_json_dup_string (json, sym_json_get_element (json, outputs, 0));
  g_autoptr (SymAttributes) attributes = sym_net_read_attributes (net, attribute, NULL);
  g_autoptr (SymLayer) layer = NULL;
  const SymOperator *known;
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, op, error, "an operator needs an 'op'");
  if (g_str_has_prefix (type, "CONST") && first != NULL)
    {
      add_constant (net, walk, first, op);
      return TRUE;
    }
  known = sym_op_find ("tosa", type, 0);
  if (known != NULL)
    sym_net_note_dtype (
        attributes,
        find_dtype (net, walk,
                    sym_json_get_element (json, sym_json_get_member (json, op, "inputs"), 0)),
        find_dtype (net, walk, sym_json_get_element (json, outputs, 0)));
  layer = sym_layer_new (type, known, attributes);
  sym_layer_set_name (layer, first == NULL ? type : first);
  if (!add_bodies (net, walk, attribute, layer, error))
    return FALSE;
  call = sym_net_add_layer (net, first == NULL ? type : first, layer, op);
  sym_net_add_operands (net, call, sym_json_get_member (json, op, "inputs"));
  sym_net_add_results (net, call, outputs, TRUE);
  if (sym_net_count_results (net, call) == 0)
    sym_net_pass_over (net, sym_net_add_result (net, call, NULL, NULL, NULL));
  return TRUE;
}

/* ---- Blocks ---- */

static gboolean
fill (SymNet *net, const Walk *around, guint block, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Walk walk = *around;

  walk.tensors = tensors;
  return sym_net_visit (net, sym_json_get_member (json, block, "tensors"), declare_tensor, &walk,
                        error) &&
         sym_net_visit (net, sym_json_get_member (json, block, "inputs"), add_input, NULL, error) &&
         sym_net_visit (net, sym_json_get_member (json, block, "operators"), add_operator, &walk,
                        error) &&
         sym_net_visit (net, sym_json_get_member (json, block, "outputs"), add_output, NULL, error);
}

static SymModel *
read_body (SymNet *around, const Walk *walk, guint block, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (walk->source, sym_net_get_json (around), "tosa");
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  Walk inside = *walk;

  inside.depth++;
  return fill (net, &inside, block, error)
             ? sym_net_end_body (g_steal_pointer (&net), captures, error)
             : NULL;
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "tosa");
  guint block = sym_json_get_element (json, get_blocks (json), 0);
  g_autoptr (GHashTable) blocks = list_blocks (json);
  guint64 spent = 0;
  Walk walk = { source, 0, blocks, &spent, NULL };

  return fill (net, &walk, block, error) ? sym_net_end (g_steal_pointer (&net), error) : NULL;
}

const SymIoFormat sym_tosa_format = {
  .name = "tosa",
  .title = "TOSA program as JSON",
  .versions = "0.20 to 1.0",
  .limits = "integers with a scale do not run, nor branches and loops",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_program,
};
