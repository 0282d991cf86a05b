/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"

#include "cli/sym-cli-memory.h"
#include "core/sym-edit.h"
#include "core/sym-extract.h"

#define MAX_NAMED 8

SymModel *
sym_cli_open_model (SymCliArguments *arguments, GError **error)
{
  const char *path = sym_cli_arguments_get_operand (arguments, 0);

  sym_cli_memory_expect (path);
  return sym_io_read_with_weights (path, sym_cli_arguments_get (arguments, "weights"), NULL, error);
}

gboolean
sym_cli_resolve (const SymModel *model, const char *text, SymId *value, GError **error)
{
  g_autofree char *plain = sym_cli_unescape (text);

  return (!g_str_equal (plain, text) && sym_model_resolve (model, text, value, NULL)) ||
         sym_model_resolve (model, plain, value, error);
}

/* As MXNet does for a name that is none of its arguments (M40), but a few, of the data alone, and
 * where no name is near enough to be meant. */
static void
name_inputs (const SymModel *model, GError *error)
{
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (GString) text = g_string_new (error->message);

  if (!g_error_matches (error, SYM_ERROR, SYM_ERROR_NOT_FOUND) || inputs.n == 0 ||
      g_str_has_suffix (error->message, "?"))
    return;
  g_string_append (text, inputs.n == 1 ? "; the input is " : "; the inputs are ");
  for (guint i = 0; i < MIN (inputs.n, MAX_NAMED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            sym_model_get_unique_name (model, inputs.ids[i]));
  if (inputs.n > MAX_NAMED)
    g_string_append_printf (text, " and %u more", inputs.n - MAX_NAMED);
  g_free (error->message);
  error->message = g_string_free (g_steal_pointer (&text), FALSE);
}

/* Only what no layer makes can be told. */
static gboolean
resolve_input (const SymModel *model,
               const char *name,
               const char *option,
               SymId *value,
               GError **error)
{
  SymId found;

  if (!sym_cli_resolve (model, name, &found, error))
    {
      g_prefix_error (error, "--%s %s: ", option, name);
      if (error != NULL)
        name_inputs (model, *error);
      return FALSE;
    }
  if (sym_model_get_producer (model, found) != SYM_NO_ID)
    {
      g_set_error (
          error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
          "--%s %s: “%s” is computed by the graph; only inputs and parameters can be given "
          "one",
          option, name, sym_model_get_unique_name (model, found));
      return FALSE;
    }
  *value = found;
  return TRUE;
}

static gboolean
check_dimension (const char *text, const char *option, GError **error)
{
  g_autoptr (SymTerms) terms = sym_terms_new ();
  SymDim dim;

  if (sym_terms_parse (terms, text, &dim) && *text != '-')
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--%s: “%s” is no dimension; it is a number, a name such as batch, a form such as "
               "2*seq+1, or ?",
               option, text);
  return FALSE;
}

/* The dimensions after the `=`, NULL-ended; none for a scalar.  -1 and None are other frameworks'
 * words for ?. */
static char **
split_shape (const char *text, GError **error)
{
  g_auto (GStrv) dims = *text ? g_strsplit (text, ",", -1) : g_new0 (char *, 1);

  for (guint i = 0; dims[i]; i++)
    {
      g_strstrip (dims[i]);
      if (g_str_equal (dims[i], "-1") || g_str_equal (dims[i], "None"))
        {
          g_free (dims[i]);
          dims[i] = g_strdup ("?");
        }
      if (!check_dimension (dims[i], "shape", error))
        return NULL;
    }
  if (g_strv_length (dims) > SYM_MAX_RANK)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--shape: “%s” has more than %d dimensions", text, SYM_MAX_RANK);
      return NULL;
    }
  return g_steal_pointer (&dims);
}

static gboolean
add_shape (SymCliWishes *wishes, const char *assignment, GError **error)
{
  g_autofree char *name = NULL;
  const char *text;
  SymOverride override = { .has_shape = TRUE };
  char **dims;

  if (!sym_cli_split_assignment (assignment, "shape", &name, &text, error))
    return FALSE;
  dims = split_shape (text, error);
  if (dims == NULL)
    return FALSE;
  g_ptr_array_add (wishes->texts, dims);
  override.shape = sym_shape_new_unknown ((int) g_strv_length (dims));
  override.names = (const char *const *) dims;
  if (!resolve_input (wishes->model, name, "shape", &override.value, error))
    return FALSE;
  g_array_append_val (wishes->overrides, override);
  return TRUE;
}

static gboolean
add_dtype (SymCliWishes *wishes, const char *assignment, GError **error)
{
  g_autofree char *name = NULL;
  const char *text;
  SymOverride override = { .has_dtype = TRUE };

  if (!sym_cli_split_assignment (assignment, "dtype", &name, &text, error))
    return FALSE;
  if (!sym_dtype_from_string (text, &override.dtype))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--dtype: there is no dtype “%s”; names are numpy's, such as float32 or int64",
                   text);
      return FALSE;
    }
  if (!resolve_input (wishes->model, name, "dtype", &override.value, error))
    return FALSE;
  g_array_append_val (wishes->overrides, override);
  return TRUE;
}

void
sym_cli_wishes_free (SymCliWishes *self)
{
  g_array_unref (self->overrides);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

SymCliWishes *
sym_cli_wishes_new (const SymCliArguments *arguments, const SymModel *model, GError **error)
{
  g_autoptr (SymCliWishes) self = g_new0 (SymCliWishes, 1);
  const char *text;

  self->model = model;
  self->overrides = g_array_new (FALSE, FALSE, sizeof (SymOverride));
  self->texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 0; (text = sym_cli_arguments_get_nth (arguments, "shape", i)) != NULL; i++)
    if (!add_shape (self, text, error))
      return NULL;
  for (guint i = 0; (text = sym_cli_arguments_get_nth (arguments, "dtype", i)) != NULL; i++)
    if (!add_dtype (self, text, error))
      return NULL;
  return g_steal_pointer (&self);
}

SymInference *
sym_cli_infer_model (SymCliArguments *arguments, SymModel *model, GError **error)
{
  g_autoptr (SymCliWishes) wishes = sym_cli_wishes_new (arguments, model, error);

  return wishes == NULL ? NULL
                        : sym_infer (model, (const SymOverride *) wishes->overrides->data,
                                     wishes->overrides->len, NULL, error);
}

/* What a command opens it keeps until the process ends, which gives back all memory at once instead
 * of block by block: a tenth of the time of a summary. */
static SymInference *kept;

SymInference *
sym_cli_keep (SymInference *inference)
{
  if (inference != NULL && kept == NULL)
    kept = sym_inference_ref (inference);
  return inference;
}

SymInference *
sym_cli_open_and_infer (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);

  return model == NULL ? NULL : sym_cli_keep (sym_cli_infer_model (arguments, model, error));
}

/* What the reader has kept for the writer is memory for what follows: in pages that are there. */
SymInference *
sym_cli_open_to_look (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);

  if (model == NULL)
    return NULL;
  sym_model_forget_origin (model);
  return sym_cli_keep (sym_cli_infer_model (arguments, model, error));
}

SymInference *
sym_cli_open_and_declare (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymInference) inference = sym_cli_open_and_infer (arguments, error);
  g_autoptr (SymCliWishes) wishes = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymEdit) edit = NULL;

  if (inference == NULL)
    return NULL;
  wishes = sym_cli_wishes_new (arguments, sym_inference_get_model (inference), error);
  if (wishes == NULL)
    return NULL;
  if (wishes->overrides->len == 0)
    return g_steal_pointer (&inference);
  edit = sym_edit_new (sym_inference_get_model (inference));
  for (guint i = 0; i < wishes->overrides->len; i++)
    if (!sym_edit_take_types (edit, inference,
                              &g_array_index (wishes->overrides, SymOverride, i).value, 1, error))
      return NULL;
  model = sym_edit_end (g_steal_pointer (&edit));
  return sym_infer (model, NULL, 0, NULL, error);
}

gboolean
sym_cli_resolve_list (const SymModel *model, const char *list, GArray *values, GError **error)
{
  g_auto (GStrv) names = sym_cli_split_list (list);

  for (guint i = 0; names[i]; i++)
    {
      SymId value;

      if (!sym_model_resolve (model, names[i], &value, error))
        return FALSE;
      g_array_append_val (values, value);
    }
  return TRUE;
}

GArray *
sym_cli_collect_parameters (const SymModel *model)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);
      SymRole role;

      if (entry.is_call)
        continue;
      role = sym_model_get_role (model, entry.id);
      if (role == SYM_ROLE_PARAMETER || role == SYM_ROLE_AUXILIARY)
        g_array_append_val (values, entry.id);
    }
  return values;
}
