/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-picture.h"

#include "core/sym-extract.h"
#include "scene/sym-scene-body.h"

#include <stdio.h>

#define DEFAULT_HOPS 2
#define MAX_FOLDED 150 /* items for calls that --fold shows: what a picture can tell */

static const struct {
  const char *name;
  SymLabels label;
} labels[] = {
  { "name", SYM_LABEL_NAME },
  { "variable", SYM_LABEL_VARIABLE },
  { "shape", SYM_LABEL_SHAPE },
  { "dtype", SYM_LABEL_DTYPE },
};

/* Milliseconds since *@last, which becomes now. */
static double
measure (gint64 *last)
{
  gint64 before = *last;

  *last = g_get_monotonic_time ();
  return (double) (*last - before) / 1000.0;
}

static gboolean
get_labels (const SymCliArguments *arguments, SymLabels *found, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "labels");
  g_auto (GStrv) names = text ? sym_cli_split_list (text) : NULL;

  for (guint i = 0; names && names[i]; i++)
    {
      guint j = 0;

      while (j < G_N_ELEMENTS (labels) && !g_str_equal (labels[j].name, names[i]))
        j++;
      if (j == G_N_ELEMENTS (labels))
        {
          g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                       "--labels: “%s” is none of name, variable, shape, dtype", names[i]);
          return FALSE;
        }
      *found |= labels[j].label;
    }
  return TRUE;
}

static gboolean
get_hops (const SymCliArguments *arguments, guint *hops, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "hops");
  guint64 number = DEFAULT_HOPS;

  if (text && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &number, NULL))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--hops: “%s” is no number of layers",
                   text);
      return FALSE;
    }
  if (text && !sym_cli_arguments_has (arguments, "around"))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--hops needs --around NODE");
      return FALSE;
    }
  *hops = (guint) number;
  return TRUE;
}

static gboolean
is_cut (const SymCliArguments *arguments)
{
  return sym_cli_arguments_has (arguments, "outputs") ||
         sym_cli_arguments_has (arguments, "inputs");
}

/* What is drawn as one item is one to begin with, too. */
static SymSelection *
select_around (const SymCliArguments *arguments,
               SymModel *model,
               const SymFolding *folding,
               GError **error)
{
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  const char *list = sym_cli_arguments_get (arguments, "around");
  guint hops;

  if (!get_hops (arguments, &hops, error) || !sym_cli_resolve_list (model, list, named, error))
    return NULL;
  for (guint i = 0; i < named->len; i++)
    if (folding)
      sym_folding_collect_beside (folding, g_array_index (named, SymId, i), values);
    else
      g_array_append_val (values, g_array_index (named, SymId, i));
  return sym_selection_new_around (model, (const SymId *) (gconstpointer) values->data, values->len,
                                   hops);
}

/* As `extract` cuts; with inputs only, as far as the model goes. */
static SymSelection *
select_cut (const SymCliArguments *arguments, SymModel *model, GError **error)
{
  const char *input_list = sym_cli_arguments_get (arguments, "inputs");
  const char *output_list = sym_cli_arguments_get (arguments, "outputs");
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymIds own = sym_model_get_outputs (model);

  if ((input_list && !sym_cli_resolve_list (model, input_list, inputs, error)) ||
      (output_list && !sym_cli_resolve_list (model, output_list, outputs, error)))
    return NULL;
  if (output_list == NULL)
    g_array_append_vals (outputs, own.ids, own.n);
  return sym_selection_new (model, (const SymId *) inputs->data, inputs->len,
                            (const SymId *) outputs->data, outputs->len, NULL, error);
}

/* Whether a part is asked for, in ways that go together. */
static gboolean
check_part (const SymCliArguments *arguments, GError **error)
{
  guint hops;

  if (sym_cli_arguments_has (arguments, "around") && is_cut (arguments))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--around cannot be given with --outputs or --inputs");
      return FALSE;
    }
  return get_hops (arguments, &hops, error);
}

/* TRUE with NULL when everything is to be drawn. */
static gboolean
select_part (const SymCliArguments *arguments,
             SymModel *model,
             const SymFolding *folding,
             SymSelection **selection,
             GError **error)
{
  if (sym_cli_arguments_has (arguments, "around"))
    *selection = select_around (arguments, model, folding, error);
  else if (is_cut (arguments))
    *selection = select_cut (arguments, model, error);
  else
    return TRUE;
  return *selection != NULL;
}

static gboolean
is_given_as (const SymCliArguments *arguments, const char *option, const char *value)
{
  return g_strcmp0 (sym_cli_arguments_get (arguments, option), value) == 0;
}

/* NULL without `--fold`. */
static SymFolding *
fold (const SymCliArguments *arguments, SymModel *model)
{
  g_autoptr (SymGroups) groups = NULL;

  if (!sym_cli_arguments_has (arguments, "fold"))
    return NULL;
  groups = sym_groups_new (model);
  if (sym_groups_get_n (groups) == 0)
    fprintf (stderr, "symscope: %s: note: --fold: no groups were found\n",
             sym_cli_arguments_get_subject (arguments));
  return sym_folding_new (groups, MAX_FOLDED);
}

static SymInference *
load (SymCliPicture *self, SymCliArguments *arguments, GError **error)
{
  gint64 last = g_get_monotonic_time ();
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);
  SymInference *inference;

  self->load = measure (&last);
  if (model == NULL)
    return NULL;
  inference = sym_cli_infer_model (arguments, model, error);
  self->infer = measure (&last);
  return inference;
}

/* When `--expand` did not show what it was to. */
static void
note_bodies (const SymCliArguments *arguments, const SymScene *scene)
{
  const char *file = sym_cli_arguments_get_subject (arguments);
  guint n = sym_scene_get_n_left_closed (scene), n_not_made = sym_scene_get_n_not_made (scene);

  if (sym_scene_get_open_bodies (scene) == NULL)
    return;
  if (n > 0)
    fprintf (stderr,
             "symscope: %s: note: --expand: %u %s left closed: there is too much inside, it lies "
             "too deep, or within itself\n",
             file, n, n == 1 ? "layer is" : "layers are");
  if (n_not_made > 0)
    fprintf (stderr,
             "symscope: %s: note: --expand: %u %s left closed: what %s made of cannot be told\n",
             file, n_not_made, n_not_made == 1 ? "layer is" : "layers are",
             n_not_made == 1 ? "it is" : "they are");
  if (n + n_not_made == 0 && sym_scene_get_n_bodies (scene) == 1)
    fprintf (stderr, "symscope: %s: note: --expand: nothing is inside of any layer that is drawn\n",
             file);
}

static gboolean
lay_out (SymCliPicture *self,
         const SymCliArguments *arguments,
         SymInference *inference,
         const SymSceneOptions *options,
         GError **error)
{
  SymLayoutOptions layout_options = { .direction = options->sideways ? SYM_DIRECTION_RIGHT
                                                                     : SYM_DIRECTION_DOWN };
  gint64 last = g_get_monotonic_time ();
  g_autoptr (SymScene) scene = sym_scene_new (inference, options);

  self->scene = measure (&last);
  note_bodies (arguments, scene);
  self->layout = sym_layout_new (scene, &layout_options, NULL, error);
  self->settle = measure (&last);
  if (self->layout && sym_layout_get_message (self->layout))
    fprintf (stderr, "symscope: %s: note: %s\n", sym_cli_arguments_get_subject (arguments),
             sym_layout_get_message (self->layout));
  return self->layout != NULL;
}

gboolean
sym_cli_picture_make (SymCliPicture *self, SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSelection) part = NULL;
  g_autoptr (SymFolding) folding = NULL;
  g_autoptr (SymOpenBodies) open_bodies = NULL;
  SymSceneOptions options = {
    .drawing = is_given_as (arguments, "nodes", "layers") ? SYM_DRAWING_LAYERS : SYM_DRAWING_DATA,
    .sideways = is_given_as (arguments, "direction", "right"),
  };

  if (!get_labels (arguments, &options.labels, error) || !check_part (arguments, error))
    return FALSE;
  inference = load (self, arguments, error);
  if (inference == NULL)
    return FALSE;
  folding = fold (arguments, sym_inference_get_model (inference));
  options.folding = folding;
  if (!select_part (arguments, sym_inference_get_model (inference), folding, &part, error))
    return FALSE;
  options.selection = part;
  if (sym_cli_arguments_has (arguments, "expand"))
    options.open_bodies = open_bodies = sym_open_bodies_new_all ();
  return lay_out (self, arguments, inference, &options, error);
}

void
sym_cli_picture_clear (SymCliPicture *self)
{
  g_clear_pointer (&self->layout, sym_layout_unref);
}
