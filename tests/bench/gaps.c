/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <stdio.h>

#include "app/scope-canvas.h"
#include "app/scope-export-dialog.h"
#include "app/scope-summary.h"
#include "robot.h"
#include "watchdog.h"

/* usage: gaps [--stacks] FILE...
 *
 * Does with each graph what a user can do with it, and prints for how long the window does not
 * answer after each: the longest turn of the main loop, without what other processes took. */
#define KEPT_MS 25.0
#define N_TABS 6

typedef struct {
  Robot robot;
  const char *path;
} Bench;

typedef struct {
  const char *what;
  void (*act) (Bench *self);
  const char *action; /* of the window or of the table, where @act is NULL */
  const char *target;
} Step;

static ScopeDocument *
get_document (Bench *self)
{
  return robot_get_document (&self->robot);
}

/* ---- Values ---- */

static SymModel *
get_model (Bench *self)
{
  return scope_document_get_model (get_document (self));
}

/* The first result of the first call that has one, at or after so many per cent of all. */
static SymId
find_value (Bench *self, guint percent)
{
  SymModel *model = get_model (self);
  guint n = sym_model_get_n_calls (model);

  for (SymId call = (SymId) ((guint64) n * percent / 100); call < n; call++)
    if (sym_model_has_call (model, call) && sym_model_get_results (model, call).n > 0)
      return sym_model_get_results (model, call).ids[0];
  g_error ("%s has no call after %u %%", self->path, percent);
}

/* The call with the most operands. */
static SymId
find_widest (SymModel *model)
{
  SymId widest = SYM_NO_ID;
  guint most = 0;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) && sym_model_get_operands (model, call).n > most)
      {
        widest = call;
        most = sym_model_get_operands (model, call).n;
      }
  return widest;
}

static void
select_middle (Bench *self)
{
  scope_document_select_value (get_document (self), find_value (self, 50));
}

static void
select_end (Bench *self)
{
  scope_document_select_value (get_document (self), find_value (self, 99));
}

static void
select_input (Bench *self)
{
  SymIds inputs = sym_model_get_inputs (get_model (self));

  if (inputs.n > 0)
    scope_document_select_value (get_document (self), inputs.ids[0]);
}

static void
select_widest (Bench *self)
{
  SymModel *model = get_model (self);
  SymIds results = sym_model_get_results (model, find_widest (model));

  if (results.n > 0)
    scope_document_select_value (get_document (self), results.ids[0]);
}

static void
select_all (Bench *self)
{
  SymModel *model = get_model (self);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) && sym_model_get_results (model, call).n > 0)
      g_array_append_val (values, sym_model_get_results (model, call).ids[0]);
  scope_document_select_values (
      get_document (self), (SymIds){ (const SymId *) (gconstpointer) values->data, values->len },
      g_array_index (values, SymId, 0));
}

/* ---- Steps that are no action ---- */

static void
open_file (Bench *self)
{
  robot_open (&self->robot, self->path);
}

static void
open_all (Bench *self)
{
  scope_document_open_all (get_document (self));
}

static void
close_all (Bench *self)
{
  scope_document_close_all (get_document (self));
}

static void
open_levels (Bench *self)
{
  scope_document_open_levels (get_document (self), 1);
}

static void
press (Bench *self, const char *keys)
{
  gtk_widget_grab_focus (robot_find_part (&self->robot, SCOPE_TYPE_CANVAS));
  robot_do ("key %s", keys);
}

static void
press_down (Bench *self)
{
  press (self, "Down");
}

static void
press_right (Bench *self)
{
  press (self, "Right");
}

static void
press_end (Bench *self)
{
  press (self, "End");
}

static void
press_home (Bench *self)
{
  press (self, "Home");
}

static void
search_letter (Bench *self)
{
  press (self, "ctrl+f");
  robot_do ("type e");
}

static void
search_shape (Bench *self)
{
  press (self, "ctrl+f");
  robot_do ("key ctrl+a");
  robot_do ("type in:1");
}

static void
search_nothing (Bench *self)
{
  press (self, "ctrl+f");
  robot_do ("key ctrl+a");
  robot_do ("key BackSpace");
  robot_settle (&self->robot);
  press (self, "Escape");
}

static void
mark_output (Bench *self)
{
  scope_document_toggle_mark (get_document (self), SCOPE_MARK_OUTPUT, find_value (self, 60));
}

static void
mark_input (Bench *self)
{
  scope_document_toggle_mark (get_document (self), SCOPE_MARK_INPUT, find_value (self, 40));
}

static void
mark_selected (Bench *self)
{
  scope_document_toggle_marks (get_document (self), SCOPE_MARK_OUTPUT);
}

static void
add_outputs (Bench *self)
{
  scope_document_add_outputs (get_document (self), NULL);
}

static void
rename_value (Bench *self)
{
  scope_document_rename_value (get_document (self), find_value (self, 50), "renamed", NULL);
}

static void
set_shape (Bench *self)
{
  SymIds inputs = sym_model_get_inputs (get_model (self));

  if (inputs.n > 0)
    scope_document_set_shape_text (get_document (self), inputs.ids[0], "2,3,64,64", NULL);
}

static void
look_around (Bench *self)
{
  scope_document_look_around (get_document (self));
}

static void
show_whole (Bench *self)
{
  scope_document_show_whole (get_document (self));
}

static void
compare (Bench *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->path);

  scope_document_compare_file (get_document (self), file);
}

static void
accept (Bench *self)
{
  robot_do ("key Return");
}

static GtkWidget *
find_choice (const char *title)
{
  GtkWidget *dialog = GTK_WIDGET (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
  GtkWidget *label = robot_find (dialog, GTK_TYPE_LABEL, title);

  return gtk_widget_get_ancestor (label, ADW_TYPE_COMBO_ROW);
}

static void
choose_formats (Bench *self)
{
  GtkWidget *kinds = find_choice ("Format");
  guint n;

  scope_export_get_kinds (&n);
  for (guint i = 0; i < n; i++)
    {
      adw_combo_row_set_selected (ADW_COMBO_ROW (kinds), i);
      robot_settle (&self->robot);
      robot_idle (500);
    }
}

static void
choose_by_keys (Bench *self)
{
  static const char *const titles[] = { "Part", "Format", "Colours" };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      gtk_widget_grab_focus (find_choice (titles[i]));
      robot_press (&self->robot, "space");
      robot_press (&self->robot, "Down");
      robot_press (&self->robot, "Return");
    }
}

static void
escape (Bench *self)
{
  robot_do ("key Escape");
}

static void
close_tab (Bench *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->robot.window), "win.close-tab", NULL);
  robot_settle (&self->robot);
}

static void
close_other_windows (Bench *self)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = g_list_model_get_n_items (windows); i > 0; i--)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i - 1);

      if (SCOPE_IS_WINDOW (window) && window != GTK_WINDOW (self->robot.window))
        gtk_window_close (window);
    }
}

/* The same graph by other names. */
static void
open_more (Bench *self)
{
  g_autofree char *folder = g_dir_make_tmp ("gaps-XXXXXX", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (self->path);

  for (guint i = 1; i < N_TABS; i++)
    {
      g_autofree char *base = g_path_get_basename (self->path);
      g_autofree char *name = g_strdup_printf ("%u-%s", i, base);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GFile) copy = g_file_new_for_path (path);

      if (!g_file_copy (file, copy, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL))
        g_error ("cannot write %s", path);
      robot_open (&self->robot, path);
      robot_settle (&self->robot);
      g_file_delete (copy, NULL, NULL);
    }
  g_rmdir (folder);
}

/* ---- All of them, in their order ---- */

static const Step steps[] = {
  { "open the file", open_file },
  { "select in the middle", select_middle },
  { "select the end", select_end },
  { "select the input", select_input },
  { "select the widest", select_widest },
  { "key Down", press_down },
  { "key Right", press_right },
  { "key End", press_end },
  { "key Home", press_home },
  { "zoom in", NULL, "win.zoom-in" },
  { "one to one", NULL, "win.zoom-one" },
  { "fit", NULL, "win.fit" },
  { "zoom out", NULL, "win.zoom-out" },
  { "close all groups", close_all },
  { "open one level", open_levels },
  { "open all groups", open_all },
  { "search a letter", search_letter },
  { "next hit", NULL, "win.find-next" },
  { "dim what was not found", NULL, "win.dim-others" },
  { "colour what was found", NULL, "win.color-by", "found" },
  { "list all beside", NULL, "table.filter" },
  { "search by inputs", search_shape },
  { "search nothing", search_nothing },
  { "sort by parameters", NULL, "table.sort", "params" },
  { "sort by name", NULL, "table.sort", "layer" },
  { "sort no more", NULL, "table.sort", "" },
  { "tree", NULL, "table.tree" },
  { "tree: open all groups", open_all },
  { "no tree", NULL, "table.tree" },
  { "columns of Keras", NULL, "table.preset", "keras" },
  { "columns as before", NULL, "table.reset" },
  { "copy the table", NULL, "table.copy", "csv" },
  { "mark an output", mark_output },
  { "open the cut", NULL, "win.open-cut" },
  { "close it", close_tab },
  { "mark an input", mark_input },
  { "undo", NULL, "win.undo" },
  { "redo", NULL, "win.redo" },
  { "clear marks", NULL, "win.clear-marks" },
  { "mark again", mark_output },
  { "add the output", add_outputs },
  { "undo that", NULL, "win.undo" },
  { "rename", rename_value },
  { "undo the name", NULL, "win.undo" },
  { "type a shape", set_shape },
  { "undo the shape", NULL, "win.undo" },
  { "draw layers", NULL, "win.drawing", "layers" },
  { "draw data", NULL, "win.drawing", "data" },
  { "direction right", NULL, "win.direction", "right" },
  { "direction down", NULL, "win.direction", "down" },
  { "labels of variables", NULL, "win.label-variable" },
  { "without them", NULL, "win.label-variable" },
  { "colour parameters", NULL, "win.color-by", "parameters" },
  { "colour types", NULL, "win.color-by", "dtype" },
  { "colour categories", NULL, "win.color-by", "category" },
  { "select for a trace", select_middle },
  { "trace both ways", NULL, "win.trace", "both" },
  { "end the trace", NULL, "win.trace", "both" },
  { "look around", look_around },
  { "show the whole", show_whole },
  { "bookmark", NULL, "win.add-bookmark" },
  { "select all", select_all },
  { "mark all", mark_selected },
  { "clear all marks", NULL, "win.clear-marks" },
  { "select one", select_middle },
  { "compare with itself", compare },
  { "end comparing", NULL, "win.end-comparison" },
  { "dialog to run", NULL, "win.run" },
  { "run", accept },
  { "colour times", NULL, "win.color-by", "time" },
  { "colour no times", NULL, "win.color-by", "category" },
  { "dialog to export", NULL, "win.export" },
  { "all formats", choose_formats },
  { "formats by keys", choose_by_keys },
  { "close it again", escape },
  { "back", NULL, "win.back" },
  { "forward", NULL, "win.forward" },
  { "dark colours", NULL, "app.colors", "dark" },
  { "light colours", NULL, "app.colors", "light" },
  { "open five more", open_more },
  { "dark colours of six", NULL, "app.colors", "dark" },
  { "light colours of six", NULL, "app.colors", "light" },
  { "tab to a window", NULL, "win.move-tab" },
  { "dark colours of two", NULL, "app.colors", "dark" },
  { "light colours of two", NULL, "app.colors", "light" },
  { "close that window", close_other_windows },
  { "close the last", close_tab },
  { "read it again", NULL, "win.reload" },
  { "close the tab", close_tab },
};

/* ---- Measuring ---- */

static void
activate (Bench *self, const Step *step)
{
  GtkWidget *widget = GTK_WIDGET (self->robot.window);
  GVariant *target = step->target != NULL ? g_variant_new_string (step->target) : NULL;

  if (g_str_has_prefix (step->action, "table."))
    widget = robot_find_part (&self->robot, SCOPE_TYPE_SUMMARY);
  if (!gtk_widget_activate_action_variant (widget, step->action, target))
    g_error ("there is no action %s", step->action);
}

static void
take (Bench *self, const Step *step)
{
  watchdog_set_what (step->what);
  if (step->act != NULL)
    step->act (self);
  else
    activate (self, step);
  robot_settle (&self->robot);
}

static void
print_gaps (GPtrArray *gaps, gboolean with_stacks)
{
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const WatchdogGap *longest = NULL;
      guint n = 0;

      for (guint k = 0; k < gaps->len; k++)
        {
          const WatchdogGap *gap = gaps->pdata[k];

          if (g_strcmp0 (gap->what, steps[i].what) != 0)
            continue;
          n++;
          if (longest == NULL || gap->own_ms > longest->own_ms)
            longest = gap;
        }
      if (longest == NULL)
        continue;
      g_print ("  %-24s %7.1f ms (computed %.1f), %u of at least %.0f ms\n", steps[i].what,
               longest->own_ms, longest->cpu_ms, n, KEPT_MS);
      if (with_stacks)
        g_print ("%s\n", longest->stacks);
    }
}

static void
measure (const char *path, gboolean with_stacks)
{
  Bench self = { .path = path };

  robot_start (&self.robot, NULL);
  watchdog_start (KEPT_MS);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    take (&self, &steps[i]);
  double longest = watchdog_get_longest ();
  g_autoptr (GPtrArray) gaps = watchdog_stop ();

  g_print ("%s: longest %.1f ms\n", path, longest);
  print_gaps (gaps, with_stacks);
  robot_stop (&self.robot);
}

int
main (int argc, char **argv)
{
  gboolean with_stacks = argc > 1 && g_str_equal (argv[1], "--stacks");

  if (!robot_is_possible ())
    {
      fprintf (stderr, "gaps: there is no X display, or no xdotool\n");
      return 1;
    }
  for (int i = with_stacks ? 2 : 1; i < argc; i++)
    measure (argv[i], with_stacks);
  return 0;
}
