/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-picture.h"
#include "store/sym-store.h"

#include <time.h>

static const SymCliOption options[] = {
  { "out", 'o', "OUT.json", "the file to write; - is standard output" },
  SYM_CLI_PICTURE_OPTIONS,
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

static void
add_number (SymCliJson *json, const char *key, double number)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_add_thousandths (json, number);
}

static void
add_items (SymCliJson *json, const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  sym_cli_json_add_key (json, "items");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      SymPoint corner = sym_layout_get_position (layout, i);

      sym_cli_json_begin_object (json);
      sym_cli_json_add_key (json, "name");
      sym_cli_json_add_string (json, item->name);
      add_number (json, "x", corner.x);
      add_number (json, "y", corner.y);
      add_number (json, "width", item->width);
      add_number (json, "height", item->height);
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
}

/* Of open groups, when there are any. */
static void
add_frames (SymCliJson *json, const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  if (sym_scene_get_n_frames (scene) == 0)
    return;
  sym_cli_json_add_key (json, "frames");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < sym_scene_get_n_frames (scene); i++)
    {
      SymRect rect = sym_layout_get_frame_rect (layout, i);

      sym_cli_json_begin_object (json);
      sym_cli_json_add_key (json, "name");
      sym_cli_json_add_string (json, sym_scene_get_frame (scene, i)->title);
      add_number (json, "x", rect.x);
      add_number (json, "y", rect.y);
      add_number (json, "width", rect.width);
      add_number (json, "height", rect.height);
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
}

static void
add_course (SymCliJson *json, const SymLayout *layout, guint edge)
{
  guint n_points;
  const SymPoint *points = sym_layout_get_course (layout, edge, &n_points);

  sym_cli_json_add_key (json, "points");
  sym_cli_json_begin_array (json);
  for (guint i = 0; i < n_points; i++)
    {
      sym_cli_json_begin_array (json);
      sym_cli_json_add_thousandths (json, points[i].x);
      sym_cli_json_add_thousandths (json, points[i].y);
      sym_cli_json_end_array (json);
    }
  sym_cli_json_end_array (json);
}

static void
add_edges (SymCliJson *json, const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  sym_cli_json_add_key (json, "edges");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      sym_cli_json_begin_object (json);
      sym_cli_json_add_key (json, "from");
      sym_cli_json_add_string (json, sym_scene_get_item (scene, edge->from)->name);
      sym_cli_json_add_key (json, "to");
      sym_cli_json_add_string (json, sym_scene_get_item (scene, edge->to)->name);
      add_course (json, layout, i);
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
}

static void
add_milliseconds (SymCliJson *json, const SymCliPicture *picture, gint64 start)
{
  sym_cli_json_add_key (json, "milliseconds");
  sym_cli_json_begin_object (json);
  add_number (json, "load", picture->load);
  add_number (json, "infer", picture->infer);
  add_number (json, "scene", picture->scene);
  add_number (json, "layout", picture->settle);
  add_number (json, "total", (double) (g_get_monotonic_time () - start) / 1000.0);
  sym_cli_json_end_object (json);
}

static gboolean
write_bytes (gpointer target, const void *bytes, gsize size, GError **error)
{
  return sym_store_writer_write (target, bytes, size, error);
}

static gboolean
write_layout (const char *path, const SymCliPicture *picture, gint64 start, GError **error)
{
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (path, error);
  SymCliJson *json;

  if (writer == NULL)
    return FALSE;
  json = sym_cli_json_new (write_bytes, writer);
  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "size");
  sym_cli_json_begin_array (json);
  sym_cli_json_add_thousandths (json, sym_layout_get_width (picture->layout));
  sym_cli_json_add_thousandths (json, sym_layout_get_height (picture->layout));
  sym_cli_json_end_array (json);
  add_items (json, picture->layout);
  add_frames (json, picture->layout);
  add_edges (json, picture->layout);
  add_milliseconds (json, picture, start);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error) && sym_store_writer_commit (writer, error);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  const char *path = sym_cli_arguments_require (arguments, "out", error);
  g_auto (SymCliPicture) picture = { NULL };

  if (path == NULL || !sym_cli_picture_make (&picture, arguments, error))
    return FALSE;
  sym_cli_arguments_set_subject (arguments, path);
  return write_layout (path, &picture, start, error);
}

const SymCliCommand sym_cli_layout = {
  .name = "layout",
  .operands = "FILE",
  .options = options,
  .details =
      "OUT has an item for each layer as it is applied and for each input, x and y being its\n"
      "top left corner in points, and the points of each edge as a chain of cubic Bezier\n"
      "curves; then the milliseconds that each step took.",
  .run = run,
};
