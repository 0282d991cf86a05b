/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-io.h"

/* The formats that are not saved into.  Each tests/fixtures/FORMAT/x.json (or .xml, .dot, .tflite,
 * .pb, .pbtxt, .et, .net) either is refused with the message of x.error, or opens as x.expected has
 * it: a line per value, and the problems.  With UPDATE=1 in the environment what comes out is
 * written there, to be read by whoever changed it. */

/* ---- What a model is ---- */

static void
append_type (GString *out, const SymModel *model, SymId value)
{
  SymType type = sym_model_get_declared_type (model, value);

  g_string_append_printf (out, " %s [", sym_dtype_to_string (type.dtype));
  if (type.shape.rank < 0)
    g_string_append (out, "...");
  for (int i = 0; i < type.shape.rank; i++)
    {
      SymDim dim = type.shape.dims[i];
      g_autofree char *text = dim == SYM_DIM_UNKNOWN
                                  ? g_strdup ("?")
                                  : sym_terms_format (sym_model_get_terms (model), dim);

      g_string_append_printf (out, "%s%s", i == 0 ? "" : ", ", text);
    }
  g_string_append (out, "]");
}

static void append_model (GString *out, const SymModel *model, const char *indent);

static void
append_call (GString *out, const SymModel *model, SymId call, const char *indent)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  SymIds operands = sym_model_get_operands (model, call);
  SymIds controls = sym_model_get_controls (model, call);

  g_string_append_printf (out, " = %s (", sym_layer_get_type (layer));
  for (guint i = 0; i < operands.n; i++)
    g_string_append_printf (
        out, "%s%s", i == 0 ? "" : ", ",
        operands.ids[i] == SYM_NO_ID ? "-" : sym_model_get_value_name (model, operands.ids[i]));
  g_string_append (out, ")");
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *text = sym_value_to_string (sym_attributes_get_value (attributes, i));

      g_string_append_printf (out, " %s=%s", sym_attributes_get_name (attributes, i), text);
    }
  for (guint i = 0; i < controls.n; i++)
    g_string_append_printf (out, " after %s", sym_model_get_call_name (model, controls.ids[i]));
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      const char *name;
      SymModel *body = sym_layer_get_body (layer, i, &name);
      g_autofree char *deeper = g_strconcat (indent, "  ", NULL);

      g_string_append_printf (out, "\n%s%s, %u captures:\n", deeper, name,
                              sym_layer_get_body_captures (layer, i));
      append_model (out, body, deeper);
      g_string_truncate (out, out->len - 1);
    }
}

/* What role a value has; a parameter is trained unless it says otherwise, a state is not. */
static void
append_role (GString *out, const SymModel *model, SymId value)
{
  SymRole role = sym_model_get_role (model, value);
  const SymParameter *parameter = sym_model_get_parameter (model, value);
  gboolean trained = parameter != NULL && sym_parameter_get_trainable (parameter);

  g_string_append_printf (out, " %s", sym_role_to_string (role));
  if (role == SYM_ROLE_PARAMETER && parameter != NULL && !trained)
    g_string_append (out, ", not trained,");
  else if (role == SYM_ROLE_AUXILIARY && trained)
    g_string_append (out, ", trained,");
}

static void
append_model (GString *out, const SymModel *model, const char *indent)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymId call = sym_model_get_producer (model, value);

      g_string_append_printf (out, "%s%s%s", indent, sym_model_is_output (model, value) ? "*" : "",
                              sym_model_get_value_name (model, value));
      append_role (out, model, value);
      append_type (out, model, value);
      if (call != SYM_NO_ID && sym_model_get_output_index (model, value) == 0)
        append_call (out, model, call, indent);
      g_string_append_c (out, '\n');
    }
}

static char *
describe (const SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);
  GString *out = g_string_new (NULL);

  append_model (out, model, "");
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      g_string_append_printf (out, "%u: %s: %s\n", problem->line,
                              sym_severity_to_string (problem->severity), problem->message);
    }
  return g_string_free (out, FALSE);
}

/* ---- Fixtures ---- */

static void
compare (const char *stem, const char *suffix, const char *text)
{
  g_autofree char *path = g_strconcat (stem, suffix, NULL);
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  if (g_getenv ("UPDATE") != NULL)
    {
      g_file_set_contents (path, text, -1, &error);
      g_assert_no_error (error);
    }
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_fixture (gconstpointer data)
{
  const char *path = data;
  g_autofree char *stem = g_strndup (path, (gsize) (strrchr (path, '.') - path));
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *format = g_path_get_basename (folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autofree char *text = NULL;

  if (model == NULL)
    {
      text = g_strconcat (error->message, "\n", NULL);
      compare (stem, ".error", text);
      return;
    }
  g_assert_cmpstr (sym_model_get_format (model), ==, format);
  text = describe (model);
  compare (stem, ".expected", text);
}

static void
add_folder (const char *format)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", format, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json") || g_str_has_suffix (name, ".xml") ||
        g_str_has_suffix (name, ".dot") || g_str_has_suffix (name, ".tflite") ||
        g_str_has_suffix (name, ".pb") || g_str_has_suffix (name, ".pbtxt") ||
        g_str_has_suffix (name, ".et") || g_str_has_suffix (name, ".net"))
      {
        g_autofree char *test = g_strdup_printf ("/formats/%s/%s", format, name);

        g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_fixture,
                                   g_free);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    {
      const char *name = sym_io_format_get_name (*format);

      /* Containers of HDF5 are tested with the weights that are in them. */
      if (sym_io_format_can_read (*format) && !sym_io_format_can_save (*format) &&
          strcmp (name, "keras-h5") != 0)
        add_folder (name);
    }
  return g_test_run ();
}
