/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-object.h"
#include "core/sym-error.h"
#include "core/sym-settle.h"
#include "io/sym-numbers.h"
#include "run/sym-reference.h"
#include "run/sym-run-fill.h"
#include "store/sym-store-numpy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is given ---- */

static void
clear_feed (gpointer data)
{
  SymCliFeed *feed = data;

  g_clear_pointer (&feed->datum, sym_datum_unref);
}

void
sym_cli_feeds_free (SymCliFeeds *self)
{
  g_array_unref (self->feeds);
  g_free (self);
}

static gboolean
get_seed (const SymCliArguments *arguments, guint64 *seed, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "seed");

  *seed = 0;
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, seed, NULL))
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--seed takes a number from 0 on, not “%s”", text);
  return FALSE;
}

gboolean
sym_cli_get_threads (const SymCliArguments *arguments, guint *n_threads, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "threads");
  guint64 n = 1;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 1, SYM_PLAN_MAX_THREADS, &n, NULL))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--threads takes a number from 1 to %u, not “%s”", SYM_PLAN_MAX_THREADS, text);
      return FALSE;
    }
  *n_threads = (guint) n;
  return TRUE;
}

static SymDatum *
read_npy (const char *path, GError **error)
{
  g_autoptr (SymTensor) tensor = sym_store_open_npy (path, error);

  return tensor == NULL ? NULL : sym_datum_new_read (tensor, error);
}

/* The arrays of a file that are called like inputs, or the only one for the only input. */
static gboolean
read_archive (SymCliFeeds *self, SymModel *model, const char *path, GError **error)
{
  g_autoptr (SymNumbers) numbers = sym_numbers_read (path, NULL, error);
  guint before = self->feeds->len;

  if (numbers == NULL)
    {
      g_prefix_error (error, "--input takes NAME=SOURCE or a file of arrays: ");
      return FALSE;
    }
  SymIds inputs = sym_model_get_inputs (model);
  gboolean is_only = sym_numbers_get_n (numbers) == 1 && inputs.n == 1;
  g_autoptr (SymReference) reference =
      sym_reference_new (model, sym_numbers_get_names (numbers), sym_numbers_get_tensors (numbers),
                         sym_numbers_get_n (numbers), sym_numbers_has_dtypes (numbers));

  for (guint i = 0; i < sym_reference_get_n (reference); i++)
    {
      const SymReferenceEntry *entry = sym_reference_get (reference, i);
      SymCliFeed feed = { .value = is_only ? inputs.ids[0] : entry->value };

      if (feed.value == SYM_NO_ID || entry->is_again || !sym_ids_contain (inputs, feed.value))
        continue;
      feed.datum = sym_datum_new_read (entry->tensor, error);
      if (feed.datum == NULL)
        return FALSE;
      g_array_append_val (self->feeds, feed);
    }
  if (self->feeds->len > before)
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
               "no array of %s is called like an input of the graph", path);
  return FALSE;
}

/* One `NAME=...`, or a file. */
static gboolean
read_given (SymCliFeeds *self, SymModel *model, const char *text, GError **error)
{
  SymCliFeed feed = { SYM_NO_ID };
  g_autofree char *name = NULL;
  const char *source;

  if (strchr (text, '=') == NULL && g_file_test (text, G_FILE_TEST_EXISTS))
    return read_archive (self, model, text, error);
  if (!sym_cli_split_assignment (text, "input", &name, &source, error) ||
      !sym_cli_resolve (model, name, &feed.value, error))
    return FALSE;
  if (!sym_run_fill_from_string (source, &feed.fill))
    {
      feed.datum = read_npy (source, error);
      if (feed.datum == NULL)
        return FALSE;
    }
  g_array_append_val (self->feeds, feed);
  return TRUE;
}

SymCliFeeds *
sym_cli_feeds_new (SymCliArguments *arguments, SymModel *model, GError **error)
{
  g_autoptr (SymCliFeeds) self = g_new0 (SymCliFeeds, 1);
  const char *folder = sym_cli_arguments_get (arguments, "data"), *text;

  self->feeds = g_array_new (FALSE, FALSE, sizeof (SymCliFeed));
  g_array_set_clear_func (self->feeds, clear_feed);
  if (!get_seed (arguments, &self->seed, error))
    return NULL;
  for (guint i = 0; (text = sym_cli_arguments_get_nth (arguments, "input", i)) != NULL; i++)
    if (!read_given (self, model, text, error))
      return NULL;
  if (folder != NULL && !sym_cli_read_data (folder, model, self->feeds, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* ---- Types ---- */

static gboolean
has_wish (const SymCliWishes *wishes, SymId value)
{
  for (guint i = 0; i < wishes->overrides->len; i++)
    {
      const SymOverride *wish = &g_array_index (wishes->overrides, SymOverride, i);

      if (wish->value == value && wish->has_shape)
        return TRUE;
    }
  return FALSE;
}

/* Numbers have a shape; `--shape` goes before it, and is held against it when they are fed. */
static void
add_shapes (const SymCliFeeds *self, const SymModel *model, SymCliWishes *wishes)
{
  for (guint i = 0; i < self->feeds->len; i++)
    {
      const SymCliFeed *feed = &g_array_index (self->feeds, SymCliFeed, i);
      const SymArray *array = feed->datum == NULL ? NULL : sym_datum_get_array (feed->datum);
      SymOverride override = { .value = feed->value, .has_shape = TRUE };

      if (array == NULL || sym_model_get_producer (model, feed->value) != SYM_NO_ID ||
          has_wish (wishes, feed->value))
        continue;
      override.shape = array->shape;
      g_array_append_val (wishes->overrides, override);
    }
}

SymInference *
sym_cli_feeds_infer (const SymCliFeeds *self,
                     SymCliArguments *arguments,
                     SymModel *model,
                     GError **error)
{
  g_autoptr (SymCliWishes) wishes = sym_cli_wishes_new (arguments, model, error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (GArray) overrides = NULL;
  g_autofree char *taken = NULL;

  if (wishes == NULL)
    return NULL;
  add_shapes (self, model, wishes);
  inference = sym_infer (model, (const SymOverride *) wishes->overrides->data,
                         wishes->overrides->len, NULL, error);
  if (inference == NULL)
    return NULL;
  overrides = sym_settle_shapes (inference, (const SymOverride *) wishes->overrides->data,
                                 wishes->overrides->len, &taken);
  if (taken == NULL)
    return sym_cli_keep (g_steal_pointer (&inference));
  fprintf (stderr, "symscope: %s: note: sizes taken as 1: %s; --shape gives others\n",
           sym_cli_arguments_get_operand (arguments, 0), taken);
  return sym_cli_keep (
      sym_infer (model, (const SymOverride *) overrides->data, overrides->len, NULL, error));
}

/* ---- Feeding ---- */

/* The type of an input, all of it a number: what a made-up input needs. */
static gboolean
get_shape (const SymInference *inference, SymId value, SymType *type, GError **error)
{
  const char *name = sym_model_get_unique_name (sym_inference_get_model (inference), value);
  g_autofree char *shape = NULL;

  *type = sym_inference_get_type (inference, value);
  if (type->kind == SYM_KIND_TENSOR && type->dtype == SYM_DTYPE_UNKNOWN)
    type->dtype = SYM_DTYPE_FLOAT32;
  if (type->kind == SYM_KIND_TENSOR && type->shape.rank >= 0 && sym_shape_is_known (&type->shape))
    return TRUE;
  if (type->kind != SYM_KIND_TENSOR && type->kind != SYM_KIND_UNKNOWN)
    return TRUE;
  shape = sym_cli_format_shape (inference, value);
  g_set_error (
      error, SYM_ERROR, SYM_ERROR_UNDECIDED,
      "the shape of input “%s” is %s; give it with --shape %s=D,D,..., or its numbers with "
      "--input %s=FILE.npy",
      name, shape, name, name);
  return FALSE;
}

static SymDatum *
fill (const SymInference *inference, SymId value, SymRunFill how, guint64 seed, GError **error)
{
  guint limit = SYM_RUN_FILL_LIMIT;
  SymDatum *datum;
  SymType type;

  if (!get_shape (inference, value, &type, error))
    return NULL;
  if (how == SYM_RUN_FILL_RANDOM)
    limit = sym_run_fill_find_limit (inference, value);
  datum = sym_run_fill_type (how, &type, seed + value, limit, error);
  if (datum == NULL)
    g_prefix_error (error, "input “%s”: ",
                    sym_model_get_unique_name (sym_inference_get_model (inference), value));
  return datum;
}

/* Numbers go with what `--shape` and `--dtype` say. */
static SymDatum *
check (const SymInference *inference, const SymCliFeed *from, GError **error)
{
  const SymArray *array = sym_datum_get_array (from->datum);
  SymType type = sym_inference_get_type (inference, from->value);
  const char *name = sym_model_get_unique_name (sym_inference_get_model (inference), from->value);
  g_autoptr (GError) cause = NULL;

  if (sym_datum_check_type (from->datum, &type, name, &cause))
    return sym_datum_ref (from->datum);
  type.dtype = SYM_DTYPE_UNKNOWN;
  if (sym_datum_check_type (from->datum, &type, name, NULL))
    g_set_error (error, cause->domain, cause->code, "%s; --dtype %s=%s takes it as it is",
                 cause->message, name, sym_dtype_to_string (array->dtype));
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  return NULL;
}

/* An input without numbers of its own, which an output needs, or any value. */
static gboolean
is_needed (const SymModel *model, SymId value, gboolean everything)
{
  return sym_model_has_value (model, value) &&
         sym_model_get_role (model, value) == SYM_ROLE_INPUT &&
         sym_model_get_producer (model, value) == SYM_NO_ID &&
         sym_model_get_tensor (model, value) == NULL &&
         (everything || sym_model_is_live (model, value));
}

static gboolean
is_given (const SymCliFeeds *self, SymId value)
{
  for (guint i = 0; i < self->feeds->len; i++)
    if (g_array_index (self->feeds, SymCliFeed, i).value == value)
      return TRUE;
  return FALSE;
}

static void
clear_made (gpointer data)
{
  g_clear_pointer (&((SymFeed *) data)->datum, sym_datum_unref);
}

static gboolean
add_made (GArray *made, SymId value, SymDatum *take_datum)
{
  SymFeed feed = { value, take_datum };

  if (take_datum != NULL)
    g_array_append_val (made, feed);
  return take_datum != NULL;
}

GArray *
sym_cli_feeds_make (const SymCliFeeds *self,
                    const SymInference *inference,
                    gboolean everything,
                    GError **error)
{
  const SymModel *model = sym_inference_get_model (inference);
  g_autoptr (GArray) made = g_array_new (FALSE, FALSE, sizeof (SymFeed));

  g_array_set_clear_func (made, clear_made);
  for (guint i = 0; i < self->feeds->len; i++)
    {
      const SymCliFeed *given = &g_array_index (self->feeds, SymCliFeed, i);

      if (!add_made (made, given->value,
                     given->datum == NULL
                         ? fill (inference, given->value, given->fill, self->seed, error)
                         : check (inference, given, error)))
        return NULL;
    }
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (is_needed (model, value, everything) && !is_given (self, value) &&
        !add_made (made, value, fill (inference, value, SYM_RUN_FILL_RANDOM, self->seed, error)))
      return NULL;
  return g_steal_pointer (&made);
}

gboolean
sym_cli_feeds_apply (const SymCliFeeds *self,
                     SymSession *session,
                     const SymInference *inference,
                     gboolean everything,
                     GError **error)
{
  g_autoptr (GArray) made = sym_cli_feeds_make (self, inference, everything, error);

  if (made == NULL)
    return FALSE;
  sym_session_set_seed (session, self->seed);
  for (guint i = 0; i < made->len; i++)
    {
      const SymFeed *feed = &g_array_index (made, SymFeed, i);

      if (!sym_session_feed (session, feed->value, feed->datum, error))
        return FALSE;
    }
  return TRUE;
}
