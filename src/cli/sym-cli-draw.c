/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-picture.h"
#include "draw/sym-draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FARTHEST 1e9 /* points; no drawing is that large */

static const SymCliOption options[] = {
  { "out", 'o', "OUT", "the picture to write; - is standard output" },
  { "to", 0, "svg|png|pdf|dot", "its format; chosen by OUT's suffix if not given" },
  SYM_CLI_PICTURE_OPTIONS,
  { "theme", 0, "light|dark|contrast|dark-contrast", "its colours (light if not given)" },
  { "crop", 0, "X,Y,W,H", "only this rectangle of the drawing, in points (see `layout`)" },
  { "scale", 0, "N", "pixels per point of a PNG, size of a PDF (1 if not given)" },
  { "width", 0, "PX", "how wide a PNG is; its height follows" },
  { "height", 0, "PX", "how high a PNG is; its width follows" },
  { "paper", 0, "fit|a4|a3|a2|a1|a0|letter",
    "pages of a PDF (fit, as large as needed, if not given)" },
  { "transparent", 0, NULL, "without a background" },
  { "no-legend", 0, NULL, "without the legend of colours" },
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

typedef struct {
  const char *name;
  const char *suffix;
  SymPictureWriteFunc write;
} Target;

typedef struct {
  SymPictureOutput output;
  guint64 width, height; /* in pixels; 0: not given */
  SymRect crop;          /* empty: not given */
} Request;

static const char *const sizes[] = { "scale", "width", "height" };

static const char *const papers[] = {
  [SYM_PAPER_FIT] = "fit",       [SYM_PAPER_A4] = "a4", [SYM_PAPER_A3] = "a3",
  [SYM_PAPER_A2] = "a2",         [SYM_PAPER_A1] = "a1", [SYM_PAPER_A0] = "a0",
  [SYM_PAPER_LETTER] = "letter",
};

static const Target targets[] = {
  { "svg", ".svg", sym_picture_write_svg }, { "png", ".png", sym_picture_write_png },
  { "pdf", ".pdf", sym_picture_write_pdf }, { "dot", ".dot", sym_picture_write_dot },
  { "dot", ".gv", sym_picture_write_dot },
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

/* 0 when it is not given. */
static gboolean
get_pixels (const SymCliArguments *arguments, const char *option, guint64 *pixels, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, option);

  *pixels = 0;
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, pixels, NULL))
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s: “%s” is no number of pixels",
               option, text);
  return FALSE;
}

/* A picture has one size. */
static gboolean
get_size (const SymCliArguments *arguments, Request *request, GError **error)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    n += sym_cli_arguments_has (arguments, sizes[i]);
  if (n > 1)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "only one of --scale, --width and --height can be given");
      return FALSE;
    }
  return get_scale (arguments, &request->output.scale, error) &&
         get_pixels (arguments, "width", &request->width, error) &&
         get_pixels (arguments, "height", &request->height, error);
}

static void
get_paper (const SymCliArguments *arguments, SymPaper *paper)
{
  const char *text = sym_cli_arguments_get (arguments, "paper");

  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (papers); i++)
    if (g_str_equal (papers[i], text))
      *paper = (SymPaper) i;
}

static gboolean
get_crop (const SymCliArguments *arguments, Request *request, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "crop");
  g_auto (GStrv) words = text ? g_strsplit (text, ",", -1) : NULL;
  double numbers[4] = { 0 };
  gboolean is_right = text == NULL || g_strv_length (words) == G_N_ELEMENTS (numbers);
  char *end;

  for (guint i = 0; text && is_right && i < G_N_ELEMENTS (numbers); i++)
    {
      numbers[i] = g_ascii_strtod (words[i], &end);
      is_right = end != words[i] && *end == '\0' && isfinite (numbers[i]) &&
                 fabs (numbers[i]) < FARTHEST && (i < 2 || numbers[i] > 0);
    }
  if (is_right)
    {
      request->crop = (SymRect){ numbers[0], numbers[1], numbers[2], numbers[3] };
      return TRUE;
    }
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--crop: “%s” is not X,Y,WIDTH,HEIGHT, of which the last two are above 0", text);
  return FALSE;
}

/* Nothing in the rectangle is a mistake in it. */
static gboolean
check_crop (const Request *request, const SymLayout *layout, GError **error)
{
  SymRect all = { 0, 0, sym_layout_get_width (layout), sym_layout_get_height (layout) };
  const SymRect *crop = &request->crop;

  if (crop->width <= 0 || (crop->x < all.width && crop->y < all.height &&
                           crop->x + crop->width > 0 && crop->y + crop->height > 0))
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
               "--crop: nothing is there; the drawing is 0,0,%.0f,%.0f", all.width, all.height);
  return FALSE;
}

/* What says something about a kind of picture that this one is not. */
static void
note_useless (const SymCliArguments *arguments, const Target *target, const char *path)
{
  static const struct {
    const char *option;
    SymPictureWriteFunc first, second;
    const char *kinds;
  } uses[] = {
    { "scale", sym_picture_write_png, sym_picture_write_pdf, "PNG and PDF" },
    { "width", sym_picture_write_png, NULL, "PNG" },
    { "height", sym_picture_write_png, NULL, "PNG" },
    { "paper", sym_picture_write_pdf, NULL, "PDF" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    if (sym_cli_arguments_has (arguments, uses[i].option) && target->write != uses[i].first &&
        target->write != uses[i].second)
      fprintf (stderr, "symscope: %s: note: --%s changes nothing: it is for %s, and this is %s\n",
               path, uses[i].option, uses[i].kinds, target->name);
}

/* One of those that the option has. */
static SymTheme
read_theme (const char *name)
{
  static const char *const names[] = {
    [SYM_THEME_LIGHT] = "light",
    [SYM_THEME_DARK] = "dark",
    [SYM_THEME_LIGHT_CONTRAST] = "contrast",
    [SYM_THEME_DARK_CONTRAST] = "dark-contrast",
  };

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return (SymTheme) i;
  return SYM_THEME_LIGHT;
}

static SymPicture *
draw (const SymCliArguments *arguments, const Request *request, SymLayout *layout)
{
  SymPictureOptions look = {
    .theme = read_theme (sym_cli_arguments_get (arguments, "theme")),
    .transparent = sym_cli_arguments_has (arguments, "transparent"),
    .legend = !sym_cli_arguments_has (arguments, "no-legend"),
    .crop = request->crop.width > 0 ? &request->crop : NULL,
  };

  return sym_picture_new (layout, &look);
}

/* As wide or as high as was asked for. */
static void
choose_scale (Request *request, const SymPicture *picture)
{
  SymRect extent = sym_picture_get_extent (picture);

  if (request->width > 0)
    request->output.scale = (double) request->width / extent.width;
  if (request->height > 0)
    request->output.scale = (double) request->height / extent.height;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  const char *path = sym_cli_arguments_require (arguments, "out", error);
  const Target *target = path ? find_target (arguments, path, error) : NULL;
  g_auto (SymCliPicture) laid = { NULL };
  g_autoptr (SymPicture) picture = NULL;
  Request request = { 0 };

  if (target == NULL || !get_size (arguments, &request, error) ||
      !get_crop (arguments, &request, error) || !sym_cli_picture_make (&laid, arguments, error) ||
      !check_crop (&request, laid.layout, error))
    return FALSE;
  get_paper (arguments, &request.output.paper);
  note_useless (arguments, target, path);
  picture = draw (arguments, &request, laid.layout);
  if (target->write == sym_picture_write_png)
    choose_scale (&request, picture);
  sym_cli_arguments_set_subject (arguments, path);
  return target->write (picture, path, &request.output, error);
}

const SymCliCommand sym_cli_draw = {
  .name = "draw",
  .operands = "FILE",
  .options = options,
  .details = "Needs no display.  The same file drawn twice gives the same bytes.",
  .run = run,
};
