/* SPDX-License-Identifier: MIT */
#include "query/sym-cut-code.h"

#include <string.h>

#define NO_FILE "model"

/* ---- Texts ---- */

/* In double quotes, as C, Python and JSON have it in common. */
static void
append_quoted (GString *code, const char *text)
{
  g_string_append_c (code, '"');
  for (const char *p = text; *p != '\0'; p++)
    switch (*p)
      {
      case '"':
      case '\\':
        g_string_append_printf (code, "\\%c", *p);
        break;
      case '\n':
        g_string_append (code, "\\n");
        break;
      default:
        if ((guchar) *p < ' ' || *p == 0x7f)
          g_string_append_printf (code, "\\%03o", (guchar) *p);
        else
          g_string_append_c (code, *p);
      }
  g_string_append_c (code, '"');
}

/* ["a", "b"] */
static void
append_list (GString *code, SymModel *model, SymIds values)
{
  g_string_append_c (code, '[');
  for (guint i = 0; i < values.n; i++)
    {
      g_string_append (code, i > 0 ? ", " : "");
      append_quoted (code, sym_model_get_unique_name (model, values.ids[i]));
    }
  g_string_append_c (code, ']');
}

/* "a/b/resnet.onnx" -> "resnet-part.onnx". */
static char *
name_part (const char *path, const char *suffix)
{
  g_autofree char *base = path != NULL ? g_path_get_basename (path) : g_strdup (NO_FILE);
  char *dot = strrchr (base, '.');
  g_autofree char *end = g_strdup (suffix != NULL ? suffix : dot != NULL ? dot : "");

  if (dot != NULL && dot != base)
    *dot = '\0';
  return g_strconcat (base, "-part", end, NULL);
}

/* "a/b/net.json" -> "net.onnx", with a line that says how that is made. */
static char *
append_conversion (GString *code, const char *path, const char *format, const char *suffix)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *quoted = g_shell_quote (path);
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  char *converted = g_strconcat (name, suffix, NULL);
  g_autofree char *out = g_shell_quote (converted);

  g_strdelimit (quoted, "\n\r", ' '); /* a comment is one line */
  g_strdelimit (out, "\n\r", ' ');
  g_string_append_printf (code, "# First: symscope convert %s --to %s --out %s\n", quoted, format,
                          out);
  return converted;
}

/* What the cut leaves of the model's own inputs needs not be told. */
static gboolean
has_own_inputs (const SymSelection *selection, SymModel *model)
{
  SymIds chosen = sym_selection_get_inputs (selection);
  SymIds own = sym_model_get_inputs (model);
  g_autoptr (GHashTable) set = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < own.n; i++)
    g_hash_table_add (set, GSIZE_TO_POINTER ((gsize) own.ids[i] + 1));
  for (guint i = 0; i < chosen.n; i++)
    if (!g_hash_table_contains (set, GSIZE_TO_POINTER ((gsize) chosen.ids[i] + 1)))
      return FALSE;
  return TRUE;
}

/* ---- C ---- */

static void
append_resolve (GString *code,
                SymModel *model,
                SymIds values,
                const char *array,
                gboolean *is_first)
{
  for (guint i = 0; i < values.n; i++)
    {
      g_string_append (code, *is_first ? "  if (" : " ||\n      ");
      *is_first = FALSE;
      g_string_append (code, "!sym_model_resolve (model, ");
      append_quoted (code, sym_model_get_unique_name (model, values.ids[i]));
      g_string_append_printf (code, ", &%s[%u], error)", array, i);
    }
}

static void
write_c (const SymSelection *selection, SymModel *model, const char *path, GString *code)
{
  SymIds inputs = sym_selection_get_inputs (selection);
  SymIds outputs = sym_selection_get_outputs (selection);
  gboolean names_inputs = inputs.n > 0 && !has_own_inputs (selection, model);
  gboolean is_first = TRUE;

  g_string_append (code, "static SymModel *\ncut (SymModel *model, GError **error)\n{\n");
  if (names_inputs)
    g_string_append_printf (code, "  SymId inputs[%u];\n", inputs.n);
  g_string_append_printf (code, "  SymId outputs[%u];\n\n", outputs.n);
  if (names_inputs)
    append_resolve (code, model, inputs, "inputs", &is_first);
  append_resolve (code, model, outputs, "outputs", &is_first);
  g_string_append (code, ")\n    return NULL;\n");
  if (names_inputs)
    g_string_append_printf (code,
                            "  g_autoptr (SymSelection) part =\n      sym_selection_new (model, "
                            "inputs, %u, outputs, %u, NULL, error);\n",
                            inputs.n, outputs.n);
  else
    g_string_append_printf (code,
                            "  g_autoptr (SymSelection) part =\n      sym_selection_new (model, "
                            "NULL, 0, outputs, %u, NULL, error);\n",
                            outputs.n);
  g_string_append (code,
                   "\n  return part != NULL ? sym_selection_extract (part, NULL) : NULL;\n}\n");
}

/* ---- PyTorch Symbolic ---- */

static gboolean
is_keyword (const char *word)
{
  static const char *const keywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",    NULL
  };

  return g_strv_contains (keywords, word);
}

/* The variable that holds the node, else its name made one. */
static void
append_variable (GString *code, SymModel *model, SymId value)
{
  const char *variable = sym_model_get_variable (model, value);
  g_autofree char *name =
      g_strdup (variable != NULL ? variable : sym_model_get_unique_name (model, value));

  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z "0123456789_", '_');
  if (g_ascii_isdigit (*name) || *name == '\0')
    g_string_append_c (code, '_');
  g_string_append (code, name);
  if (is_keyword (name))
    g_string_append_c (code, '_');
}

static void
append_variables (GString *code, SymModel *model, SymIds values)
{
  if (values.n != 1)
    g_string_append_c (code, '(');
  for (guint i = 0; i < values.n; i++)
    {
      g_string_append (code, i > 0 ? ", " : "");
      append_variable (code, model, values.ids[i]);
    }
  if (values.n != 1)
    g_string_append_c (code, ')');
}

static void
write_torch (const SymSelection *selection, SymModel *model, const char *path, GString *code)
{
  g_string_append (code, "from pytorch_symbolic import SymbolicModel\n\n"
                         "part = SymbolicModel(inputs=");
  append_variables (code, model, sym_selection_get_inputs (selection));
  g_string_append (code, ", outputs=");
  append_variables (code, model, sym_selection_get_outputs (selection));
  g_string_append (code, ")\n");
}

/* ---- ONNX ---- */

/* With the weights that onnx.utils must be told as well; of SymId. */
static GArray *
list_inputs (const SymSelection *selection, SymModel *model)
{
  SymIds chosen = sym_selection_get_inputs (selection);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));

  g_array_append_vals (values, chosen.ids, chosen.n);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_selection_has_value (selection, value) && sym_model_is_named_input (model, value) &&
        !sym_ids_contain (chosen, value))
      g_array_append_val (values, value);
  return values;
}

static void
write_onnx (const SymSelection *selection, SymModel *model, const char *path, GString *code)
{
  g_autofree char *part = name_part (path, ".onnx");
  g_autofree char *converted = path != NULL && !g_str_has_suffix (path, ".onnx")
                                   ? append_conversion (code, path, "onnx", ".onnx")
                                   : NULL;
  g_autoptr (GArray) inputs = list_inputs (selection, model);

  if (converted != NULL)
    path = converted;
  g_string_append (code, "import onnx.utils\n\nonnx.utils.extract_model(");
  append_quoted (code, path != NULL ? path : NO_FILE ".onnx");
  g_string_append (code, ", ");
  append_quoted (code, part);
  g_string_append (code, ",\n                         ");
  append_list (code, model, (SymIds){ (const SymId *) (gpointer) inputs->data, inputs->len });
  g_string_append (code, ", ");
  append_list (code, model, sym_selection_get_outputs (selection));
  g_string_append (code, ")\n");
}

/* ---- MXNet ---- */

static gboolean
is_of_several (SymModel *model, SymId value)
{
  SymId call = sym_model_get_producer (model, value);

  return call != SYM_NO_ID && sym_model_get_results (model, call).n > 1;
}

/* A layer of several results may become several layers. */
static void
append_doubts (GString *code, SymModel *model, SymIds values, const char *converted)
{
  g_autofree char *quoted = g_shell_quote (converted);

  g_strdelimit (quoted, "\n\r", ' ');
  for (guint i = 0; i < values.n; i++)
    if (is_of_several (model, values.ids[i]))
      {
        g_string_append_printf (code,
                                "# Names of one of several results may differ there: "
                                "symscope list %s nodes\n",
                                quoted);
        return;
      }
}

/* In a file that was converted: MXNet names results after their layer, which is called like the
 * first of them. */
static char *
name_converted (SymModel *model, SymId value)
{
  SymId call = sym_model_get_producer (model, value);

  if (call == SYM_NO_ID)
    return g_strdup (sym_model_get_unique_name (model, value));
  SymIds results = sym_model_get_results (model, call);
  const char *layer = sym_model_get_unique_name (model, results.ids[0]);
  guint place = 0;

  if (results.n == 1)
    return g_strconcat (layer, "_output", NULL);
  while (results.ids[place] != value)
    place++;
  return g_strdup_printf ("%s_output%u", layer, place);
}

static void
append_internal (GString *code, SymModel *model, SymId value, gboolean is_converted)
{
  g_autofree char *name = is_converted ? name_converted (model, value)
                                       : g_strdup (sym_model_get_unique_name (model, value));

  g_string_append (code, "internals[");
  append_quoted (code, name);
  g_string_append_c (code, ']');
}

static void
write_mxnet (const SymSelection *selection, SymModel *model, const char *path, GString *code)
{
  SymIds outputs = sym_selection_get_outputs (selection);
  g_autofree char *part = name_part (path, ".json");
  gboolean is_other = sym_model_get_dialect (model) != SYM_DIALECT_MXNET;
  g_autofree char *converted =
      path != NULL && is_other ? append_conversion (code, path, "mxnet", "-symbol.json") : NULL;

  if (is_other && path == NULL)
    g_string_append (code,
                     "# First: save the graph in MXNet's format, as " NO_FILE "-symbol.json\n");
  if (is_other)
    {
      append_doubts (code, model, outputs, path != NULL ? converted : NO_FILE "-symbol.json");
      path = converted;
    }
  if (!has_own_inputs (selection, model))
    g_string_append (code, "# MXNet keeps all that the outputs need: inputs cannot be chosen.\n");
  g_string_append (code, "import mxnet as mx\n\ninternals = mx.sym.load(");
  append_quoted (code, path != NULL ? path : NO_FILE "-symbol.json");
  g_string_append (code, ").get_internals()\npart = ");
  if (outputs.n > 1)
    g_string_append (code, "mx.sym.Group([");
  for (guint i = 0; i < outputs.n; i++)
    {
      g_string_append (code, i > 0 ? ", " : "");
      append_internal (code, model, outputs.ids[i], is_other);
    }
  g_string_append (code, outputs.n > 1 ? "])\npart.save(" : "\npart.save(");
  append_quoted (code, part);
  g_string_append (code, ")\n");
}

/* ---- The command line ---- */

/* A comma in a name is told from the one between two. */
static void
append_names (GString *code, SymModel *model, SymIds values)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < values.n; i++)
    {
      const char *name = sym_model_get_unique_name (model, values.ids[i]);

      if (i > 0)
        g_string_append_c (list, ',');
      for (const char *p = name; *p != '\0'; p++)
        g_string_append_printf (list, *p == ',' || *p == '\\' ? "\\%c" : "%c", *p);
    }
  g_autofree char *quoted = g_shell_quote (list->str);

  g_string_append (code, quoted);
}

static void
write_shell (const SymSelection *selection, SymModel *model, const char *path, GString *code)
{
  g_autofree char *file = g_shell_quote (path != NULL ? path : NO_FILE);
  g_autofree char *part = name_part (path, NULL);
  g_autofree char *out = g_shell_quote (part);

  g_string_append_printf (code, "symscope extract %s --outputs ", file);
  append_names (code, model, sym_selection_get_outputs (selection));
  if (!has_own_inputs (selection, model))
    {
      g_string_append (code, " --inputs ");
      append_names (code, model, sym_selection_get_inputs (selection));
    }
  g_string_append_printf (code, " --out %s\n", out);
}

/* ---- Outside ---- */

static const SymCutLanguage languages[] = {
  { "c", "C", write_c },
  { "torch", "Python, PyTorch Symbolic", write_torch },
  { "onnx", "Python, ONNX", write_onnx },
  { "mxnet", "Python, MXNet", write_mxnet },
  { "shell", "Command line", write_shell },
  { NULL },
};

const SymCutLanguage *
sym_cut_get_languages (void)
{
  return languages;
}

const SymCutLanguage *
sym_cut_find_language (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (const SymCutLanguage *language = languages; language->name != NULL; language++)
    if (g_str_equal (language->name, name))
      return language;
  return NULL;
}

char *
sym_cut_write_code (const SymCutLanguage *language,
                    const SymSelection *selection,
                    SymModel *model,
                    const char *path)
{
  g_return_val_if_fail (language != NULL && selection != NULL && model != NULL, NULL);

  GString *code = g_string_new (NULL);

  language->write (selection, model, path, code);
  return g_string_free (code, FALSE);
}
