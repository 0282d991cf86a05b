/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-distances.h"
#include "app/scope-job.h"
#include "app/scope-node.h"
#include "app/scope-run-setup.h"
#include "io/sym-io.h"
#include "query/sym-query.h"
#include "run/sym-record.h"

G_BEGIN_DECLS

/* One open graph: its model with what the user decided about it, all that follows from these, and
 * what is selected.  Everything slow happens in threads, one stage at a time, and the newest
 * request wins; results that are being made again stay readable until they are replaced.  Widgets
 * watch "changed", whose argument tells what did, and keep nothing of their own. */
#define SCOPE_TYPE_DOCUMENT (scope_document_get_type ())
G_DECLARE_FINAL_TYPE (ScopeDocument, scope_document, SCOPE, DOCUMENT, GObject)

typedef enum {
  SCOPE_CHANGE_MODEL = 1 << 0,   /* another model: ids mean something else */
  SCOPE_CHANGE_TYPES = 1 << 1,   /* inference, summary, problems, shape error */
  SCOPE_CHANGE_PICTURE = 1 << 2, /* layout or picture */
  SCOPE_CHANGE_SELECTION = 1 << 3,
  SCOPE_CHANGE_STATE = 1 << 4, /* marks, typed shapes, what can be undone */
  SCOPE_CHANGE_CUT = 1 << 5,
  SCOPE_CHANGE_VIEW = 1 << 6,
  SCOPE_CHANGE_PROGRESS = 1 << 7,         /* stage, error of reading, title */
  SCOPE_CHANGE_FOUND = 1 << 8,            /* what the search has found */
  SCOPE_CHANGE_FOCUS = 1 << 9,            /* what is looked into, or what the trace brings out */
  SCOPE_CHANGE_EDIT = 1 << 11,            /* the model was edited: ids stay, types follow */
  SCOPE_CHANGE_RUN = 1 << 10,             /* a run begins or ends, its record comes or goes */
  SCOPE_CHANGE_COMPARISON = 1 << 12,      /* with another graph: it begins, is made, or ends */
  SCOPE_CHANGE_COMPARISON_STEP = 1 << 13, /* another difference was gone to */
} ScopeChanges;

/* Begin to read at once. */
ScopeDocument *scope_document_new_for_file (GFile *file);
ScopeDocument *scope_document_new_for_model (SymModel *model, const char *title);

/* Reads the file again; marks, typed shapes, what is open and the selection stay on what it still
 * has by the same names.  Without a file nothing happens. */
void scope_document_reload (ScopeDocument *self);

/* Reads it again with the weights in another file, which the user chose; NULL: those that the
 * format's rule finds.  When they cannot be read, all stays as it was. */
gboolean scope_document_can_choose_weights (ScopeDocument *self);
void scope_document_choose_weights (ScopeDocument *self, GFile *weights);
GFile *scope_document_get_weights (ScopeDocument *self);

/* TRUE once after that has come to an end: with @error it failed, else @n_missing weights have no
 * numbers. */
gboolean scope_document_take_weights_news (ScopeDocument *self, guint *n_missing, GError **error);

/* Looks at the graph as somebody did before, once it is there; to be called right after it was
 * made. Takes @take_memory. */
typedef struct _ScopeMemory ScopeMemory;
void scope_document_remember (ScopeDocument *self, ScopeMemory *take_memory);

/* What of that is still to come; NULL for nothing. */
const ScopeMemory *scope_document_get_remembered (ScopeDocument *self);

/* Looks at the graph as it was looked at then: all of it, drawn and folded so, with that selected.
 * What was decided about it stays as it is.  Whether it will be drawn anew. */
gboolean scope_document_recall (ScopeDocument *self, const ScopeMemory *memory);

/* Whether the file is still what was read or saved.  One that has changed is read again by itself,
 * unless something was edited that is not saved: then it is asked. */
typedef enum {
  SCOPE_DISK_SAME,
  SCOPE_DISK_CHANGED, /* and nobody has said yet what to do */
  SCOPE_DISK_GONE,
} ScopeDisk;

ScopeDisk scope_document_get_disk (ScopeDocument *self);
void scope_document_dismiss_disk (ScopeDocument *self);

/* Stops what is going on; what was not finished is not shown.  A reading that is stopped is an
 * error. */
void scope_document_cancel (ScopeDocument *self);

GFile *scope_document_get_file (ScopeDocument *self); /* NULL for a model without one */
const char *scope_document_get_title (ScopeDocument *self);
char *scope_document_get_subtitle (ScopeDocument *self);

/* What is being made, NULL when everything is there. */
const char *scope_document_get_progress (ScopeDocument *self);

/* How much of all that is asked for now is done, 0 to 1 and never less than before; untouched when
 * nothing is being made.  FALSE while nobody knows how long it takes until there is more.  To be
 * asked again and again: no change tells of it. */
gboolean scope_document_get_fraction (ScopeDocument *self, double *fraction);

/* Why the file could not be read. */
const GError *scope_document_get_error (ScopeDocument *self);

/* Each NULL until it was made for the first time.  Borrowed. */
SymModel *scope_document_get_model (ScopeDocument *self);
SymInference *scope_document_get_inference (ScopeDocument *self);
SymSummary *scope_document_get_summary (ScopeDocument *self);

/* Whether it is known by now that the graph has no nodes; whether it has some. */
gboolean scope_document_is_empty (ScopeDocument *self);
gboolean scope_document_has_nodes (ScopeDocument *self);

SymFigures *scope_document_get_figures (ScopeDocument *self); /* also NULL of a preview */
ScopeCut *scope_document_get_cut (ScopeDocument *self);
SymPicture *scope_document_get_picture (ScopeDocument *self);

/* Whether the picture is of the beginning only: that of all of a large graph takes longer. */
gboolean scope_document_is_preview (ScopeDocument *self);

/* The first contradiction that inference met at this call; NULL for none. */
const char *scope_document_get_call_problem (ScopeDocument *self, SymId call);

/* ---- How it is drawn ---- */
const ScopeView *scope_document_get_view (ScopeDocument *self);
void scope_document_set_view (ScopeDocument *self, const ScopeView *view);

/* ---- Selection: a value, or a call that has no results; both SYM_NO_ID for none ---- */
SymId scope_document_get_selected_value (ScopeDocument *self);
SymId scope_document_get_selected_call (ScopeDocument *self); /* that made the value */
void scope_document_select_value (ScopeDocument *self, SymId value);
void scope_document_select_call (ScopeDocument *self, SymId call);

/* Several values at once, of which @lead, one of them, is the selection that the others tell of.
 * Selecting anything else ends it. */
void scope_document_select_values (ScopeDocument *self, SymIds values, SymId lead);

/* Those; none when fewer than two are selected. */
SymIds scope_document_get_selected_values (ScopeDocument *self);

/* The same of a node in a body: then the others tell of the layer around it.  A line is selected
 * with its value, which the others tell of. */
const ScopeNode *scope_document_get_selected (ScopeDocument *self);
void scope_document_select_node (ScopeDocument *self, const ScopeNode *node);

/* Whether it is a line whose ends are known: of the graph itself, or of a body that is drawn. */
gboolean scope_document_knows_line (ScopeDocument *self, const ScopeNode *node);

/* Whether a node has a box, its own or its layer's, or one in a body has. */
gboolean scope_document_draws (ScopeDocument *self, const ScopeNode *node);

/* Whether it is a value in a body that nothing is drawn of, as it is none of the data that is made
 * there, or nobody needs it. */
gboolean scope_document_is_hidden (ScopeDocument *self, const ScopeNode *node);

/* Whether it is in a body that was made for what a layer does, and that no file has. */
gboolean scope_document_is_made (ScopeDocument *self, const ScopeNode *node);

/* Whether a value is not data, but what a layer has learnt or was given. */
gboolean scope_document_is_weight (ScopeDocument *self, const ScopeNode *node);

/* The types in the body that a node is in, as they were drawn; NULL for a node of the graph itself.
 */
SymInference *scope_document_get_inner_inference (ScopeDocument *self, const ScopeNode *node);

/* ---- Folding: which groups are open.  Belongs to the view: undo leaves it alone, and it stays
 * when shapes change. ---- */
SymFolding *scope_document_get_folding (ScopeDocument *self); /* NULL before the inference */

/* As it was at another time, for the same model.  FALSE when nothing had to be done. */
gboolean scope_document_set_folding (ScopeDocument *self, SymFolding *folding);

/* The closed group that the selection is drawn as, the first of several; SYM_NO_GROUP for none. */
guint scope_document_get_selected_group (ScopeDocument *self);
void scope_document_open_group (ScopeDocument *self, guint group);
void scope_document_close_group (ScopeDocument *self, guint group);

/* Closes the selected frame or layer, or else the innermost open group or body around the
 * selection. FALSE when there is none. */
gboolean scope_document_close_around (ScopeDocument *self);
gboolean scope_document_can_close_around (ScopeDocument *self);

/* The one that was opened or closed last, alone; SYM_NO_GROUP for none. */
guint scope_document_get_folded_group (ScopeDocument *self);

/* The open group whose frame is selected, instead of a node; SYM_NO_GROUP for none.  Closing it
 * selects the group. */
guint scope_document_get_selected_frame (ScopeDocument *self);
void scope_document_select_frame (ScopeDocument *self, guint group);

/* Selects what it is drawn as: its frame, or the item that it is closed to. */
void scope_document_select_group (ScopeDocument *self, guint group);

/* Opens groups as deep as so many within each other, and closes those within them. */
void scope_document_open_levels (ScopeDocument *self, guint n_levels);

/* Opens, closes every group. */
void scope_document_open_all (ScopeDocument *self);
void scope_document_close_all (ScopeDocument *self);

/* ---- Layers with bodies: which are open, by the paths of their calls.  As folding belongs to the
 * view; another model has other paths. ---- */
SymOpenBodies *scope_document_get_open_bodies (ScopeDocument *self);
void scope_document_open_layer (ScopeDocument *self, const char *call_path);
void scope_document_close_layer (ScopeDocument *self, const char *call_path);

/* The path of the selection's call when it has bodies and is drawn itself; else NULL.  The
 * caller's. */
char *scope_document_get_selected_layer (ScopeDocument *self);

/* Opens that.  Closes it, or else the one that the selection is in a body of.  FALSE when it is
 * neither. */
gboolean scope_document_open_selected_layer (ScopeDocument *self);
gboolean scope_document_close_layer_around (ScopeDocument *self);

/* The one that was opened or closed last, when no group was after it; else NULL. */
const char *scope_document_get_folded_layer (ScopeDocument *self);

/* Opens what hides the selection.  FALSE when nothing does. */
gboolean scope_document_open_around (ScopeDocument *self);

/* ---- What is looked into: traces, paths, neighbourhoods.  Kept out of undo; forgotten with the
 * model. ---- */
const ScopeFocus *scope_document_get_focus (ScopeDocument *self);
void scope_document_set_focus (ScopeDocument *self, const ScopeFocus *focus);

/* What the focus brings out; NULL for nothing, and until it was found. */
SymTrace *scope_document_get_trace (ScopeDocument *self);

/* Traces from the selection; once more, and the trace ends.  SCOPE_TRACE_CHOOSING begins a path,
 * and when one was begun, it leads to the selection. */
void scope_document_trace_selection (ScopeDocument *self, ScopeTraceKind kind);

/* The path from where one was begun, else from what was selected before, to what is now. */
void scope_document_trace_path (ScopeDocument *self, SymEntry from);

/* Shows only what is near the selection, or all again. */
void scope_document_look_around (ScopeDocument *self);
void scope_document_set_hops (ScopeDocument *self, guint n_hops);
void scope_document_show_whole (ScopeDocument *self);
void scope_document_end_trace (ScopeDocument *self);

/* The selection as a trace knows it; its id is SYM_NO_ID for nothing. */
SymEntry scope_document_get_selected_entry (ScopeDocument *self);

/* What of a neighbourhood is not drawn becomes the middle of another, when it is selected.  FALSE
 * when nothing had to be done. */
gboolean scope_document_follow_selection (ScopeDocument *self);

/* ---- Search: what it has found, to be seen wherever it is shown ---- */
SymIds scope_document_get_found (ScopeDocument *self);

/* Whether anything is searched for, found or not. */
gboolean scope_document_has_search (ScopeDocument *self);

/* Takes @values, of SymId in the order of the summary; NULL when nothing is searched for.  Takes
 * @result, of which these are the first hits, one for one; NULL when nobody knows more. */
void scope_document_take_found (ScopeDocument *self, GArray *values, SymQueryResult *result);

/* All hits, groups and layers without a row among them; NULL for none. */
SymQueryResult *scope_document_get_hits (ScopeDocument *self);

/* Why a value is among what was found: "type Conv"; NULL when it is not.  The caller's. */
char *scope_document_explain_found (ScopeDocument *self, SymId value);

/* Whether that is selected; and to select it.  A group is opened for it. */
gboolean scope_document_has_selected_hit (ScopeDocument *self, guint hit);
void scope_document_select_hit (ScopeDocument *self, guint hit);

/* The place of the selection among the hits, of which nodes are in the order of the table and
 * others follow; how many lie before it when it is not there. */
gboolean scope_document_find_selected_hit (ScopeDocument *self, guint *place);

/* The group of a hit as it is called now; SYM_NO_GROUP when groups have been found anew since. */
guint scope_document_get_hit_group (ScopeDocument *self, const SymQueryItem *item);

/* ---- What another program found out, shown as colours; goes with the model ---- */
SymOverlay *scope_document_get_overlay (ScopeDocument *self); /* NULL for none */
void scope_document_take_overlay (ScopeDocument *self, SymOverlay *take_overlay);

/* ---- Comparing it with another graph, which is what there was before.  What differs gets the
 * colours; it is compared anew whenever one of both changes, until that is ended and the colours
 * are as before. ---- */

/* With another tab, as long as that is there; with a file, which is read first.  That may be a
 * folder or hold numbers alone (io/sym-numbers.h): then only those are compared, with each run. */
void scope_document_compare (ScopeDocument *self, ScopeDocument *other);
void scope_document_compare_file (ScopeDocument *self, GFile *file);
void scope_document_end_comparison (ScopeDocument *self);

/* What the other is called; NULL when it is compared with nothing. */
const char *scope_document_get_compared_title (ScopeDocument *self);

/* The other tab; NULL for none, or when it has gone.  Borrowed. */
ScopeDocument *scope_document_get_compared (ScopeDocument *self);

/* The numbers of a file that it is compared with; NULL for none, and until they are read. */
SymReference *scope_document_get_expected (ScopeDocument *self);

/* NULL until it is made; then why it cannot be, NULL when it can or nobody knows yet. */
ScopeComparison *scope_document_get_comparison (ScopeDocument *self);
const GError *scope_document_get_comparison_error (ScopeDocument *self);
gboolean scope_document_is_comparing (ScopeDocument *self);

/* What each call is, by id, of SymCompareKind, for the types that there are now; the caller's. NULL
 * for none. */
guint8 *scope_document_list_changes (ScopeDocument *self);

/* What is told of a call that differs, as scope_comparison_describe() has it; NULL for nothing, and
 * while the graph is another than was compared.  The caller's. */
char *scope_document_describe_change (ScopeDocument *self, SymId call);

/* How far the numbers of the last run are from those of the other tab's, or from those of a file:
 * NULL unless all has run, and until it was measured, which begins by itself; then why it cannot
 * be.  To be told as SCOPE_CHANGE_COMPARISON. */
const ScopeDistances *scope_document_get_distances (ScopeDocument *self);

/* Those of the types that there are now; NULL for none.  The caller's. */
ScopeDistances *scope_document_ref_distances (ScopeDocument *self);
const GError *scope_document_get_measure_error (ScopeDocument *self);
gboolean scope_document_is_measuring (ScopeDocument *self);

/* By value the largest difference by the largest number, below 0 for none, infinite for another
 * shape; the caller's.  NULL for none, and of another model than was compared. */
double *scope_document_list_differences (ScopeDocument *self);

/* Whether all weights are read and compared, too. */
void scope_document_set_compares_numbers (ScopeDocument *self, gboolean numbers);
gboolean scope_document_get_compares_numbers (ScopeDocument *self);

/* How many differences there are to be gone through: layers, or values of which a file has other
 * numbers. */
guint scope_document_get_n_differences (ScopeDocument *self);

/* Selects where a difference is; the next or the one before of what is selected.  Nothing happens
 * when there is none. */
void scope_document_select_difference (ScopeDocument *self, guint step);
void scope_document_step_difference (ScopeDocument *self, gboolean forward);

/* The one that was gone to, while that is selected; G_MAXUINT for none. */
guint scope_document_get_difference (ScopeDocument *self);

/* ---- What the user decides ---- */
ScopeState *scope_document_get_state (ScopeDocument *self);
void scope_document_toggle_mark (ScopeDocument *self, ScopeMark mark, SymId value);

/* Marks all that is selected that is not marked yet; none is left, and the marks go. */
void scope_document_toggle_marks (ScopeDocument *self, ScopeMark mark);
void scope_document_clear_marks (ScopeDocument *self);

/* These marks in place of all others, as one step. */
void scope_document_mark_part (ScopeDocument *self, SymIds inputs, SymIds outputs);

/* Marks every foreign parent of the present cut as an input. */
void scope_document_mark_foreign (ScopeDocument *self);

/* The shape of an input as typed.  FALSE when the text is none, which changes nothing. */
gboolean
scope_document_set_shape_text (ScopeDocument *self, SymId value, const char *text, GError **error);

/* The size of a named dimension of the inputs as typed, "" for none: see scope-dimensions.h.  FALSE
 * when the text is none, which changes nothing. */
gboolean scope_document_set_dimension_text (ScopeDocument *self,
                                            const char *name,
                                            const char *text,
                                            GError **error);

/* Why the typed shapes could not be used at all; contradictions between layers are problems
 * instead. */
const GError *scope_document_get_shape_error (ScopeDocument *self);

/* ---- Running the graph ---- */

/* What runs keep whole besides the outputs; the rest is computed again when it is looked at. */
#define SCOPE_RUN_BUDGET ((guint64) 256 << 20)

/* Runs all of the model in a thread; what runs already is stopped.  Takes @setup, which must be of
 * the present model. */
void scope_document_run (ScopeDocument *self, ScopeRunSetup *take_setup);
void scope_document_cancel_run (ScopeDocument *self);

/* What the last run was asked for, so that the next one is asked for the same; NULL: none was, or
 * of another file.  Takes @wish. */
const ScopeRunWish *scope_document_get_run_wish (ScopeDocument *self);
void scope_document_take_run_wish (ScopeDocument *self, ScopeRunWish *take_wish);

/* How many threads the next runs may have; 0, as at first, for one for each processor. */
void scope_document_set_n_threads (ScopeDocument *self, guint n_threads);

/* How far a run is: layers are counted while it is SYM_RECORD_RUNNING, else they are 0 of 0. */
typedef struct {
  SymRecordStage stage;
  guint n_done, n_all;
} ScopeRunProgress;

gboolean scope_document_is_running (ScopeDocument *self);

/* FALSE when no run goes on.  To be asked again and again. */
gboolean scope_document_get_run_progress (ScopeDocument *self, ScopeRunProgress *progress);

/* What the last run left; NULL for none.  Another shape or another model drops it. */
SymRecord *scope_document_get_record (ScopeDocument *self);

/* The same of the body that a node is in, if it is in one: of the last time that it ran.  Where
 * there is none, and another run would not bring it, @reason tells why; else it is NULL. */
SymRecord *
scope_document_find_record (ScopeDocument *self, const ScopeNode *node, const char **reason);

/* What each call took then, by id, below 0 where nothing is known, and where it had nothing to do:
 * that is no time that was measured.  The caller's.  NULL for none. */
double *scope_document_list_times (ScopeDocument *self);

/* How it was fed: with sizes that were made up, in words (NULL for none), and from which seed. */
const char *scope_document_get_run_taken (ScopeDocument *self);
guint64 scope_document_get_run_seed (ScopeDocument *self);

/* Whether the model had been edited, or read again, since the run before that one. */
gboolean scope_document_is_run_of_edited (ScopeDocument *self);

/* Whether the last run's record was dropped since. */
gboolean scope_document_is_run_stale (ScopeDocument *self);

/* Whether the last run was stopped before its end; what the one before it left is still there. */
gboolean scope_document_is_run_stopped (ScopeDocument *self);

/* Why the last run came to nothing; NULL when it did not. */
const GError *scope_document_get_run_error (ScopeDocument *self);

/* Forgets what is told of the last run, but not its record. */
void scope_document_dismiss_run (ScopeDocument *self);
gboolean scope_document_is_run_dismissed (ScopeDocument *self);

/* ---- Editing the model: each is one step of undo.  Nothing changes when one fails. ---- */

/* The marked nodes become outputs, after those that there are; marks go. */
gboolean scope_document_add_outputs (ScopeDocument *self, GError **error);
gboolean scope_document_remove_output (ScopeDocument *self, SymId value, GError **error);

gboolean
scope_document_rename_value (ScopeDocument *self, SymId value, const char *name, GError **error);
gboolean
scope_document_rename_call (ScopeDocument *self, SymId call, const char *name, GError **error);

/* Of the layer of @call, wherever it is applied; NULL removes it, so that it has its default. */
gboolean scope_document_set_attribute (ScopeDocument *self,
                                       SymId call,
                                       const char *name,
                                       const char *text,
                                       GError **error);

/* Whether the model or the shapes of inputs are not those of the file, or of the beginning. */
gboolean scope_document_is_edited (ScopeDocument *self);

/* The same, but a graph that was made here and is in no file yet is modified from its beginning. */
gboolean scope_document_is_modified (ScopeDocument *self);

/* Whether it was cut out of another or pasted, and was never saved. */
gboolean scope_document_was_made (ScopeDocument *self);

/* How many edits of another session, which were not saved then, the file is no longer fit for;
 * once, then 0. */
guint scope_document_take_lost_edits (ScopeDocument *self);

/* The model as it is in the file, or was at the beginning; NULL before it was read. */
SymModel *scope_document_get_saved_model (ScopeDocument *self);

/* What it was read as or saved in last; NULL for a model without a format. */
const SymIoFormat *scope_document_get_format (ScopeDocument *self);

/* That state was saved in @file, which is the document's from now on. */
void scope_document_take_saved (ScopeDocument *self,
                                ScopeState *take_state,
                                GFile *file,
                                const SymIoFormat *format);

gboolean scope_document_can_undo (ScopeDocument *self);
gboolean scope_document_can_redo (ScopeDocument *self);

/* Before that, "settle" is emitted: whoever holds back what is being typed hands it over. */
void scope_document_undo (ScopeDocument *self);
void scope_document_redo (ScopeDocument *self);

G_END_DECLS
