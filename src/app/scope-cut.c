/* SPDX-License-Identifier: MIT */
#include "app/scope-cut.h"

#include <glib/gi18n.h>
#include <locale.h>

struct _ScopeCut {
  gatomicrefcount ref_count;
  SymModel *model; /* what the selection speaks of */
  SymSelection *selection;
  SymSelection *almost; /* with the foreign parents as inputs, where that helps */
  GError *error;
  GArray *foreign; /* of SymId */
  guint64 n_parameters;
  gboolean parameters_known;
};

static void
count_parameter (ScopeCut *self, SymInference *inference, SymId value)
{
  SymRole role = sym_model_get_role (self->model, value);
  guint64 n;

  if (role != SYM_ROLE_PARAMETER && role != SYM_ROLE_AUXILIARY)
    return;
  if (sym_inference_get_n_elements (inference, value, &n))
    self->n_parameters += n;
  else
    self->parameters_known = FALSE;
}

/* A parameter counts once, however many of the kept calls use it.  Those within the body of a layer
 * are counted as the summary did. */
static void
count_call (ScopeCut *self,
            SymInference *inference,
            SymSummary *summary,
            SymId call,
            GHashTable *seen)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);

  if (sym_layer_get_n_bodies (layer) > 0)
    {
      SymId result = sym_model_get_first_result (self->model, call);
      guint row = result != SYM_NO_ID ? sym_summary_find_row (summary, result) : 0;

      if (row > 0 && g_hash_table_add (seen, layer))
        {
          SymSummaryRow r = sym_summary_get_row (summary, row - 1);

          self->n_parameters += r.n_parameters;
          self->parameters_known = self->parameters_known && r.parameters_known;
        }
      return;
    }
  SymIds operands = sym_model_get_operands (self->model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];

      if (value == SYM_NO_ID || !sym_model_has_value (self->model, value))
        continue;
      gpointer parameter = sym_model_get_parameter (self->model, value);

      if (parameter != NULL && g_hash_table_add (seen, parameter))
        count_parameter (self, inference, value);
    }
}

static void
count_parameters (ScopeCut *self, SymInference *inference, SymSummary *summary)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint n = sym_model_get_n_calls (self->model);

  self->parameters_known = TRUE;
  for (SymId call = 0; call < n; call++)
    if (sym_model_has_call (self->model, call) && sym_selection_has_call (self->selection, call))
      count_call (self, inference, summary, call, seen);
}

static void
mend (ScopeCut *self, SymIds inputs, SymIds outputs)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (SymId));

  if (self->foreign->len == 0)
    return;
  g_array_append_vals (all, inputs.ids, inputs.n);
  g_array_append_vals (all, self->foreign->data, self->foreign->len);
  self->almost = sym_selection_new (self->model, (const SymId *) (gconstpointer) all->data,
                                    all->len, outputs.ids, outputs.n, NULL, NULL);
}

ScopeCut *
scope_cut_new (ScopeState *state, SymInference *inference, SymSummary *summary)
{
  g_return_val_if_fail (state != NULL && inference != NULL && summary != NULL, NULL);

  SymIds outputs = scope_state_get_marks (state, SCOPE_MARK_OUTPUT);
  SymIds inputs = scope_state_get_marks (state, SCOPE_MARK_INPUT);
  SymModel *model = scope_state_get_model (state);

  if (outputs.n == 0 && inputs.n == 0)
    return NULL;
  if (outputs.n == 0)
    outputs = sym_model_get_outputs (model);
  ScopeCut *self = g_new0 (ScopeCut, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->foreign = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->selection = sym_selection_new (model, inputs.ids, inputs.n, outputs.ids, outputs.n,
                                       self->foreign, &self->error);
  if (self->selection != NULL)
    count_parameters (self, inference, summary);
  else
    mend (self, inputs, outputs);
  return self;
}

ScopeCut *
scope_cut_ref (ScopeCut *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
scope_cut_unref (ScopeCut *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->selection, sym_selection_free);
  g_clear_pointer (&self->almost, sym_selection_free);
  g_clear_error (&self->error);
  g_array_unref (self->foreign);
  sym_model_unref (self->model);
  g_free (self);
}

const SymSelection *
scope_cut_get_selection (const ScopeCut *self)
{
  return self->selection;
}

const SymSelection *
scope_cut_get_shown (const ScopeCut *self)
{
  return self->selection != NULL ? self->selection : self->almost;
}

const GError *
scope_cut_get_error (const ScopeCut *self)
{
  return self->error;
}

SymIds
scope_cut_get_foreign (const ScopeCut *self)
{
  return (SymIds){ (const SymId *) (gconstpointer) self->foreign->data, self->foreign->len };
}

gboolean
scope_cut_get_n_parameters (const ScopeCut *self, guint64 *n)
{
  *n = self->n_parameters;
  return self->parameters_known;
}

/* printf's own grouping does nothing in the C locale, where seven figures are as hard to read. */
char *
scope_format_count (guint64 n)
{
  const char *locale_separator = localeconv ()->thousands_sep;
  const char *separator = *locale_separator != '\0' ? locale_separator : ",";
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  g_autoptr (GString) text = g_string_new (NULL);
  gsize length = strlen (digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append (text, separator);
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_parameters (const ScopeCut *self)
{
  g_autofree char *count = scope_format_count (self->n_parameters);
  gulong n = (gulong) self->n_parameters;

  if (self->parameters_known)
    return g_strdup_printf (ngettext ("%s parameter", "%s parameters", n), count);
  return g_strdup_printf (ngettext ("at least %s parameter", "at least %s parameters", n), count);
}

char *
scope_cut_to_string (const ScopeCut *self)
{
  if (self->selection == NULL)
    return g_strdup (self->error->message);
  guint n_outputs = sym_selection_get_outputs (self->selection).n;
  guint n_inputs = sym_selection_get_inputs (self->selection).n;
  guint n_nodes = sym_selection_get_n_values (self->selection);
  guint n_layers = sym_selection_get_n_calls (self->selection);
  g_autofree char *outputs =
      g_strdup_printf (ngettext ("%u output", "%u outputs", n_outputs), n_outputs);
  g_autofree char *inputs =
      g_strdup_printf (ngettext ("%u input", "%u inputs", n_inputs), n_inputs);
  g_autofree char *node_count = scope_format_count (n_nodes);
  g_autofree char *nodes = g_strdup_printf (ngettext ("%s node", "%s nodes", n_nodes), node_count);
  g_autofree char *layer_count = scope_format_count (n_layers);
  g_autofree char *layers =
      g_strdup_printf (ngettext ("%s layer", "%s layers", n_layers), layer_count);
  g_autofree char *parameters = describe_parameters (self);

  /* A line may end after a dot, none may begin with one. */
  return g_strjoin ("\u00a0· ", outputs, inputs, nodes, layers, parameters, NULL);
}
