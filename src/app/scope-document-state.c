/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-dimensions.h"
#include "app/scope-memory.h"

#define TYPING (2 * G_USEC_PER_SEC)

/* Ids stay in an edited model, so what is drawn and selected stays too; groups are found anew, and
 * open as they were.  Meanwhile a session that is saved knows them by their names. */
static ScopeChanges
remember_groups (ScopeDocument *self)
{
  if (self->folding != NULL)
    {
      g_clear_pointer (&self->memory, scope_memory_unref);
      self->memory = scope_memory_new_place (self, &(ScopeMiddle){ 0 });
      g_clear_pointer (&self->folding_before, sym_folding_unref);
      self->folding_before = g_steal_pointer (&self->folding);
    }
  self->folded_group = SYM_NO_GROUP;
  self->selected_frame = SYM_NO_GROUP;
  if (self->focus.group != SYM_NO_GROUP)
    self->focus = scope_focus_get_whole ();
  return SCOPE_CHANGE_EDIT | SCOPE_CHANGE_FOCUS;
}

/* Puts another state in place of the present one.  Only the model and shapes need inference again.
 */
static void
replace_state (ScopeDocument *self, ScopeState *take_state)
{
  guint stage = BIT (SCOPE_STAGE_CUT);
  ScopeChanges changes = SCOPE_CHANGE_STATE | SCOPE_CHANGE_PROGRESS;

  if (!scope_state_has_same_shapes (self->state, take_state))
    {
      stage |= BIT (SCOPE_STAGE_INFER);
      changes |= scope_document_drop_record (self);
    }
  if (scope_state_get_model (self->state) != scope_state_get_model (take_state))
    {
      stage |= BIT (SCOPE_STAGE_TRACE);
      changes |= remember_groups (self);
      scope_document_drop_runner (self);
    }
  scope_state_unref (self->state);
  self->state = take_state;
  scope_document_request (self, stage);
  scope_document_emit_changed (self, changes);
}

/* What is typed next is another decision. */
void
scope_document_end_typing (ScopeDocument *self)
{
  self->typed_value = SYM_NO_ID;
  g_clear_pointer (&self->typed_dimension, g_free);
}

void
scope_document_decide (ScopeDocument *self, ScopeState *take_state)
{
  g_ptr_array_add (self->undo, scope_state_ref (self->state));
  g_ptr_array_set_size (self->redo, 0);
  scope_document_end_typing (self);
  replace_state (self, take_state);
}

/* Keys that follow each other are one decision: undo gives back the shape before the first of them.
 */
static void
decide_shape (ScopeDocument *self, SymId value, const char *dimension, ScopeState *take_state)
{
  gint64 now = g_get_monotonic_time ();
  gboolean types_on = self->typed_value == value && now - self->typed_at <= TYPING &&
                      g_strcmp0 (self->typed_dimension, dimension) == 0;

  if (scope_state_has_same_shapes (self->state, take_state))
    {
      scope_state_unref (take_state);
      return;
    }
  if (types_on)
    replace_state (self, take_state);
  else
    scope_document_decide (self, take_state);
  scope_document_end_typing (self);
  self->typed_value = value;
  self->typed_dimension = g_strdup (dimension);
  self->typed_at = now;
}

static void
step_back (ScopeDocument *self, GPtrArray *from, GPtrArray *to)
{
  if (from->len == 0)
    return;
  g_ptr_array_add (to, scope_state_ref (self->state));
  scope_document_end_typing (self);
  replace_state (self, g_ptr_array_steal_index (from, from->len - 1));
}

static void
select_both (ScopeDocument *self, SymId value, SymId call)
{
  ScopeNode node = scope_node_get (value, call);

  scope_document_select (self, &node, SYM_NO_GROUP);
}

GFile *
scope_document_get_file (ScopeDocument *self)
{
  return self->file;
}

const char *
scope_document_get_title (ScopeDocument *self)
{
  return self->title;
}

char *
scope_document_get_subtitle (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  if (self->summary == NULL)
    return g_strdup ("");
  const SymIoFormat *format = scope_document_get_format (self);
  guint n = sym_summary_get_n_rows (self->summary);
  SymTotals totals = sym_summary_get_totals (self->summary);
  g_autofree char *count = scope_format_count (n);
  g_autofree char *nodes = g_strdup_printf (ngettext ("%s node", "%s nodes", n), count);
  g_autofree char *total = scope_format_count (totals.total);
  g_autofree char *parameters = NULL;

  if (totals.known)
    parameters = g_strdup_printf (_ ("%s parameters"), total);
  else if (totals.total > 0)
    parameters = g_strdup_printf (_ ("≥ %s parameters"), total);
  else
    parameters = g_strdup (_ ("number of parameters unknown"));
  return g_strjoin (" · ", format != NULL ? sym_io_format_get_title (format) : _ ("Sub-model"),
                    nodes, parameters, NULL);
}

const GError *
scope_document_get_error (ScopeDocument *self)
{
  return self->error;
}

SymModel *
scope_document_get_model (ScopeDocument *self)
{
  return self->state != NULL ? scope_state_get_model (self->state) : NULL;
}

SymInference *
scope_document_get_inference (ScopeDocument *self)
{
  return self->inference;
}

SymSummary *
scope_document_get_summary (ScopeDocument *self)
{
  return self->summary;
}

gboolean
scope_document_is_empty (ScopeDocument *self)
{
  return self->summary != NULL && sym_summary_get_n_rows (self->summary) == 0;
}

gboolean
scope_document_has_nodes (ScopeDocument *self)
{
  return self->summary != NULL && sym_summary_get_n_rows (self->summary) > 0;
}

SymFigures *
scope_document_get_figures (ScopeDocument *self)
{
  return self->figures;
}

ScopeCut *
scope_document_get_cut (ScopeDocument *self)
{
  return self->cut;
}

SymPicture *
scope_document_get_picture (ScopeDocument *self)
{
  return self->picture;
}

gboolean
scope_document_is_preview (ScopeDocument *self)
{
  return self->picture != NULL && self->layout == NULL;
}

const char *
scope_document_get_call_problem (ScopeDocument *self, SymId call)
{
  if (self->call_problems == NULL || call == SYM_NO_ID)
    return NULL;
  return g_hash_table_lookup (self->call_problems, GSIZE_TO_POINTER ((gsize) call + 1));
}

const ScopeView *
scope_document_get_view (ScopeDocument *self)
{
  return &self->view;
}

static gboolean
has_same_rows (const ScopeRowsView *a, const ScopeRowsView *b)
{
  return a->sort == b->sort && a->descends == b->descends && a->is_tree == b->is_tree &&
         a->has_all == b->has_all;
}

void
scope_document_set_view (ScopeDocument *self, const ScopeView *view)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  guint stages = 0;

  if (view->drawing != self->view.drawing || view->direction != self->view.direction ||
      view->labels != self->view.labels)
    stages |= BIT (SCOPE_STAGE_LAYOUT);
  if (view->theme != self->view.theme || view->colors != self->view.colors ||
      (view->dims_others != self->view.dims_others && self->found != NULL))
    stages |= BIT (SCOPE_STAGE_PICTURE);
  if (stages == 0 && view->dims_others == self->view.dims_others &&
      has_same_rows (&view->rows, &self->view.rows))
    return;
  self->view = *view;
  if (stages != 0)
    scope_document_request (self, stages);
  scope_document_emit_changed (self, SCOPE_CHANGE_VIEW | SCOPE_CHANGE_PROGRESS);
}

void
scope_document_select (ScopeDocument *self, const ScopeNode *node, guint frame)
{
  if (scope_node_equal (&self->selected, node) && self->selected_frame == frame &&
      self->selected_more == NULL)
    return;
  g_clear_pointer (&self->selected_more, g_array_unref);
  self->selected = *node;
  self->selected_frame = frame;
  scope_document_emit_changed (self, SCOPE_CHANGE_SELECTION);
}

static gboolean
has_same_ids (const GArray *a, const GArray *b)
{
  return a != NULL && b != NULL && a->len == b->len &&
         memcmp (a->data, b->data, a->len * sizeof (SymId)) == 0;
}

void
scope_document_select_values (ScopeDocument *self, SymIds values, SymId lead)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  SymModel *model = scope_document_get_model (self);
  g_autoptr (GArray) more = g_array_sized_new (FALSE, FALSE, sizeof (SymId), values.n);

  for (guint i = 0; model != NULL && i < values.n; i++)
    if (sym_model_has_value (model, values.ids[i]))
      g_array_append_val (more, values.ids[i]);
  if (more->len < 2 || !sym_model_has_value (model, lead))
    {
      scope_document_select_value (self,
                                   more->len > 0 ? g_array_index (more, SymId, 0) : SYM_NO_ID);
      return;
    }
  ScopeNode node = scope_node_get (lead, sym_model_get_producer (model, lead));

  if (scope_node_equal (&self->selected, &node) && has_same_ids (self->selected_more, more))
    return;
  g_clear_pointer (&self->selected_more, g_array_unref);
  self->selected = node;
  self->selected_frame = SYM_NO_GROUP;
  self->selected_more = g_steal_pointer (&more);
  scope_document_emit_changed (self, SCOPE_CHANGE_SELECTION);
}

SymIds
scope_document_get_selected_values (ScopeDocument *self)
{
  const GArray *more = self->selected_more;

  return more != NULL ? (SymIds){ (const SymId *) (gconstpointer) more->data, more->len }
                      : (SymIds){ NULL, 0 };
}

SymId
scope_document_get_selected_value (ScopeDocument *self)
{
  return self->selected.value;
}

SymId
scope_document_get_selected_call (ScopeDocument *self)
{
  return self->selected.call;
}

void
scope_document_select_value (ScopeDocument *self, SymId value)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  SymModel *model = scope_document_get_model (self);

  if (value == SYM_NO_ID || model == NULL || !sym_model_has_value (model, value))
    select_both (self, SYM_NO_ID, SYM_NO_ID);
  else
    select_both (self, value, sym_model_get_producer (model, value));
}

void
scope_document_select_call (ScopeDocument *self, SymId call)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  SymModel *model = scope_document_get_model (self);

  if (call == SYM_NO_ID || model == NULL || !sym_model_has_call (model, call))
    {
      select_both (self, SYM_NO_ID, SYM_NO_ID);
      return;
    }
  select_both (self, sym_model_get_first_result (model, call), call);
}

SymOverlay *
scope_document_get_overlay (ScopeDocument *self)
{
  return self->overlay;
}

void
scope_document_take_overlay (ScopeDocument *self, SymOverlay *take_overlay)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeView view = self->view;

  g_clear_pointer (&self->overlay, sym_overlay_unref);
  self->overlay = take_overlay;
  view.colors = take_overlay != NULL ? SCOPE_COLORS_OVERLAY : SCOPE_COLORS_CATEGORY;
  if (view.colors == self->view.colors)
    scope_document_request (self, BIT (SCOPE_STAGE_PICTURE));
  scope_document_set_view (self, &view);
}

ScopeState *
scope_document_get_state (ScopeDocument *self)
{
  return self->state;
}

void
scope_document_toggle_mark (ScopeDocument *self, ScopeMark mark, SymId value)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL);

  scope_document_decide (self, scope_state_toggle_mark (self->state, mark, value));
}

void
scope_document_toggle_marks (ScopeDocument *self, ScopeMark mark)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL);

  SymIds values = scope_document_get_selected_values (self);

  if (values.n == 0)
    {
      scope_document_toggle_mark (self, mark, self->selected.value);
      return;
    }
  g_autoptr (ScopeState) marked = scope_state_set_marks (self->state, mark, values, TRUE);
  gboolean is_new =
      scope_state_get_marks (marked, mark).n > scope_state_get_marks (self->state, mark).n;

  if (is_new)
    scope_document_decide (self, g_steal_pointer (&marked));
  else
    scope_document_decide (self, scope_state_set_marks (self->state, mark, values, FALSE));
}

void
scope_document_clear_marks (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL);

  scope_document_decide (self, scope_state_clear_marks (self->state));
}

void
scope_document_mark_part (ScopeDocument *self, SymIds inputs, SymIds outputs)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL);

  g_autoptr (ScopeState) empty = scope_state_clear_marks (self->state);
  g_autoptr (ScopeState) begun = scope_state_set_marks (empty, SCOPE_MARK_INPUT, inputs, TRUE);

  scope_document_decide (self, scope_state_set_marks (begun, SCOPE_MARK_OUTPUT, outputs, TRUE));
}

void
scope_document_mark_foreign (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->cut != NULL);

  SymIds foreign = scope_cut_get_foreign (self->cut);
  ScopeState *state = scope_state_ref (self->state);

  for (guint i = 0; i < foreign.n; i++)
    if (!scope_state_has_mark (state, SCOPE_MARK_INPUT, foreign.ids[i]))
      {
        ScopeState *next = scope_state_toggle_mark (state, SCOPE_MARK_INPUT, foreign.ids[i]);

        scope_state_unref (state);
        state = next;
      }
  scope_document_decide (self, state);
}

gboolean
scope_document_set_shape_text (ScopeDocument *self, SymId value, const char *text, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL, FALSE);

  ScopeState *state = scope_state_set_shape_text (self->state, value, text, error);

  if (state == NULL)
    return FALSE;
  decide_shape (self, value, NULL, state);
  return TRUE;
}

gboolean
scope_document_set_dimension_text (ScopeDocument *self,
                                   const char *name,
                                   const char *text,
                                   GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL, FALSE);

  ScopeState *state = scope_dimensions_set_text (self->state, name, text, error);

  if (state == NULL)
    return FALSE;
  decide_shape (self, SYM_NO_ID, name, state);
  return TRUE;
}

const GError *
scope_document_get_shape_error (ScopeDocument *self)
{
  return self->shape_error;
}

gboolean
scope_document_can_undo (ScopeDocument *self)
{
  return self->undo->len > 0;
}

gboolean
scope_document_can_redo (ScopeDocument *self)
{
  return self->redo->len > 0;
}

void
scope_document_undo (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  g_signal_emit_by_name (self, "settle");
  step_back (self, self->undo, self->redo);
}

void
scope_document_redo (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  g_signal_emit_by_name (self, "settle");
  step_back (self, self->redo, self->undo);
}
