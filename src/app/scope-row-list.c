/* SPDX-License-Identifier: MIT */
#include "app/scope-row-list.h"

#include "app/scope-row.h"
#include "app/scope-text.h"

struct _ScopeRowList {
  GObject parent_instance;
  SymSummary *summary;
  char **words;   /* case-folded; NULL without a filter */
  GArray *passed; /* of guint, ascending: rows that pass the filter; unused without one */
  guint n_items;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (ScopeRowList, scope_row_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static char *
get_haystack (ScopeRowList *self, const SymSummaryRow *row)
{
  SymInference *inference = sym_summary_get_inference (self->summary);
  SymModel *model = sym_inference_get_model (inference);
  const char *variable = sym_model_get_variable (model, row->value);
  g_autofree char *shape = scope_text_shape (inference, row->value);
  g_autoptr (GString) typed = g_string_new (shape); /* as a keyboard has it */

  g_string_replace (typed, "×", "x", 0);
  g_autofree char *all = g_strjoin ("\n", row->name, row->layer != NULL ? row->layer : "", row->type,
                                    shape, typed->str, scope_text_dtype (inference, row->value),
                                    variable, NULL);

  return g_utf8_casefold (all, -1);
}

static gboolean
passes (ScopeRowList *self, guint index)
{
  g_autofree char *haystack = get_haystack (self, sym_summary_get_row (self->summary, index));

  for (char **word = self->words; *word != NULL; word++)
    if (strstr (haystack, *word) == NULL)
      return FALSE;
  return TRUE;
}

static void
rebuild (ScopeRowList *self)
{
  guint n_old = self->n_items;
  guint n = self->summary != NULL ? sym_summary_get_n_rows (self->summary) : 0;

  g_array_set_size (self->passed, 0);
  if (self->words != NULL)
    for (guint i = 0; i < n; i++)
      if (passes (self, i))
        g_array_append_val (self->passed, i);
  self->n_items = self->words != NULL ? self->passed->len : n;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_old, self->n_items);
}

static guint
get_index (ScopeRowList *self, guint position)
{
  return self->words != NULL ? g_array_index (self->passed, guint, position) : position;
}

static GType
get_item_type (GListModel *model)
{
  return SCOPE_TYPE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return SCOPE_ROW_LIST (model)->n_items;
}

static gpointer
get_item (GListModel *model, guint position)
{
  ScopeRowList *self = SCOPE_ROW_LIST (model);

  return position < self->n_items ? scope_row_new (get_index (self, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
scope_row_list_finalize (GObject *object)
{
  ScopeRowList *self = SCOPE_ROW_LIST (object);

  g_clear_pointer (&self->summary, sym_summary_unref);
  g_strfreev (self->words);
  g_array_unref (self->passed);
  G_OBJECT_CLASS (scope_row_list_parent_class)->finalize (object);
}

static void
scope_row_list_class_init (ScopeRowListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_row_list_finalize;
}

static void
scope_row_list_init (ScopeRowList *self)
{
  self->passed = g_array_new (FALSE, FALSE, sizeof (guint));
}

ScopeRowList *
scope_row_list_new (void)
{
  return g_object_new (SCOPE_TYPE_ROW_LIST, NULL);
}

static SymModel *
get_model (SymSummary *summary)
{
  return sym_inference_get_model (sym_summary_get_inference (summary));
}

gboolean
scope_row_list_set_summary (ScopeRowList *self, SymSummary *summary)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), FALSE);

  gboolean is_same = self->summary != NULL && summary != NULL && self->words == NULL &&
                     get_model (self->summary) == get_model (summary);

  if (summary != NULL)
    sym_summary_ref (summary);
  g_clear_pointer (&self->summary, sym_summary_unref);
  self->summary = summary;
  if (!is_same)
    rebuild (self);
  return !is_same;
}

SymSummary *
scope_row_list_get_summary (ScopeRowList *self)
{
  return self->summary;
}

void
scope_row_list_set_filter (ScopeRowList *self, const char *filter)
{
  g_return_if_fail (SCOPE_IS_ROW_LIST (self));

  g_autofree char *folded = g_utf8_casefold (filter != NULL ? filter : "", -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      g_strv_builder_add (builder, *word);
  g_clear_pointer (&self->words, g_strfreev);
  self->words = g_strv_builder_end (builder);
  if (self->words[0] == NULL)
    g_clear_pointer (&self->words, g_strfreev);
  rebuild (self);
}

gboolean
scope_row_list_is_filtered (ScopeRowList *self)
{
  return self->words != NULL;
}

guint
scope_row_list_find (ScopeRowList *self, SymId value)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), G_MAXUINT);

  guint low, index = self->summary != NULL && value != SYM_NO_ID
                         ? sym_summary_find_row (self->summary, value)
                         : 0;

  if (index-- == 0)
    return G_MAXUINT;
  if (self->words == NULL)
    return index;
  low = 0;
  for (guint high = self->passed->len; low < high;) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->passed, guint, middle) < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < self->passed->len && g_array_index (self->passed, guint, low) == index ? low
                                                                                      : G_MAXUINT;
}

const SymSummaryRow *
scope_row_list_get_row (ScopeRowList *self, guint position)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), NULL);

  return position < self->n_items ? sym_summary_get_row (self->summary, get_index (self, position))
                                  : NULL;
}
