/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include "core/sym-progress.h"
#include "core/sym-text.h"
#include "io/sym-json-private.h"

#include <string.h>

#include "ops/sym-op.h"

/* Outputs that a file may claim beyond five for each of its nodes. */
#define FREE_OUTPUTS 4096

static void
clear_draft (SymMxnetDraft *draft)
{
  if (!draft->is_body)
    sym_op_literals_free (draft->literals);
  g_free (draft->values);
  g_free (draft->calls);
  g_free (draft->operators);
  g_free (draft->attributes);
  for (guint i = 0; i < draft->graph->nodes->len; i++)
    if (draft->body_roles[i] != NULL)
      g_free (draft->body_roles[i]);
  g_free (draft->body_roles);
  g_free (draft->n_results);
  sym_rows_free (draft->variables);
  for (guint i = 0; i < SYM_MXNET_LATEST; i++)
    g_clear_pointer (&draft->latest[i].attributes, sym_attributes_unref);
  g_array_unref (draft->operands);
  g_string_free (draft->name, TRUE);
  sym_problems_unref (draft->problems);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymMxnetDraft, clear_draft)

/* Most layers have one output. */
static void
expect_rows (SymModelBuilder *builder, const SymMxnetGraph *graph)
{
  guint n = graph->nodes->len, n_calls = 0;

  for (guint i = 0; i < n; i++)
    n_calls += sym_mxnet_graph_get_node (graph, i)->op != NULL;
  sym_model_builder_expect (builder, n, n_calls, n_calls);
}

static void
init_draft (SymMxnetDraft *draft, SymMxnetGraph *graph, const SymMxnetDraft *around, guint epoch)
{
  guint n = graph->nodes->len;

  draft->graph = graph;
  draft->builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  expect_rows (draft->builder, graph);
  draft->problems = sym_problems_ref (sym_model_builder_get_problems (draft->builder));
  draft->origin = sym_mxnet_origin_new (graph, epoch);
  draft->version = around == NULL ? graph->version : around->version;
  draft->domain = around == NULL ? graph->domain : around->domain;
  draft->is_body = around != NULL;
  draft->literals = around == NULL ? sym_op_literals_new () : around->literals;
  draft->values = g_new (SymId, n + 1);
  draft->calls = g_new (SymId, n + 1);
  memset (draft->values, 0xff, sizeof (SymId) * (n + 1));
  memset (draft->calls, 0xff, sizeof (SymId) * (n + 1));
  draft->operators = g_new0 (const SymOperator *, n + 1);
  draft->attributes = g_new0 (SymAttributes *, n + 1);
  draft->body_roles = g_new0 (SymRole *, n + 1);
  draft->n_results = g_new0 (guint, n + 1);
  draft->variables = sym_rows_new (sizeof (SymMxnetVariable));
  draft->operands = g_array_new (FALSE, FALSE, sizeof (SymId));
  draft->name = g_string_new (NULL);
}

/* The text of a string, and in *@decoded what has to be freed of it. */
static const char *
get_text (const SymJson *json, guint token, char **decoded, gsize *length)
{
  const char *text = sym_json_peek_string (json, token, length);

  if (text != NULL)
    return text;
  *decoded = sym_json_dup_string (json, token);
  *length = strlen (*decoded);
  return *decoded;
}

/* The members of a map as names and literals, typed as those of @op. */
static void
add_members (const SymMxnetDraft *draft,
             guint node,
             guint map,
             const SymOperator *op,
             SymId call,
             SymAttributes *attributes)
{
  const SymJson *json = draft->graph->json;
  SymProblems *problems = call == SYM_NO_ID ? NULL : draft->problems;
  guint line;

  if (map == SYM_JSON_NONE && problems == NULL)
    return;
  line = sym_mxnet_graph_get_line (draft->graph, node);
  for (SymJsonIter i = sym_json_begin (json, map); sym_json_step (json, &i);)
    {
      g_autofree char *own_name = NULL, *own_literal = NULL;
      gsize name_length, literal_length;
      const char *name = get_text (json, i.key, &own_name, &name_length);
      const char *literal = get_text (json, i.value, &own_literal, &literal_length);

      sym_op_literals_set (draft->literals, op, name, name_length, literal, literal_length,
                           attributes, problems, line, call);
    }
  if (problems != NULL)
    sym_op_check_attributes (op, attributes, problems, line, call);
}

static SymAttributes *
read_map (const SymMxnetDraft *draft, guint node, guint map, const SymOperator *op, SymId call)
{
  SymAttributes *attributes = sym_attributes_new_sized (sym_json_count (draft->graph->json, map));

  add_members (draft, node, map, op, call, attributes);
  return attributes;
}

/* The attributes of the layer of a call, which share those of one like it. */
static SymAttributes *
read_layer (SymMxnetDraft *draft, guint node, guint map, const SymOperator *op)
{
  gsize place = (gsize) op / sizeof (SymOperator);
  SymMxnetLatest *latest = &draft->latest[place % SYM_MXNET_LATEST];
  guint n_problems = sym_problems_get_n (draft->problems);
  SymAttributes *attributes;

  if (latest->attributes != NULL && latest->op == op &&
      sym_json_texts_equal (draft->graph->json, latest->map, map))
    return sym_attributes_ref (latest->attributes);
  attributes =
      sym_mxnet_upgrade_layer (op, read_map (draft, node, map, op, draft->n_calls), draft->version);
  if (sym_problems_get_n (draft->problems) > n_problems)
    return attributes;
  g_clear_pointer (&latest->attributes, sym_attributes_unref);
  sym_attributes_seal (attributes);
  *latest = (SymMxnetLatest){ op, map, sym_attributes_ref (attributes) };
  return attributes;
}

/* ---- Counting outputs ---- */

/* How many results a call gets, and in *@n_total how many outputs its node has: what the operator
 * shows and whatever else is used.  @budget bounds what a hostile file can ask for. */
static guint
count_results (const SymMxnetDraft *draft,
               guint node,
               const SymAttributes *layer,
               guint n_used,
               guint *n_total,
               guint *budget)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  const SymOperator *op = draft->operators[node];
  int n_visible = 0;
  int n_outputs = op != NULL ? sym_op_get_n_outputs (op, layer, &n_visible) : 0;
  guint total, n;

  if (n_outputs > 0)
    {
      total = (guint) n_outputs;
      n = n_visible > 0 ? (guint) n_visible : 1;
      n = MAX (n, MIN (n_used, total));
    }
  else
    {
      total = row->n_outputs > 0 ? row->n_outputs : MAX (n_used, 1);
      n = total;
    }

  if (n - 1 > *budget)
    {
      sym_problems_add (draft->problems, SYM_SEVERITY_WARNING,
                        sym_mxnet_graph_get_line (draft->graph, node), SYM_NO_ID, draft->n_calls,
                        "'%s' (%s) claims %u outputs; %u of them are shown", row->name, row->op, n,
                        *budget + 1);
      n = *budget + 1;
    }
  *budget -= n - 1;
  *n_total = total;
  return n;
}

/* ---- Variables and calls ---- */

/* Takes @attributes, which stand for @where.  @name is one of the graph's strings. */
static SymId
add_value (SymMxnetDraft *draft,
           guint node,
           const char *name,
           SymRole role,
           SymAttributes *attributes,
           guint where)
{
  SymId value = sym_model_builder_add_value (draft->builder, name, role, NULL);
  SymMxnetVariable variable = { value, name, attributes, node };

  sym_rows_append (draft->variables, variable);
  sym_mxnet_origin_place (draft->origin, attributes, where);
  sym_model_builder_set_value_attributes (draft->builder, value, attributes);
  sym_model_builder_set_value_line (draft->builder, value,
                                    sym_mxnet_graph_get_line (draft->graph, node));
  return value;
}

static void
add_variable (SymMxnetDraft *draft, guint node)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  SymAttributes *attributes = read_map (draft, node, row->attributes, NULL, SYM_NO_ID);
  SymType type;

  add_members (draft, node, row->hidden, NULL, SYM_NO_ID, attributes);
  sym_mxnet_upgrade_hidden (attributes);
  type = sym_mxnet_parse_type (attributes, draft->graph->is_np_shape);
  draft->attributes[node] = attributes;
  draft->values[node] = add_value (draft, node, row->name, SYM_ROLE_INPUT, attributes, node + 1);
  sym_model_builder_set_type (draft->builder, draft->values[node], &type);
}

static void
name_results (SymMxnetDraft *draft, guint node, guint n_total)
{
  const char *name = sym_mxnet_graph_get_node (draft->graph, node)->name;
  gsize length = strlen (name);

  for (guint i = 0; i < draft->n_results[node]; i++)
    {
      g_string_truncate (draft->name, 0);
      sym_text_append (draft->name, name, length);
      g_string_append_c (draft->name, '_');
      sym_op_append_output_name (draft->operators[node], i, n_total, draft->name);
      sym_model_builder_set_value_name (
          draft->builder, sym_model_builder_get_result (draft->builder, draft->calls[node], i),
          draft->name->str);
    }
}

static void
declare_results (SymMxnetDraft *draft, guint node, const SymAttributes *attributes)
{
  if (!sym_mxnet_has_output_types (attributes))
    return;

  for (guint i = 0; i < draft->n_results[node]; i++)
    {
      SymId value = sym_model_builder_get_result (draft->builder, draft->calls[node], i);
      SymType type = sym_mxnet_parse_output_type (attributes, i, draft->graph->is_np_shape);

      sym_model_builder_set_type (draft->builder, value, &type);
    }
}

/* Adds the variables that the file leaves out, before their call. */
static void
add_implied (SymMxnetDraft *draft, guint node, guint n_implied, GArray *operands)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);

  for (guint i = 0; i < n_implied; i++)
    {
      const SymSlotSpec *slot = sym_op_get_slot (draft->operators[node], row->n_inputs + i);
      const char *suffix = slot == NULL ? "aux" : slot->name;
      g_autofree char *whole =
          row->name[0] == '\0' ? g_strdup (suffix) : g_strdup_printf ("%s_%s", row->name, suffix);
      const char *name = g_string_chunk_insert (draft->graph->strings, whole);
      SymRole role = sym_mxnet_get_slot_role (draft->operators[node], row->n_inputs + i);
      SymId value = add_value (draft, node, name, role,
                               sym_mxnet_make_implied (draft, node, suffix), SYM_MXNET_IMPLIED);

      g_array_append_val (operands, value);
    }
}

/* Problems of a body belong among those of the whole, under the call. */
static void
report_body (SymMxnetDraft *draft, const SymProblems *problems, const char *node, const char *body)
{
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      sym_problems_add (draft->problems, problem->severity, problem->line, SYM_NO_ID,
                        draft->n_calls, "%s of '%s': %s", body, node, problem->message);
    }
}

/* Files number bodies; people call them by what they are for. */
static char *
make_body_name (const SymOperator *op, guint number)
{
  guint n = op != NULL && op->body_names != NULL ? g_strv_length ((char **) op->body_names) : 0;

  return number < n ? g_strdup (op->body_names[number]) : g_strdup_printf ("subgraph%u", number);
}

static gboolean
add_bodies (SymMxnetDraft *draft,
            const SymIoSource *source,
            guint node,
            SymLayer *layer,
            guint depth,
            GError **error)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  SymJson *json = draft->graph->json;
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, row->subgraphs); sym_json_iter_next (json, &i); n++)
    {
      g_autofree char *name = make_body_name (draft->operators[node], n);
      g_autoptr (SymMxnetGraph) graph = NULL;
      g_autoptr (SymModel) body = NULL;

      if (depth == SYM_MXNET_MAX_BODIES)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                       "line %u: graphs within nodes are nested deeper than %d",
                       sym_json_get_line (json, i.value), SYM_MXNET_MAX_BODIES);
          return FALSE;
        }
      graph = sym_mxnet_graph_new (json, i.value, draft->problems, error);
      if (graph == NULL)
        return FALSE;
      body = sym_mxnet_build (graph, source, draft, depth + 1, NULL, 0, error);
      if (body == NULL)
        return FALSE;
      sym_layer_add_body (layer, name, body, FALSE);
      report_body (draft, sym_model_get_problems (body), row->name, name);
    }
  return TRUE;
}

/* The operands of a call without the values that come later in the file, with the implied ones. */
static GArray *
make_operands (SymMxnetDraft *draft, guint node, const SymAttributes *layer)
{
  guint n_inputs = sym_mxnet_graph_get_node (draft->graph, node)->n_inputs;
  GArray *operands = draft->operands;

  g_array_set_size (operands, n_inputs);
  for (guint i = 0; i < n_inputs; i++)
    g_array_index (operands, SymId, i) = SYM_NO_ID;
  add_implied (draft, node, sym_mxnet_count_implied (draft, node, layer), operands);
  return operands;
}

static gboolean
add_call (SymMxnetDraft *draft,
          const SymIoSource *source,
          guint node,
          guint n_used,
          guint *budget,
          guint depth,
          GError **error)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  const SymOperator *op = sym_op_find (draft->domain, row->op, 0);
  SymAttributes *hidden = read_map (draft, node, row->hidden, NULL, SYM_NO_ID);
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  GArray *operands;
  guint n_total;

  draft->operators[node] = op;
  draft->attributes[node] = hidden;
  sym_mxnet_origin_place (draft->origin, hidden, node + 1);
  attributes = read_layer (draft, node, row->attributes, op);
  layer = sym_layer_new (row->op, op, attributes);
  sym_layer_set_name (layer, row->name);
  if (!add_bodies (draft, source, node, layer, depth, error))
    {
      sym_attributes_unref (hidden);
      return FALSE;
    }

  draft->body_roles[node] = sym_mxnet_get_body_roles (layer, row->n_inputs);
  operands = make_operands (draft, node, attributes);
  draft->n_results[node] = count_results (draft, node, attributes, n_used, &n_total, budget);
  draft->calls[node] = sym_model_builder_add_call (draft->builder, row->name, layer,
                                                   (const SymId *) (gpointer) operands->data,
                                                   operands->len, draft->n_results[node]);
  draft->n_calls++;
  sym_mxnet_upgrade_hidden (hidden);
  sym_model_builder_set_call_attributes (draft->builder, draft->calls[node], hidden);
  sym_model_builder_set_call_line (draft->builder, draft->calls[node],
                                   sym_mxnet_graph_get_line (draft->graph, node));
  name_results (draft, node, n_total);
  declare_results (draft, node, attributes);
  declare_results (draft, node, hidden);
  return TRUE;
}

static gboolean
add_nodes (SymMxnetDraft *draft, const SymIoSource *source, guint depth, GError **error)
{
  g_autofree guint *used = sym_mxnet_graph_count_used (draft->graph);
  guint budget = FREE_OUTPUTS + MIN (draft->graph->nodes->len, G_MAXUINT / 8) * 4;

  for (guint i = 0; i < draft->graph->nodes->len; i++)
    {
      if (sym_mxnet_graph_get_node (draft->graph, i)->op == NULL)
        add_variable (draft, i);
      else if (!add_call (draft, source, i, used[i], &budget, depth, error))
        return FALSE;
      if ((i & 0xff) == 0 && g_cancellable_set_error_if_cancelled (source->cancellable, error))
        return FALSE;
      if ((i & 0xfff) == 0 && depth == 0)
        sym_progress_tell (source->cancellable, i, draft->graph->nodes->len);
    }
  return TRUE;
}

/* What of the time to make a model is over when its nodes are begun, when they are added, when
 * these know each other, when they are checked, and when the model is there, to be checked as well.
 */
#define SHARE_BEFORE 0.2
#define SHARE_NODES 0.75
#define PERCENT_CONNECTED 80
#define PERCENT_CHECKED 92
#define PERCENT_ENDED 97

static gboolean
add_all_nodes (SymMxnetDraft *draft, const SymIoSource *source, guint depth, GError **error)
{
  SymProgressPart whole;
  gboolean done;

  if (depth > 0)
    return add_nodes (draft, source, depth, error);
  whole = sym_progress_enter (source->cancellable, SHARE_BEFORE, SHARE_NODES);
  done = add_nodes (draft, source, depth, error);
  sym_progress_leave (source->cancellable, whole);
  return done;
}

/* ---- The whole ---- */

/* Without a weights file a graph is whole, but cannot run: worth a note. */
static void
note_missing_weights (SymMxnetDraft *draft)
{
  guint n = 0;

  for (guint i = 0; i < draft->variables->len; i++)
    n += sym_model_builder_get_role (draft->builder,
                                     g_array_index (draft->variables, SymMxnetVariable, i).value) !=
         SYM_ROLE_INPUT;
  if (n > 0)
    sym_problems_add (draft->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "no weights lie beside the graph: its %u parameters have no numbers", n);
}

/* Tells how much is done.  FALSE when no more is wanted. */
static gboolean
go_on (const SymMxnetDraft *draft, guint depth, guint percent, GError **error)
{
  if (depth == 0)
    sym_progress_tell (draft->cancellable, percent, 100);
  return !g_cancellable_set_error_if_cancelled (draft->cancellable, error);
}

/* Puts the builder together but for the end. */
static gboolean
fill (SymMxnetDraft *draft,
      const SymIoSource *source,
      SymStoreTensors *weights,
      guint depth,
      GError **error)
{
  if (!add_all_nodes (draft, source, depth, error) || !sym_mxnet_connect (draft, error))
    return FALSE;
  sym_mxnet_assign_roles (draft, weights);
  if (depth == 0 && weights == NULL && source->path != NULL &&
      !sym_problems_has_errors (source->problems))
    note_missing_weights (draft);
  if (!go_on (draft, depth, PERCENT_CONNECTED, error))
    return FALSE;
  sym_mxnet_check_graph (draft);
  return go_on (draft, depth, PERCENT_CHECKED, error);
}

SymModel *
sym_mxnet_build (SymMxnetGraph *graph,
                 const SymIoSource *source,
                 const SymMxnetDraft *around,
                 guint depth,
                 SymStoreTensors *weights,
                 guint epoch,
                 GError **error)
{
  g_auto (SymMxnetDraft) draft = { 0 };
  g_autoptr (SymModel) model = NULL;

  init_draft (&draft, graph, around, epoch);
  draft.cancellable = source->cancellable;
  sym_model_builder_set_origin (draft.builder, draft.domain, draft.origin, sym_mxnet_origin_free);
  sym_model_builder_set_name (draft.builder, source->name);
  if (around == NULL)
    sym_problems_append (draft.problems, source->problems);
  if (!fill (&draft, source, weights, depth, error))
    {
      sym_model_builder_free (draft.builder);
      return NULL;
    }
  model = sym_model_builder_end (draft.builder);
  if (!go_on (&draft, depth, PERCENT_ENDED, error))
    return NULL;
  sym_mxnet_check_model (&draft, model);
  return go_on (&draft, depth, 100, error) ? g_steal_pointer (&model) : NULL;
}
