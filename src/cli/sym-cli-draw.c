/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-picture.h"
#include "draw/sym-draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SymCliOption options[] = {
  { "out", 'o', "OUT", "the picture to write; - is standard output" },
  { "to", 0, "svg|png|pdf|dot", "its format; chosen by OUT's suffix if not given" },
  SYM_CLI_PICTURE_OPTIONS,
  { "theme", 0, "light|dark", "its colours (light if not given)" },
  { "scale", 0, "N", "pixels per point of a PNG (1 if not given)" },
  { "transparent", 0, NULL, "without a background" },
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

static gboolean
write_svg (SymPicture *picture, const char *path, double scale, GError **error)
{
  return sym_picture_write_svg (picture, path, error);
}

static gboolean
write_png (SymPicture *picture, const char *path, double scale, GError **error)
{
  return sym_picture_write_png (picture, path, scale, NULL, error);
}

static gboolean
write_pdf (SymPicture *picture, const char *path, double scale, GError **error)
{
  return sym_picture_write_pdf (picture, path, NULL, error);
}

static gboolean
write_dot (SymPicture *picture, const char *path, double scale, GError **error)
{
  return sym_picture_write_dot (picture, path, error);
}

typedef struct {
  const char *name;
  const char *suffix;
  gboolean (*write) (SymPicture *picture, const char *path, double scale, GError **error);
} Target;

static const Target targets[] = {
  { "svg", ".svg", write_svg }, { "png", ".png", write_png }, { "pdf", ".pdf", write_pdf },
  { "dot", ".dot", write_dot }, { "dot", ".gv", write_dot },
};

/* By `--to`, else by the suffix of @path. */
static const Target *
find_target (const SymCliArguments *arguments, const char *path, GError **error)
{
  const char *name = sym_cli_arguments_get (arguments, "to");
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    if (name ? g_str_equal (targets[i].name, name) : g_str_has_suffix (lower, targets[i].suffix))
      return &targets[i];
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "“%s” does not end in .svg, .png, .pdf or .dot: say which with --to", path);
  return NULL;
}

static gboolean
get_scale (const SymCliArguments *arguments, double *scale, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "scale");
  char *end;

  *scale = 1;
  if (text == NULL)
    return TRUE;
  *scale = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && isfinite (*scale) && *scale > 0)
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--scale: “%s” is no number above 0",
               text);
  return FALSE;
}

/* Only a PNG has pixels. */
static void
note_scale (const SymCliArguments *arguments, const Target *target, const char *path)
{
  if (sym_cli_arguments_has (arguments, "scale") && target->write != write_png)
    fprintf (stderr, "symscope: %s: note: --scale changes nothing: it is for PNG, and this is %s\n",
             path, target->name);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  const char *path = sym_cli_arguments_require (arguments, "out", error);
  const Target *target = path ? find_target (arguments, path, error) : NULL;
  const char *theme = sym_cli_arguments_get (arguments, "theme");
  g_auto (SymCliPicture) laid = { NULL };
  g_autoptr (SymPicture) picture = NULL;
  SymPictureOptions look = {
    .theme = g_strcmp0 (theme, "dark") == 0 ? SYM_THEME_DARK : SYM_THEME_LIGHT,
    .transparent = sym_cli_arguments_has (arguments, "transparent"),
    .legend = TRUE,
  };
  double scale;

  if (target == NULL || !get_scale (arguments, &scale, error) ||
      !sym_cli_picture_make (&laid, arguments, error))
    return FALSE;
  note_scale (arguments, target, path);
  picture = sym_picture_new (laid.layout, &look);
  sym_cli_arguments_set_subject (arguments, path);
  return target->write (picture, path, scale, error);
}

const SymCliCommand sym_cli_draw = {
  .name = "draw",
  .operands = "FILE",
  .options = options,
  .details = "Needs no display.  The same file drawn twice gives the same bytes.",
  .run = run,
};
