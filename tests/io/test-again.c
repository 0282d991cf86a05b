/* SPDX-License-Identifier: MIT */
#include "core/sym-infer.h"
#include "io/sym-io.h"

#include <glib/gstdio.h>
#include <string.h>

/* What is read of each file of the corpus, written and read again is the same model: in Symscope's
 * format whatever it was read from, in its own where that is written, and in every other that can
 * express it and be read, once it has come to be of that format. */

/* ---- A model as text ---- */

static void
append_type (GString *out, const SymTerms *terms, const SymType *type)
{
  g_string_append_printf (out, " %d %s [", type->kind, sym_dtype_to_string (type->dtype));
  if (type->shape.rank < 0)
    g_string_append (out, "...");
  for (int i = 0; i < type->shape.rank; i++)
    {
      SymDim dim = type->shape.dims[i];
      g_autofree char *text = dim == SYM_DIM_UNKNOWN ? NULL : sym_terms_format (terms, dim);

      g_string_append_printf (out, "%s%s", i == 0 ? "" : ",", text == NULL ? "?" : text);
    }
  g_string_append_printf (out, "] %u", type->n_elements);
}

/* What Keras 3 wants beside the class of each layer, and files of TensorFlow.js leave out. */
static gboolean
is_implied (const SymAttributes *attributes, guint i)
{
  const SymValue *value = sym_attributes_get_value (attributes, i);
  const char *name = sym_attributes_get_name (attributes, i);

  return (g_str_equal (name, "module") &&
          g_strcmp0 (sym_value_get_string (value), "keras.layers") == 0) ||
         (g_str_equal (name, "registered_name") && sym_value_get_kind (value) == SYM_VALUE_NONE);
}

static void
append_attributes (GString *out, const char *label, const SymAttributes *attributes)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *literal = sym_attributes_get_literal (attributes, i);
      g_autofree char *text = sym_value_to_string (sym_attributes_get_value (attributes, i));

      if (is_implied (attributes, i))
        continue;
      g_string_append_printf (out, " %s%s=%s", label, sym_attributes_get_name (attributes, i),
                              text);
      if (literal != NULL)
        g_string_append_printf (out, "(%s)", literal);
    }
}

/* Bytes of the numbers as they are in their file; of strings, the first ones. */
static void
append_tensor (GString *out, SymTensor *tensor)
{
  guint64 n = sym_tensor_get_n_bytes (tensor);
  SymType type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  g_autofree char *text = type.dtype == SYM_DTYPE_STRING ? sym_tensor_to_string (tensor) : NULL;
  g_autofree guchar *bytes = text == NULL ? g_malloc (n + 1) : NULL;

  g_string_append (out, " numbers");
  append_type (out, NULL, &type);
  if (text == NULL)
    text = sym_tensor_read (tensor, 0, n, bytes, NULL)
               ? g_compute_checksum_for_data (G_CHECKSUM_MD5, bytes, n)
               : g_strdup ("unreadable");
  g_string_append_printf (out, " %s", text);
}

static void
append_weights (GString *out, const SymModel *model, SymId value)
{
  SymParameter *parameter = sym_model_get_parameter (model, value);
  SymTensor *tensor = sym_model_get_tensor (model, value);

  if (parameter != NULL && !sym_parameter_get_trainable (parameter))
    g_string_append (out, " fixed");
  if (tensor != NULL)
    append_tensor (out, tensor);
}

/* Ids are those of whoever builds a model: what is compared are places in the order of the file. */
typedef struct {
  SymModel *model;
  SymInference *inference; /* NULL within a body */
  gboolean has_shapes;     /* of weights without numbers, too */
  guint *values, *calls;   /* places by id */
  GHashTable *layers;      /* from layers to the calls that they were first in */
} Text;

static void
number (Text *self)
{
  guint n = 0;

  self->values = g_new0 (guint, sym_model_get_n_values (self->model) + 1);
  self->calls = g_new0 (guint, sym_model_get_n_calls (self->model) + 1);
  for (guint i = 0; i < sym_model_get_n_entries (self->model); i++)
    {
      SymEntry entry = sym_model_get_entry (self->model, i);
      SymIds results;

      if (!entry.is_call)
        {
          self->values[entry.id] = n++;
          continue;
        }
      self->calls[entry.id] = i;
      results = sym_model_get_results (self->model, entry.id);
      for (guint k = 0; k < results.n; k++)
        if (results.ids[k] != SYM_NO_ID)
          self->values[results.ids[k]] = n++;
    }
}

static void
append_ids (GString *out, const char *label, SymIds ids, const guint *places)
{
  g_string_append_printf (out, " %s", label);
  for (guint i = 0; i < ids.n; i++)
    g_string_append_printf (out, " %d", ids.ids[i] == SYM_NO_ID ? -1 : (int) places[ids.ids[i]]);
}

static void
append_value (GString *out, const Text *self, SymId value)
{
  const SymModel *model = self->model;
  SymType type = sym_model_get_declared_type (model, value);
  const char *variable = sym_model_get_variable (model, value);

  g_string_append_printf (out, "%s%u “%s” %s", sym_model_is_output (model, value) ? "*" : "",
                          self->values[value], sym_model_get_value_name (model, value),
                          sym_role_to_string (sym_model_get_role (model, value)));
  if (variable != NULL)
    g_string_append_printf (out, " variable %s", variable);
  if (self->has_shapes || sym_model_get_parameter (model, value) == NULL ||
      sym_model_get_tensor (model, value) != NULL)
    append_type (out, sym_model_get_terms (model), &type);
  if (self->inference != NULL)
    {
      SymType found = sym_inference_get_type (self->inference, value);
      g_autofree char *shape = sym_inference_format_shape (self->inference, &found.shape, ",");

      g_string_append_printf (out, " inferred %s %s", shape, sym_dtype_to_string (found.dtype));
    }
  append_weights (out, model, value);
  append_attributes (out, "@", sym_model_get_value_attributes (model, value));
  g_string_append_c (out, '\n');
}

static void append_model (GString *out, SymModel *model, gboolean has_shapes, gboolean infer);

static void
append_layer (GString *out, const Text *self, const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  const char *name = sym_layer_get_name (layer);

  g_string_append_printf (out, " %s", sym_layer_get_type (layer));
  if (name != NULL)
    g_string_append_printf (out, " named “%s”", name);
  if (op != NULL)
    g_string_append_printf (out, " is %s.%s-%d", op->domain, op->name, op->since_version);
  append_attributes (out, "", sym_layer_get_attributes (layer));
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      const char *body_name;
      SymModel *body = sym_layer_get_body (layer, i, &body_name);

      g_string_append_printf (out, "\nbody %s %d %u {\n", body_name,
                              sym_layer_get_body_runs (layer, i),
                              sym_layer_get_body_captures (layer, i));
      append_model (out, body, self->has_shapes, FALSE);
      g_string_append (out, "}");
    }
}

static void
append_call (GString *out, const Text *self, SymId call)
{
  const SymModel *model = self->model;
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymValue *arguments = sym_model_get_arguments (model, call);
  gpointer first;

  g_string_append_printf (out, "call %u “%s”", self->calls[call],
                          sym_model_get_call_name (model, call));
  append_ids (out, "of", sym_model_get_operands (model, call), self->values);
  append_ids (out, "to", sym_model_get_results (model, call), self->values);
  append_ids (out, "after", sym_model_get_controls (model, call), self->calls);
  append_attributes (out, "@", sym_model_get_call_attributes (model, call));
  if (arguments != NULL)
    {
      g_autofree char *text = sym_value_to_string (arguments);

      g_string_append_printf (out, " with %s", text);
    }
  if (g_hash_table_lookup_extended (self->layers, layer, NULL, &first))
    g_string_append_printf (out, " layer of call %u", GPOINTER_TO_UINT (first));
  else
    {
      g_hash_table_insert (self->layers, layer, GUINT_TO_POINTER (self->calls[call]));
      append_layer (out, self, layer);
    }
  g_string_append_c (out, '\n');
}

static void
append_entry (GString *out, const Text *self, SymEntry entry)
{
  SymIds results;

  if (!entry.is_call)
    {
      append_value (out, self, entry.id);
      return;
    }
  append_call (out, self, entry.id);
  results = sym_model_get_results (self->model, entry.id);
  for (guint i = 0; i < results.n; i++)
    if (results.ids[i] != SYM_NO_ID)
      append_value (out, self, results.ids[i]);
}

static void
append_model (GString *out, SymModel *model, gboolean has_shapes, gboolean infer)
{
  Text self = { .model = model, .has_shapes = has_shapes };

  self.inference = infer ? sym_infer (model, NULL, 0, NULL, NULL) : NULL;
  self.layers = g_hash_table_new (NULL, NULL);
  number (&self);
  g_string_append_printf (out, "dialect %d", sym_model_get_dialect (model));
  append_ids (out, "inputs", sym_model_get_inputs (model), self.values);
  append_ids (out, "outputs", sym_model_get_outputs (model), self.values);
  append_ids (out, "rows", sym_model_get_rows (model), self.values);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    append_entry (out, &self, sym_model_get_entry (model, i));
  g_clear_pointer (&self.inference, sym_inference_unref);
  g_hash_table_unref (self.layers);
  g_free (self.values);
  g_free (self.calls);
}

static char *
describe (SymModel *model, gboolean has_shapes)
{
  GString *out = g_string_new (NULL);

  append_model (out, model, has_shapes, TRUE);
  return g_string_free (out, FALSE);
}

/* ---- Files ---- */

typedef struct {
  char *folders[2]; /* of what is written first and of what is written of that */
  guint n_written, n_refused, n_other;
} Work;

static void
empty_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_assert_cmpint (g_unlink (file), ==, 0);
    }
}

/* Where a model is written that is called @name within its file: some formats take it from there.
 */
static char *
make_path (const char *folder, const SymIoFormat *format, const SymModel *model)
{
  g_autofree char *name =
      g_strconcat (*sym_model_get_name (model) == '\0' ? "model" : sym_model_get_name (model),
                   sym_io_format_get_suffix (format), NULL);

  return g_build_filename (folder, g_strdelimit (name, "/", '_'), NULL);
}

/* What is read of @model written; NULL with an error where it cannot be expressed.  Its weights
 * stay in what was written. */
static SymModel *
write_and_read (const char *folder, const SymIoFormat *format, SymModel *model, GError **error)
{
  g_autofree char *path = make_path (folder, format, model);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymModel *again;

  if (!sym_io_write (format, model, inference, path, NULL, error))
    return NULL;
  again = sym_io_read (path, NULL, error);
  if (again == NULL)
    g_error ("%s: what was written cannot be read: %s", path, (*error)->message);
  return again;
}

static guint
find_difference (const char *a, const char *b)
{
  guint start = 0;

  for (guint i = 0; a[i] != '\0' && a[i] == b[i]; i++)
    if (a[i] == '\n')
      start = i + 1;
  return start;
}

static void
compare (Work *self, const char *path, const char *format, const char *before, const char *after)
{
  guint start = find_difference (before, after);
  int length = (int) strcspn (before + start, "\n"), other = (int) strcspn (after + start, "\n");

  self->n_written++;
  if (g_str_equal (before, after))
    return;
  self->n_other++;
  g_test_message ("%s as %s:\n  %.*s\n  %.*s", path, format, length, before + start, other,
                  after + start);
}

static gboolean
is_own (const SymIoFormat *format, const SymModel *model)
{
  return sym_io_get_model_format (model) == format;
}

static void
try_format (Work *self, const SymIoFormat *format, const char *path, SymModel *model)
{
  const char *name = sym_io_format_get_name (format);
  gboolean is_whole = is_own (format, model) || g_str_equal (name, "symscope");
  gboolean has_shapes = !g_str_equal (name, "keras"); /* these follow from layers alone */
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) first = write_and_read (self->folders[0], format, model, &error);
  g_autoptr (SymModel) second = NULL;
  g_autofree char *before = NULL, *after = NULL;

  if (first == NULL)
    {
      self->n_refused++;
      g_assert_true (error->domain == SYM_IO_ERROR);
      if (is_whole)
        {
          self->n_other++;
          g_test_message ("%s as %s: %s", path, name, error->message);
        }
      return;
    }
  after = describe (first, has_shapes);
  if (is_whole)
    {
      before = describe (model, has_shapes);
      compare (self, path, name, before, after);
      return;
    }
  second = write_and_read (self->folders[1], format, first, &error);
  g_assert_no_error (error);
  before = g_steal_pointer (&after);
  after = describe (second, has_shapes);
  compare (self, path, name, before, after);
}

/* The files, by INDEX.tsv, below the corpus; NULL without one. */
static char **
list_files (const char *corpus)
{
  g_autofree char *path = g_build_filename (corpus == NULL ? "" : corpus, "INDEX.tsv", NULL);
  g_autofree char *text = NULL;
  char **lines;

  if (corpus == NULL || corpus[0] == '\0' || !g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    lines[i][strcspn (lines[i], "\t")] = '\0';
  return lines;
}

static void
test_corpus (gconstpointer data)
{
  const SymIoFormat *format = data;
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_auto (GStrv) files = list_files (corpus);
  Work work = { 0 };

  if (files == NULL)
    {
      g_test_skip ("there is no corpus");
      return;
    }
  for (guint i = 0; i < 2; i++)
    work.folders[i] = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  for (guint i = 1; files[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (corpus, files[i], NULL);
      g_autoptr (SymModel) model = *files[i] == '\0' ? NULL : sym_io_read (path, NULL, NULL);

      if (model != NULL) /* what does not open is the business of other tests */
        try_format (&work, format, files[i], model);
      for (guint k = 0; k < 2; k++)
        empty_folder (work.folders[k]);
    }
  g_test_message ("%u written and read again, %u refused, %u differ", work.n_written,
                  work.n_refused, work.n_other);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (g_rmdir (work.folders[i]), ==, 0);
      g_free (work.folders[i]);
    }
  g_assert_cmpuint (work.n_written, >, 0);
  if (work.n_other > 0)
    g_test_fail ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    if (sym_io_format_can_read (*format) && sym_io_format_can_write (*format))
      {
        g_autofree char *path = g_strdup_printf ("/io/again/%s", sym_io_format_get_name (*format));

        g_test_add_data_func (path, *format, test_corpus);
      }
  return g_test_run ();
}
