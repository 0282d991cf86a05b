/* SPDX-License-Identifier: MIT */
#include "core/sym-python.h"
#include "query/sym-summary-view-private.h"
#include "query/sym-window.h"

#include <string.h>

/* ---- Cells ---- */

static void
take_text (SymCell *cell, SymCellKind kind, char *take_text)
{
  cell->kind = kind;
  cell->text = take_text;
}

/* A list of something of the parents that a row lists. */
static void
take_parents (SymCell *cell, const SymSummaryRow *row, GString *take_list)
{
  take_text (cell, SYM_CELL_LIST, g_string_free (take_list, FALSE));
  cell->n_more = row->parents.n - row->n_listed;
}

static void
set_count (SymCell *cell, SymCellKind kind, SymCount count)
{
  cell->kind = kind;
  cell->count = count;
}

static void
set_number (SymCell *cell, double number)
{
  cell->kind = SYM_CELL_NUMBER;
  cell->number = number;
}

/* ---- Names ---- */

static void
fill_number (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_count (cell, SYM_CELL_COUNT, (SymCount){ row->index, TRUE });
  if (row->is_output)
    cell->text = g_strdup_printf ("%u*", row->index);
}

static void
fill_layer (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  gboolean is_one_of_several =
      row->call != SYM_NO_ID && sym_model_count_results (view->model, row->call) > 1;

  take_text (cell, SYM_CELL_TEXT, g_strdup (is_one_of_several ? row->name : row->layer));
}

static void
fill_group_layer (const SymSummaryView *view, guint group, SymCell *cell)
{
  take_text (cell, SYM_CELL_TEXT, g_strdup (sym_groups_get (view->tree, group)->name));
}

static void
fill_name (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  take_text (cell, SYM_CELL_TEXT, g_strdup (row->name));
}

static void
fill_variable (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  const char *variable = sym_model_get_variable (view->model, row->value);

  if (variable != NULL)
    take_text (cell, SYM_CELL_TEXT, g_strdup (variable));
}

static void
fill_type (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  take_text (cell, SYM_CELL_TEXT, g_strdup (row->type));
}

static void
fill_group_type (const SymSummaryView *view, guint group, SymCell *cell)
{
  take_text (cell, SYM_CELL_TEXT, g_strdup ("group"));
}

/* ---- Types of values ---- */

static void
append_shape (const SymSummaryView *view, SymId value, GString *text)
{
  SymType type = sym_inference_get_type (view->inference, value);

  if (type.kind != SYM_KIND_TENSOR && type.kind != SYM_KIND_UNKNOWN)
    sym_type_append_symbolic (&type, sym_inference_get_terms (view->inference), text);
  else if (type.shape.rank < 0)
    g_string_append_c (text, '?');
  else if (type.shape.rank == 0)
    g_string_append (text, "scalar");
  for (int i = 0; i < type.shape.rank && type.kind == SYM_KIND_TENSOR; i++)
    {
      g_string_append (text, i > 0 ? "x" : "");
      if (!sym_terms_append (sym_inference_get_terms (view->inference), type.shape.dims[i], text))
        g_string_append_c (text, '?');
    }
}

static void
set_shape (const SymSummaryView *view, SymId value, SymCell *cell)
{
  SymType type = sym_inference_get_type (view->inference, value);
  gboolean is_tensor = type.kind == SYM_KIND_TENSOR || type.kind == SYM_KIND_UNKNOWN;
  GString *text = g_string_new (NULL);

  append_shape (view, value, text);
  take_text (cell, is_tensor ? SYM_CELL_SHAPE : SYM_CELL_TEXT, g_string_free (text, FALSE));
  cell->value = value;
}

static void
fill_shape (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_shape (view, row->value, cell);
}

/* A group gives what its last call gives. */
static void
fill_group_shape (const SymSummaryView *view, guint group, SymCell *cell)
{
  SymIds calls = sym_groups_get_calls (view->tree, group);
  SymId value = SYM_NO_ID;

  if (calls.n > 0)
    value = sym_model_get_first_result (view->model, calls.ids[calls.n - 1]);
  if (value != SYM_NO_ID)
    set_shape (view, value, cell);
}

static void
fill_input_shapes (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n_listed; i++)
    {
      g_string_append (text, i > 0 ? SYM_CELL_SEPARATOR : "");
      append_shape (view, row->parents.ids[i], text);
    }
  take_parents (cell, row, text);
}

static void
fill_dtype (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  take_text (
      cell, SYM_CELL_TEXT,
      g_strdup (sym_dtype_to_string (sym_inference_get_type (view->inference, row->value).dtype)));
}

/* ---- Parameters ---- */

static gboolean
is_first_result (const SymSummaryView *view, const SymSummaryRow *row)
{
  return row->call != SYM_NO_ID &&
         sym_model_get_first_result (view->model, row->call) == row->value;
}

static void
fill_parameters (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_count (cell, SYM_CELL_COUNT, (SymCount){ row->n_parameters, row->parameters_known });
}

static SymTotals
count_group (const SymSummaryView *view, guint group)
{
  SymIds calls = sym_groups_get_calls (view->tree, group);

  return sym_summary_count_calls (view->summary, calls.ids, calls.n);
}

static void
fill_group_parameters (const SymSummaryView *view, guint group, SymCell *cell)
{
  SymTotals totals = count_group (view, group);

  set_count (cell, SYM_CELL_COUNT, (SymCount){ totals.total, totals.known });
}

static void
set_percent (const SymSummaryView *view, guint64 n, gboolean known, SymCell *cell)
{
  SymTotals all = sym_summary_get_totals (view->summary);

  if (n > 0 && known && all.known)
    set_number (cell, 100 * (double) n / (double) all.total);
}

static void
fill_percent (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_percent (view, row->n_parameters, row->parameters_known, cell);
}

static void
fill_group_percent (const SymSummaryView *view, guint group, SymCell *cell)
{
  SymTotals totals = count_group (view, group);

  set_percent (view, totals.total, totals.known, cell);
}

static void
set_trainable (guint64 n, guint64 n_trainable, gboolean known, SymCell *cell)
{
  if (n == 0 && known)
    return;
  if (n == 0)
    take_text (cell, SYM_CELL_TEXT, g_strdup ("?"));
  else
    take_text (cell, SYM_CELL_TEXT,
               g_strdup (n_trainable == n   ? "yes"
                         : n_trainable == 0 ? "no"
                                            : "partly"));
}

static void
fill_trainable (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_trainable (row->n_parameters, row->n_trainable, row->parameters_known, cell);
}

static void
fill_group_trainable (const SymSummaryView *view, guint group, SymCell *cell)
{
  SymTotals totals = count_group (view, group);

  set_trainable (totals.total, totals.trainable, totals.known, cell);
}

/* ---- Figures ---- */

static void
fill_multiply_adds (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  SymCount count = { 0, TRUE };

  if (is_first_result (view, row))
    count = sym_figures_get_multiply_adds (view->figures, row->call);
  set_count (cell, SYM_CELL_COUNT, count);
}

static void
fill_group_multiply_adds (const SymSummaryView *view, guint group, SymCell *cell)
{
  SymIds calls = sym_groups_get_calls (view->tree, group);
  SymCount sum = { 0, TRUE };

  for (guint i = 0; i < calls.n; i++)
    sym_count_add (&sum, sym_figures_get_multiply_adds (view->figures, calls.ids[i]));
  set_count (cell, SYM_CELL_COUNT, sum);
}

static void
fill_bytes (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_count (cell, SYM_CELL_BYTES, sym_figures_get_bytes (view->figures, row->value));
}

static void
fill_group_bytes (const SymSummaryView *view, guint group, SymCell *cell)
{
  SymIds calls = sym_groups_get_calls (view->tree, group);
  SymCount sum = { 0, TRUE };

  for (guint i = 0; i < calls.n; i++)
    {
      SymIds results = sym_model_get_results (view->model, calls.ids[i]);

      for (guint k = 0; k < results.n; k++)
        if (sym_model_get_row (view->model, results.ids[k]) != 0)
          sym_count_add (&sum, sym_figures_get_bytes (view->figures, results.ids[k]));
    }
  set_count (cell, SYM_CELL_BYTES, sum);
}

/* ---- The graph ---- */

static void
fill_parents (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n_listed; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? SYM_CELL_SEPARATOR : "",
                            sym_summary_find_row (view->summary, row->parents.ids[i]));
  take_parents (cell, row, text);
}

static void
fill_connections (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n_listed; i++)
    {
      guint parent = sym_summary_find_row (view->summary, row->parents.ids[i]);

      g_string_append (text, i > 0 ? SYM_CELL_SEPARATOR : "");
      g_string_append (text, sym_summary_get_row (view->summary, parent - 1).layer);
    }
  take_parents (cell, row, text);
}

static void
fill_uses (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_count (cell, SYM_CELL_COUNT,
             (SymCount){ sym_model_get_consumers (view->model, row->value).n, TRUE });
}

static void
fill_depth (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_count (cell, SYM_CELL_COUNT,
             (SymCount){ sym_model_get_depth (view->model, row->value), TRUE });
}

static void
fill_kernel (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  char *text = row->call != SYM_NO_ID ? sym_window_format (view->model, row->call, "x") : NULL;

  if (text != NULL)
    take_text (cell, SYM_CELL_TEXT, text);
}

/* ---- Times ---- */

static double
get_milliseconds (const SymSummaryView *view, const SymSummaryRow *row)
{
  if (view->milliseconds == NULL || !is_first_result (view, row))
    return -1;
  return view->milliseconds[row->call];
}

static double
get_group_milliseconds (const SymSummaryView *view, guint group)
{
  SymIds calls = sym_groups_get_calls (view->tree, group);
  double sum = -1;

  for (guint i = 0; i < calls.n && view->milliseconds != NULL; i++)
    if (view->milliseconds[calls.ids[i]] >= 0)
      sum = MAX (sum, 0) + view->milliseconds[calls.ids[i]];
  return sum;
}

static void
set_time (double milliseconds, SymCell *cell)
{
  if (milliseconds >= 0)
    set_number (cell, milliseconds);
}

static void
fill_time (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_time (get_milliseconds (view, row), cell);
}

static void
fill_group_time (const SymSummaryView *view, guint group, SymCell *cell)
{
  set_time (get_group_milliseconds (view, group), cell);
}

static void
set_share (const SymSummaryView *view, double milliseconds, SymCell *cell)
{
  if (milliseconds >= 0 && view->all_milliseconds > 0)
    set_number (cell, 100 * milliseconds / view->all_milliseconds);
}

static void
fill_share (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  set_share (view, get_milliseconds (view, row), cell);
}

static void
fill_group_share (const SymSummaryView *view, guint group, SymCell *cell)
{
  set_share (view, get_group_milliseconds (view, group), cell);
}

/* ---- Changes ---- */

/* What is the same says nothing: one looks for the others. */
static void
fill_change (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  SymCompareKind kind = view->changes == NULL || row->call == SYM_NO_ID
                            ? SYM_COMPARE_SAME
                            : (SymCompareKind) view->changes[row->call];

  if (kind != SYM_COMPARE_SAME)
    take_text (cell, SYM_CELL_TEXT, g_strdup (sym_compare_kind_to_string (kind)));
}

static void
fill_difference (const SymSummaryView *view, const SymSummaryRow *row, SymCell *cell)
{
  double difference = view->differences == NULL ? -1 : view->differences[row->value];

  if (difference >= 0)
    set_number (cell, 100 * difference);
}

/* ---- The table ---- */

static const SymColumn columns[] = {
  { { "number", "#", "number of the row; a star marks an output", TRUE }, fill_number, NULL },
  { { "layer", "Layer", "name of the layer" }, fill_layer, fill_group_layer },
  { { "name", "Name", "name of the node" }, fill_name, fill_group_layer },
  { { "variable", "Variable", "name of the variable" }, fill_variable, NULL },
  { { "type", "Type", "type of the layer" }, fill_type, fill_group_type },
  { { "shape", "Output Shape", "shape of the node" }, fill_shape, fill_group_shape },
  { { "in", "Input Shape", "shapes of the parents" }, fill_input_shapes, NULL },
  { { "dtype", "Dtype", "type of one element" }, fill_dtype, NULL },
  { { "kernel", "Kernel", "size of the window" }, fill_kernel, NULL },
  { { "params", "Params", "parameters of the layer", TRUE },
    fill_parameters,
    fill_group_parameters },
  { { "percent", "Params %", "share of all parameters", TRUE }, fill_percent, fill_group_percent },
  { { "trainable", "Trainable", "whether the parameters are trained" },
    fill_trainable,
    fill_group_trainable },
  { { "macs", "Mult-Adds", "multiply-adds of the layer", TRUE, TRUE },
    fill_multiply_adds,
    fill_group_multiply_adds },
  { { "bytes", "Bytes", "bytes of the node", TRUE, TRUE }, fill_bytes, fill_group_bytes },
  { { "parents", "Parents", "numbers of the parents" }, fill_parents, NULL },
  { { "connected", "Connected To", "layers of the parents" }, fill_connections, NULL },
  { { "uses", "Uses", "how often the node is used", TRUE }, fill_uses, NULL },
  { { "depth", "Depth", "length of the longest way from an input", TRUE }, fill_depth, NULL },
  { { "time", "Time (ms)", "time of the layer in milliseconds", TRUE, FALSE, TRUE },
    fill_time,
    fill_group_time },
  { { "share", "Time %", "share of the time", TRUE, FALSE, TRUE }, fill_share, fill_group_share },
  { { "change", "Change", "what it is compared with another graph", .needs_changes = TRUE },
    fill_change,
    NULL },
  { { "difference", "Difference %", "how far its numbers are from those of another graph", TRUE,
      .needs_differences = TRUE },
    fill_difference,
    NULL },
};

static const struct {
  const char *name, *columns;
} presets[] = {
  { "symbolic", "number,layer,shape,params,parents" },
  { "keras", "layer,type,shape,params,connected" },
  { "mxnet", "layer,type,shape,params,connected" },
  { "torchinfo", "type,in,shape,params,percent,kernel,macs,trainable" },
  { "all", "number,layer,type,shape,dtype,params,macs,bytes,parents,trainable" },
};

const SymColumn *
sym_column_get (guint column)
{
  return &columns[column];
}

void
sym_column_fill (const SymSummaryView *view,
                 guint column,
                 const SymSummaryViewRow *row,
                 SymCell *cell)
{
  const SymColumn *self = &columns[column];

  *cell = (SymCell){ .kind = SYM_CELL_EMPTY };
  if (row->group == SYM_NO_GROUP)
    {
      SymSummaryRow summary_row = sym_summary_get_row (view->summary, row->row);

      self->fill (view, &summary_row, cell);
    }
  else if (self->fill_group != NULL)
    self->fill_group (view, row->group, cell);
}

const SymColumnInfo *
sym_columns_get (guint *n)
{
  static gsize made;
  static SymColumnInfo infos[G_N_ELEMENTS (columns)];

  if (g_once_init_enter (&made))
    {
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        infos[i] = columns[i].info;
      g_once_init_leave (&made, 1);
    }
  *n = G_N_ELEMENTS (columns);
  return infos;
}

gboolean
sym_column_find (const char *name, guint *column)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (strcmp (columns[i].info.name, name) == 0)
      {
        *column = i;
        return TRUE;
      }
  return FALSE;
}

static void
set_name_error (GError **error, const char *name)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", columns[i].info.name);
  g_set_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_NAME,
               "there is no column “%s”; there are %s", name, names->str);
}

GArray *
sym_columns_parse (const char *list, GError **error)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint column;

      if (!sym_column_find (g_strstrip (names[i]), &column))
        {
          set_name_error (error, names[i]);
          return NULL;
        }
      g_array_append_val (found, column);
    }
  if (found->len > 0)
    return g_steal_pointer (&found);
  set_name_error (error, "");
  return NULL;
}

const char *
sym_columns_get_preset (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (strcmp (presets[i].name, name) == 0)
      return presets[i].columns;
  return NULL;
}
