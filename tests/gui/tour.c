/* SPDX-License-Identifier: MIT */
#include "tour.h"

#include "app/scope-canvas.h"
#include "app/scope-inspector.h"
#include "app/scope-table.h"
#include "camera.h"

static char *prefix;

static void
shoot (const char *name)
{
  g_autofree char *whole = g_strdup_printf ("%s-%s", prefix, name);

  camera_shoot (whole);
}

static void
inspect (Robot *robot, const char *name)
{
  g_autofree char *whole = g_strdup_printf ("%s-%s", prefix, name);

  camera_shoot_inspector (robot, whole);
}

/* The result of the call in the middle. */
static SymId
find_middle (ScopeDocument *document)
{
  SymModel *model = scope_document_get_model (document);

  for (SymId call = sym_model_get_n_calls (model) / 2; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) && sym_model_get_results (model, call).n > 0)
      return sym_model_get_results (model, call).ids[0];
  return SYM_NO_ID;
}

static void
focus_canvas (Robot *robot)
{
  GtkWidget *canvas = robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_CANVAS, NULL);

  if (canvas != NULL)
    gtk_widget_grab_focus (canvas);
}

static void
see_drawings (Robot *robot)
{
  static const char *const folds[] = { "win.fold-all", "win.unfold-all" };
  static const char *const drawings[] = { "layers", "data" };

  shoot ("start");
  for (guint i = 0; i < G_N_ELEMENTS (folds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (drawings); j++)
      {
        g_autofree char *name = g_strdup_printf ("%s-%s", folds[i] + strlen ("win."), drawings[j]);

        camera_act (robot, folds[i], NULL);
        camera_act (robot, "win.drawing", drawings[j]);
        camera_settle (robot);
        camera_act (robot, "win.fit", NULL);
        camera_settle (robot);
        shoot (name);
      }
  camera_act (robot, "win.direction", "right");
  camera_settle (robot);
  camera_act (robot, "win.fit", NULL);
  camera_settle (robot);
  shoot ("right");
  camera_act (robot, "win.direction", "down");
  camera_settle (robot);
}

static void
see_pages (Robot *robot)
{
  ScopeDocument *document = robot_get_document (robot);

  scope_document_select_value (document, find_middle (document));
  camera_settle (robot);
  camera_act (robot, "win.zoom-one", NULL);
  camera_settle (robot);
  inspect (robot, "node");
  focus_canvas (robot);
  robot_do ("key e");
  camera_settle (robot);
  inspect (robot, "edge");
  scope_document_select_value (document, find_middle (document));
  camera_settle (robot);
  focus_canvas (robot);
  robot_do ("key a");
  camera_settle (robot);
  shoot ("trace");
  robot_do ("key n");
  robot_do ("key 2");
  camera_settle (robot);
  shoot ("near");
  robot_do ("key Escape");
  robot_do ("key Escape");
  camera_settle (robot);
  robot_do ("key Menu");
  shoot ("menu");
  robot_do ("key Escape");
}

static void
see_cut (Robot *robot)
{
  ScopeDocument *document = robot_get_document (robot);

  scope_document_select_value (document, find_middle (document));
  focus_canvas (robot);
  robot_do ("key o");
  camera_settle (robot);
  shoot ("cut");
  camera_act (robot, "win.fit", NULL);
  camera_settle (robot);
  shoot ("cut-fit");
  camera_act (robot, "win.clear-marks", NULL);
  camera_settle (robot);
  robot_do ("key ctrl+f");
  robot_do ("type --delay 20 'params>1000'");
  robot_idle (1200);
  shoot ("search");
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 e");
  robot_idle (1500);
  shoot ("search-many");
  robot_do ("key Escape");
  robot_do ("key Escape");
  camera_settle (robot);
}

static void
see_colors (Robot *robot)
{
  static const char *const kinds[] = { "parameters", "bytes", "dtype" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat ("color-", kinds[i], NULL);

      camera_act (robot, "win.color-by", kinds[i]);
      camera_settle (robot);
      camera_act (robot, "win.fit", NULL);
      camera_settle (robot);
      shoot (name);
    }
  camera_act (robot, "win.color-by", "category");
  camera_settle (robot);
}

static void
see_dialogs (Robot *robot)
{
  static const struct {
    const char *action, *shot;
  } dialogs[] = { { "win.run", "run" }, { "win.export", "export" }, { "win.extract", "extract" } };

  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      camera_act (robot, dialogs[i].action, NULL);
      camera_focus_dialog (robot);
      robot_idle (1500);
      shoot (dialogs[i].shot);
      robot_do ("key Escape");
      robot_idle (600);
    }
}

void
tour (const char *path)
{
  Robot robot;

  g_free (prefix);
  prefix = g_path_get_basename (path);
  camera_start (&robot, path);
  camera_settle (&robot);
  see_drawings (&robot);
  see_pages (&robot);
  see_cut (&robot);
  see_colors (&robot);
  see_dialogs (&robot);
  robot_stop (&robot);
}
