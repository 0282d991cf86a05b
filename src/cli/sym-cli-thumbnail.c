/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "draw/sym-draw.h"

#define USUAL_SIZE 256
#define LARGEST_SIZE 4096
#define MAX_ITEMS 30   /* for calls: more would be too small to tell anything */
#define LEAST_PART 420 /* points: about five boxes one below the other */
#define MARGIN 12

static const SymCliOption options[] = {
  { "out", 'o', "OUT.png", "the picture to write; - is standard output" },
  { "size", 's', "PX", "how wide and high it is at most (256 if not given)" },
  { NULL },
};

static gboolean
get_size (const SymCliArguments *arguments, guint64 *size, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "size");

  *size = USUAL_SIZE;
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 1, LARGEST_SIZE, size, NULL))
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--size: “%s” is no number of pixels from 1 to %d", text, LARGEST_SIZE);
  return FALSE;
}

static SymLayout *
lay_out (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);
  g_autoptr (SymInference) inference =
      model != NULL ? sym_cli_infer_model (arguments, model, error) : NULL;

  if (inference == NULL)
    return NULL;
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autoptr (SymFolding) folding = sym_folding_new (groups, MAX_ITEMS);
  g_autoptr (SymScene) scene = sym_scene_new (inference, &(SymSceneOptions){ .folding = folding });

  return sym_layout_new (scene, &(SymLayoutOptions){ .direction = SYM_DIRECTION_DOWN }, NULL,
                         error);
}

/* All of a graph that is about as high as wide; of a longer one its beginning, so that there is
 * something to see. */
static SymRect
choose_part (const SymLayout *layout)
{
  double width = sym_layout_get_width (layout), height = sym_layout_get_height (layout);
  double side = MAX (MIN (width, height) * 1.5, LEAST_PART);
  double part_width = MIN (width, side);

  return (SymRect){ (width - part_width) / 2 - MARGIN, -MARGIN, part_width + 2 * MARGIN,
                    MIN (height, side) + 2 * MARGIN };
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  const char *path = sym_cli_arguments_require (arguments, "out", error);
  guint64 size;

  if (path == NULL || !get_size (arguments, &size, error))
    return FALSE;
  g_autoptr (SymLayout) layout = lay_out (arguments, error);

  if (layout == NULL)
    return FALSE;
  SymRect part = choose_part (layout);
  SymPictureOptions look = { .crop = &part };
  g_autoptr (SymPicture) picture = sym_picture_new (layout, &look);
  SymRect extent = sym_picture_get_extent (picture);
  SymPictureOutput output = { .scale = (double) size / MAX (extent.width, extent.height) };

  sym_cli_arguments_set_subject (arguments, path);
  return sym_picture_write_png (picture, path, &output, error);
}

const SymCliCommand sym_cli_thumbnail = {
  .name = "thumbnail",
  .operands = "FILE",
  .options = options,
  .details =
      "For file managers.  Large groups are one box each, and of a long graph the beginning\n"
      "is shown.  Needs no display.",
  .run = run,
};
