/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <math.h>
#include <string.h>

/* ---- Numbers of an item ---- */

static SymSummaryRow
get_row (SymQueryScan *scan, guint item)
{
  return sym_summary_get_row (scan->index->summary, item);
}

static gboolean
is_node (SymQueryScan *scan, guint item)
{
  return item < scan->index->n_nodes;
}

static gboolean
get_number (SymQueryScan *scan, guint item, double *number)
{
  *number = item + 1;
  return is_node (scan, item);
}

static gboolean
get_parameters (SymQueryScan *scan, guint item, double *number)
{
  SymSummaryRow row;

  if (!is_node (scan, item))
    return FALSE;
  row = get_row (scan, item);
  *number = (double) row.n_parameters;
  return row.parameters_known;
}

/* Yes: all of them; no: none; of some and some neither is told. */
static gboolean
get_trainable (SymQueryScan *scan, guint item, double *number)
{
  SymSummaryRow row;

  if (!is_node (scan, item))
    return FALSE;
  row = get_row (scan, item);
  *number = row.n_trainable > 0;
  return row.n_parameters > 0 && (row.n_trainable == 0 || row.n_trainable == row.n_parameters);
}

/* Those of a call that makes several nodes are told of the first. */
static gboolean
get_multiply_adds (SymQueryScan *scan, guint item, double *number)
{
  SymQueryItem it = sym_query_index_get_item (scan->index, item);
  SymCount count;

  *number = 0;
  if (it.kind == SYM_QUERY_GROUP || it.call == SYM_NO_ID)
    return it.kind == SYM_QUERY_NODE;
  if (it.value != SYM_NO_ID && sym_model_get_first_result (scan->index->model, it.call) != it.value)
    return TRUE;
  count = sym_figures_get_multiply_adds (scan->figures, it.call);
  *number = (double) count.n;
  return count.known;
}

static gboolean
get_bytes (SymQueryScan *scan, guint item, double *number)
{
  SymCount count = { 0, FALSE };

  if (is_node (scan, item))
    count =
        sym_figures_get_bytes (scan->figures, sym_query_index_get_item (scan->index, item).value);
  *number = (double) count.n;
  return count.known;
}

static gboolean
get_depth (SymQueryScan *scan, guint item, double *number)
{
  if (!is_node (scan, item))
    return FALSE;
  *number =
      sym_model_get_depth (scan->index->model, sym_query_index_get_item (scan->index, item).value);
  return TRUE;
}

static gboolean
get_rank (SymQueryScan *scan, guint item, double *number)
{
  SymType type;

  if (!is_node (scan, item))
    return FALSE;
  type = sym_inference_get_type (scan->index->inference,
                                 sym_query_index_get_item (scan->index, item).value);
  *number = type.shape.rank;
  return type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0;
}

static gboolean
get_n_parents (SymQueryScan *scan, guint item, double *number)
{
  SymQueryItem it = sym_query_index_get_item (scan->index, item);

  *number = it.call == SYM_NO_ID ? 0 : sym_model_get_data_operands (scan->index->model, it.call).n;
  return it.kind != SYM_QUERY_GROUP;
}

static gboolean
get_n_uses (SymQueryScan *scan, guint item, double *number)
{
  if (!is_node (scan, item))
    return FALSE;
  *number = sym_model_get_consumers (scan->index->model,
                                     sym_query_index_get_item (scan->index, item).value)
                .n;
  return TRUE;
}

static gboolean
get_n_layers (SymQueryScan *scan, guint item, double *number)
{
  SymQueryItem it = sym_query_index_get_item (scan->index, item);

  if (it.kind != SYM_QUERY_GROUP)
    return FALSE;
  *number = sym_groups_get (scan->index->groups, it.group)->n_calls;
  return TRUE;
}

static gboolean
get_time (SymQueryScan *scan, guint item, double *number)
{
  SymQueryItem it = sym_query_index_get_item (scan->index, item);

  if (scan->index->milliseconds == NULL || it.call == SYM_NO_ID)
    return FALSE;
  *number = scan->index->milliseconds[it.call];
  return *number >= 0;
}

/* ---- Yes and no ---- */

static gboolean
get_unused (SymQueryScan *scan, guint item, double *number)
{
  SymId value = sym_query_index_get_item (scan->index, item).value;

  if (value == SYM_NO_ID)
    return FALSE;
  *number = sym_model_get_consumers (scan->index->model, value).n == 0 &&
            !sym_model_is_output (scan->index->model, value);
  return TRUE;
}

static gboolean
get_dead (SymQueryScan *scan, guint item, double *number)
{
  SymId value = sym_query_index_get_item (scan->index, item).value;

  if (value == SYM_NO_ID)
    return FALSE;
  *number = !sym_model_is_live (scan->index->model, value);
  return TRUE;
}

static gboolean
get_output (SymQueryScan *scan, guint item, double *number)
{
  SymId value = sym_query_index_get_item (scan->index, item).value;

  if (value == SYM_NO_ID)
    return FALSE;
  *number = sym_model_is_output (scan->index->model, value);
  return TRUE;
}

static gboolean
get_input (SymQueryScan *scan, guint item, double *number)
{
  SymId value = sym_query_index_get_item (scan->index, item).value;

  if (value == SYM_NO_ID)
    return FALSE;
  *number = sym_model_get_role (scan->index->model, value) == SYM_ROLE_INPUT;
  return TRUE;
}

static gboolean
get_runs (SymQueryScan *scan, guint item, double *number)
{
  SymLayer *layer = sym_query_index_get_layer (scan->index, item);
  const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);
  const SymFunction *function = layer == NULL ? NULL : sym_layer_get_function (layer);

  if (layer == NULL)
    return FALSE;
  *number = sym_layer_get_running_body (layer) != NULL ||
            (function != NULL && function->run != NULL) ||
            (op != NULL && (op->run != NULL || op->lower != NULL || op->formula != NULL));
  return TRUE;
}

/* ---- All items by their numbers ---- */

static gboolean
match_numbers (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  for (guint i = 0; i < scan->index->n_items; i++)
    {
      double number;
      gboolean known = self->field->get_number (scan, i, &number);

      if (!sym_query_goes_on (scan, i))
        return FALSE;
      if (self->asks_unknown)
        truths[i] = !known && i < scan->index->n_nodes;
      else
        truths[i] = known ? sym_query_compare (self, number) : SYM_QUERY_UNKNOWN;
    }
  return TRUE;
}

static gboolean
match_truths (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  for (guint i = 0; i < scan->index->n_items; i++)
    {
      double number;

      if (!sym_query_goes_on (scan, i))
        return FALSE;
      if (!self->field->get_number (scan, i, &number))
        truths[i] = SYM_QUERY_UNKNOWN;
      else
        truths[i] = (number != 0) == self->truth;
    }
  return TRUE;
}

/* ---- Texts ---- */

static const SymQueryTexts *
get_types (SymQueryIndex *index)
{
  return &index->types;
}

static const SymQueryTexts *
get_dtypes (SymQueryIndex *index)
{
  return &index->dtypes;
}

static const SymQueryTexts *
get_shapes (SymQueryIndex *index)
{
  return &index->shapes;
}

static gboolean
match_types (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  return sym_query_match_texts (scan, self, &scan->index->types, TRUE, truths);
}

static gboolean
match_dtypes (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  return sym_query_match_texts (scan, self, &scan->index->dtypes, TRUE, truths);
}

static const char *
get_change (SymQueryScan *scan, guint item)
{
  SymId call = sym_query_index_get_item (scan->index, item).call;

  if (scan->index->changes == NULL || call == SYM_NO_ID)
    return NULL;
  return sym_compare_kind_to_string ((SymCompareKind) scan->index->changes[call]);
}

/* Of what no call made, and of groups, nothing is known. */
static gboolean
match_changes (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  gboolean hard = FALSE;

  for (guint i = 0; i < scan->index->n_items; i++)
    {
      const char *change = get_change (scan, i);

      truths[i] = change == NULL ? SYM_QUERY_UNKNOWN
                                 : sym_query_match_text (self, change, change, TRUE, &hard);
    }
  return hard ? sym_query_fail_hard (scan, self) : TRUE;
}

/* ---- Why ---- */

static char *
tell_text (const SymQueryTexts *texts, const char *what, guint item)
{
  if (texts->ids[item] == SYM_QUERY_NO_TEXT)
    return g_strdup_printf ("%s not known", what);
  return g_strdup_printf ("%s %s", what, (char *) texts->texts->pdata[texts->ids[item]]);
}

static char *
tell_type (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  return tell_text (&scan->index->types, "type", item);
}

static char *
tell_dtype (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  return tell_text (&scan->index->dtypes, "dtype", item);
}

static char *
tell_shape (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  return tell_text (&scan->index->shapes, "shape", item);
}

static char *
tell_name (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  return g_strdup_printf ("name %s", sym_query_index_get_name (scan->index, item));
}

static char *
tell_change (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  return g_strdup_printf ("change %s", get_change (scan, item));
}

static char *
tell_group (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  SymQueryItem it = sym_query_index_get_item (scan->index, item);
  guint group =
      it.kind == SYM_QUERY_GROUP ? it.group : sym_groups_find_call (scan->index->groups, it.call);
  g_autoptr (GString) path = g_string_new (NULL);

  for (; group != SYM_NO_GROUP; group = sym_groups_get (scan->index->groups, group)->parent)
    {
      g_string_prepend (path, path->len > 0 ? " / " : "");
      g_string_prepend (path, sym_groups_get (scan->index->groups, group)->name);
    }
  return g_strdup_printf ("group %s", path->str);
}

/* ---- The table ---- */

#define NUMBER(name_, meaning_, example_, get_)                             \
  {                                                                         \
    .info = { name_, meaning_, example_ }, .takes = SYM_QUERY_TAKES_NUMBER, \
    .match = match_numbers, .get_number = get_                              \
  }
#define YES(name_, meaning_, example_, get_)                                                    \
  {                                                                                             \
    .info = { name_, meaning_, example_ }, .takes = SYM_QUERY_TAKES_YES, .match = match_truths, \
    .get_number = get_                                                                          \
  }
#define RELATION(name_, meaning_, example_, relate_)                       \
  {                                                                        \
    .info = { name_, meaning_, example_ }, .takes = SYM_QUERY_TAKES_QUERY, \
    .match = sym_query_match_any, .relate = relate_                        \
  }
#define TEXT(name_, meaning_, example_, match_, tell_, ...)                            \
  {                                                                                    \
    .info = { name_, meaning_, example_ }, .match = match_, .tell = tell_, __VA_ARGS__ \
  }

static const SymQueryField fields[] = {
  RELATION ("after", "depends on what matches this", "after:conv1", sym_query_relate_after),
  TEXT ("attr",
        "name or value of an attribute",
        "attr:same_upper",
        sym_query_match_any_attribute,
        sym_query_tell_any_attribute,
        .takes = SYM_QUERY_TAKES_ANY),
  RELATION ("before",
            "what matches this depends on it",
            "before:(type:Conv macs>1G)",
            sym_query_relate_before),
  TEXT ("body",
        "name or type inside of its layer",
        "body:relu",
        sym_query_match_bodies,
        NULL,
        .takes = SYM_QUERY_TAKES_TEXT),
  NUMBER ("bytes", "bytes of the value", "bytes>1Mi", get_bytes),
  TEXT ("category",
        "kind of work of the layer",
        "category:pooling",
        sym_query_match_categories,
        sym_query_tell_operator,
        .takes = SYM_QUERY_TAKES_TEXT),
  TEXT ("change",
        "what it is compared with another graph",
        "change:added",
        match_changes,
        tell_change,
        .takes = SYM_QUERY_TAKES_TEXT),
  RELATION ("child", "one of its children matches this", "child:relu", sym_query_relate_child),
  YES ("dead", "whether it leads to no output", "dead:yes", get_dead),
  NUMBER ("depth", "length of the longest way from an input", "depth>3", get_depth),
  TEXT ("dtype",
        "type of one element",
        "dtype:float16",
        match_dtypes,
        tell_dtype,
        .takes = SYM_QUERY_TAKES_TEXT,
        .get_texts = get_dtypes),
  TEXT ("group",
        "name of a group around it",
        "group:layer1",
        sym_query_match_groups,
        tell_group,
        .takes = SYM_QUERY_TAKES_TEXT),
  TEXT ("in",
        "shape of one of its inputs",
        "in:*x224x224",
        sym_query_match_inputs,
        NULL,
        .takes = SYM_QUERY_TAKES_SHAPE,
        .get_texts = get_shapes),
  YES ("input", "whether it is an input of the graph", "input:yes", get_input),
  NUMBER ("layers", "layers of a group", "layers>10", get_n_layers),
  NUMBER ("macs", "multiply-adds of the layer", "macs>1G", get_multiply_adds),
  TEXT ("name",
        "name of the node, its layer or variable",
        "name:\"conv 1\"",
        sym_query_match_names,
        tell_name,
        .takes = SYM_QUERY_TAKES_TEXT),
  NUMBER ("number", "its row in the summary", "number:10..20", get_number),
  TEXT ("op",
        "name of the operator",
        "op:Convolution",
        sym_query_match_operators,
        sym_query_tell_operator,
        .takes = SYM_QUERY_TAKES_TEXT),
  TEXT ("out",
        "shape",
        "out:1x64x56x56",
        sym_query_match_shapes,
        tell_shape,
        .takes = SYM_QUERY_TAKES_SHAPE,
        .get_texts = get_shapes),
  YES ("output", "whether it is an output of the graph", "output:yes", get_output),
  NUMBER ("params", "parameters of the layer", "params>1M", get_parameters),
  RELATION ("parent", "one of its parents matches this", "parent:relu", sym_query_relate_parent),
  NUMBER ("parents", "how many parents it has", "parents>1", get_n_parents),
  NUMBER ("rank", "how many dimensions it has", "rank:4", get_rank),
  YES ("runs", "whether its layer can be run", "runs:no", get_runs),
  TEXT ("shape",
        "shape",
        "shape:*x64x*",
        sym_query_match_shapes,
        tell_shape,
        .takes = SYM_QUERY_TAKES_SHAPE,
        .get_texts = get_shapes),
  { .info = { "time", "time of the layer in the last run", "time>1ms" },
    .takes = SYM_QUERY_TAKES_TIME,
    .match = match_numbers,
    .get_number = get_time },
  YES ("trainable", "whether the layer's parameters are trained", "trainable:no", get_trainable),
  TEXT ("type",
        "type of the layer",
        "type:Conv",
        match_types,
        tell_type,
        .takes = SYM_QUERY_TAKES_TEXT,
        .get_texts = get_types),
  YES ("unused", "whether nothing uses it and it is no output", "unused:yes", get_unused),
  NUMBER ("uses", "how often it is used", "uses>1", get_n_uses),
};

const SymQueryField sym_query_any_field = TEXT ("text",
                                                "a text anywhere",
                                                "relu",
                                                sym_query_match_any,
                                                tell_name,
                                                .takes = SYM_QUERY_TAKES_TEXT);

const SymQueryField sym_query_attribute_field = TEXT ("attribute",
                                                      "an attribute of the layer",
                                                      "kernel:3",
                                                      sym_query_match_attribute,
                                                      sym_query_tell_attribute,
                                                      .takes = SYM_QUERY_TAKES_ANY);

gboolean
sym_query_field_needs_figures (const SymQueryField *field)
{
  return field->get_number == get_multiply_adds || field->get_number == get_bytes;
}

const SymQueryField *
sym_query_find_field (const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strlen (fields[i].info.name) == length &&
        g_ascii_strncasecmp (fields[i].info.name, name, length) == 0)
      return &fields[i];
  return NULL;
}

const SymQueryField *
sym_query_get_field (guint i)
{
  return i < G_N_ELEMENTS (fields) ? &fields[i] : NULL;
}
