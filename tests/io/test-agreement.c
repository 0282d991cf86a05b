/* SPDX-License-Identifier: MIT */
#include "core/sym-infer.h"
#include "io/sym-io.h"

#include <string.h>

/* Shapes and dtypes that files of the corpus store, against those that are inferred when the stored
 * ones of every layer that can be inferred are forgotten.  agreement-exceptions.txt lists the files
 * where they differ, with the number of values and the reason; a file that is not listed, or
 * differs in another number of values, fails the test.
 *
 * --list prints the lines as they should be, with the reasons that are there already. */

/* Of a hundred stored values so many may differ from what is inferred, whatever is listed. */
#define MAX_PERCENT 1

/* Formats that store fewer are not judged by a share. */
#define LEAST_JUDGED 100

typedef enum {
  SAME,
  UNDECIDED,
  OTHER,
} Verdict;

typedef struct {
  guint n, n_undecided, n_other;
  guint n_beyond; /* undecided ones that hang on layers that nobody knows */
  char *first;    /* what differs first; NULL for nothing */
} Tally;

typedef struct {
  guint n;
  char *reason;
} Exception;

static void
free_exception (gpointer data)
{
  g_free (((Exception *) data)->reason);
  g_free (data);
}

/* ---- The list ---- */

static GHashTable *
read_exceptions (void)
{
  GHashTable *exceptions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_exception);
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "io", "agreement-exceptions.txt", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], " ", 3);
      Exception *exception;

      if (lines[i][0] == '#' || lines[i][0] == '\0')
        continue;
      g_assert_cmpuint (g_strv_length (parts), ==, 3);
      exception = g_new0 (Exception, 1);
      exception->n = (guint) g_ascii_strtoull (parts[1], NULL, 10);
      exception->reason = g_strdup (parts[2]);
      g_assert_true (g_hash_table_insert (exceptions, g_strdup (parts[0]), exception));
    }
  return exceptions;
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

/* ---- One file ---- */

static Verdict
compare (const SymType *stored, const SymType *found)
{
  Verdict verdict = SAME;

  if (found->kind != SYM_KIND_TENSOR || found->shape.rank < 0)
    return UNDECIDED;
  if (found->shape.rank != stored->shape.rank)
    return OTHER;
  for (int i = 0; i < found->shape.rank; i++)
    if (stored->shape.dims[i] >= 0 && found->shape.dims[i] != stored->shape.dims[i])
      {
        if (found->shape.dims[i] >= 0)
          return OTHER;
        verdict = UNDECIDED;
      }
  if (verdict == SAME && stored->dtype != SYM_DTYPE_UNKNOWN && found->dtype != stored->dtype)
    return found->dtype == SYM_DTYPE_UNKNOWN ? UNDECIDED : OTHER;
  return verdict;
}

/* Nothing, in the place of what is stored of each value that a layer makes whose shapes can be
 * inferred. */
static GArray *
forget_stored (SymModel *model)
{
  GArray *forgotten = g_array_new (FALSE, FALSE, sizeof (SymOverride));

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymId call = sym_model_get_producer (model, value);
      SymType stored = sym_model_get_declared_type (model, value);
      SymOverride nothing = { .value = value, .has_shape = TRUE, .has_dtype = TRUE };
      const SymOperator *op;

      if (call == SYM_NO_ID || stored.kind != SYM_KIND_TENSOR || stored.shape.rank < 0)
        continue;
      op = sym_layer_get_operator (sym_model_get_layer (model, call));
      if (op == NULL || op->infer == NULL)
        continue;
      nothing.shape = SYM_SHAPE_UNKNOWN;
      nothing.dtype = SYM_DTYPE_UNKNOWN;
      g_array_append_val (forgotten, nothing);
    }
  return forgotten;
}

/* Whether a layer without a rule, of which the file tells nothing either, is among those that the
 * value comes of. */
static gboolean
hangs_on_unknown (const SymModel *model, SymId value)
{
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_array_append_val (left, value);
  while (left->len > 0)
    {
      SymId at = g_array_index (left, SymId, left->len - 1);
      SymId call = at == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (model, at);
      const SymOperator *op;
      SymIds operands;

      g_array_set_size (left, left->len - 1);
      if (call == SYM_NO_ID || !g_hash_table_add (seen, GUINT_TO_POINTER (call)))
        continue;
      op = sym_layer_get_operator (sym_model_get_layer (model, call));
      if ((op == NULL || op->infer == NULL) &&
          sym_model_get_declared_type (model, at).shape.rank < 0)
        return TRUE;
      operands = sym_model_get_operands (model, call);
      g_array_append_vals (left, operands.ids, operands.n);
    }
  return FALSE;
}

static char *
describe (const SymInference *inference, SymId value, const SymType *stored, const SymType *found)
{
  SymModel *model = sym_inference_get_model (inference);
  SymLayer *layer = sym_model_get_layer (model, sym_model_get_producer (model, value));
  g_autofree char *left = sym_inference_format_shape (inference, &found->shape, ",");
  g_autofree char *right = sym_inference_format_shape (inference, &stored->shape, ",");

  return g_strdup_printf ("%s “%s”: inferred [%s] %s, stored [%s] %s", sym_layer_get_type (layer),
                          sym_model_get_value_name (model, value), left,
                          sym_dtype_to_string (found->dtype), right,
                          sym_dtype_to_string (stored->dtype));
}

static void
judge (SymModel *model, Tally *tally)
{
  g_autoptr (GArray) forgotten = forget_stored (model);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (
      model, (const SymOverride *) (gpointer) forgotten->data, forgotten->len, NULL, &error);

  g_assert_no_error (error);
  tally->n += forgotten->len;
  for (guint i = 0; i < forgotten->len; i++)
    {
      SymId value = g_array_index (forgotten, SymOverride, i).value;
      SymType stored = sym_model_get_declared_type (model, value);
      SymType found = sym_inference_get_type (inference, value);
      Verdict verdict = compare (&stored, &found);

      tally->n_undecided += verdict == UNDECIDED;
      tally->n_other += verdict == OTHER;
      tally->n_beyond += verdict == UNDECIDED && hangs_on_unknown (model, value);
      if (verdict != SAME && tally->first == NULL)
        tally->first = describe (inference, value, &stored, &found);
    }
}

static gboolean
are_inputs_told (const SymModel *model)
{
  SymIds inputs = sym_model_get_inputs (model);

  for (guint i = 0; i < inputs.n; i++)
    if (sym_model_get_declared_type (model, inputs.ids[i]).shape.rank < 0)
      return FALSE;
  return inputs.n > 0;
}

/* Models within, as Keras nests them, that say by themselves what goes in. */
static void
add_nested (const SymModel *model, GPtrArray *models)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      {
        SymLayer *layer = sym_model_get_layer (model, call);
        SymModel *body = sym_layer_get_running_body (layer);

        if (sym_layer_get_operator (layer) == NULL && body != NULL && are_inputs_told (body) &&
            !g_ptr_array_find (models, body, NULL))
          g_ptr_array_add (models, body);
      }
}

static void
judge_all (SymModel *model, Tally *tally)
{
  g_autoptr (GPtrArray) models = g_ptr_array_new ();

  g_ptr_array_add (models, model);
  for (guint i = 0; i < models->len; i++)
    {
      judge (models->pdata[i], tally);
      add_nested (models->pdata[i], models);
    }
}

/* ---- All of them ---- */

static Tally *
get_format_tally (GHashTable *formats, const char *format)
{
  Tally *tally = g_hash_table_lookup (formats, format);

  if (tally == NULL)
    {
      tally = g_new0 (Tally, 1);
      g_hash_table_insert (formats, g_strdup (format), tally);
    }
  return tally;
}

static void
add (Tally *sum, const Tally *tally)
{
  sum->n += tally->n;
  sum->n_undecided += tally->n_undecided;
  sum->n_other += tally->n_other;
  sum->n_beyond += tally->n_beyond;
}

/* What does not open is the business of other tests.  A folder is a test of one operator, which is
 * given its sizes as inputs: what depends on them is rightly undecided. */
static gboolean
judge_file (const char *corpus, const char *file, GHashTable *formats, Tally *tally)
{
  g_autofree char *path = g_build_filename (corpus, file, NULL);
  g_autoptr (SymModel) model = sym_io_read (path, NULL, NULL);

  if (model == NULL)
    return FALSE;
  judge_all (model, tally);
  if (g_str_has_suffix (file, "/"))
    {
      tally->n -= tally->n_undecided;
      tally->n_undecided = tally->n_beyond = 0;
    }
  add (get_format_tally (formats, sym_model_get_format (model)), tally);
  return TRUE;
}

static gboolean
is_as_listed (const char *file, const Tally *tally, const Exception *exception)
{
  guint n = tally->n_undecided + tally->n_other;

  if (n == (exception == NULL ? 0 : exception->n))
    return TRUE;
  g_test_message ("%s: %u values differ from what is stored, %u are listed; %s", file, n,
                  exception == NULL ? 0 : exception->n, tally->first == NULL ? "" : tally->first);
  return FALSE;
}

/* Of layers that are known, all in all. */
static gboolean
check_share (const char *format, const Tally *tally)
{
  guint n = tally->n - tally->n_beyond;
  guint n_different = tally->n_other + tally->n_undecided - tally->n_beyond;

  g_test_message ("%s: of %u stored values %u contradict what is inferred, %u are undecided; "
                  "%u more hang on layers that nobody knows",
                  format, n, tally->n_other, n_different - tally->n_other, tally->n_beyond);
  return n < LEAST_JUDGED || n_different * 100 <= n * MAX_PERCENT;
}

static void
test_corpus (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_auto (GStrv) files = list_files (corpus);
  g_autoptr (GHashTable) exceptions = read_exceptions ();
  g_autoptr (GHashTable) formats = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer format, sum;
  gboolean good = TRUE;

  if (files == NULL)
    {
      g_test_skip ("there is no corpus");
      return;
    }
  for (guint i = 1; files[i] != NULL; i++)
    {
      Tally tally = { 0 };

      if (files[i][0] != '\0' && judge_file (corpus, files[i], formats, &tally))
        good = is_as_listed (files[i], &tally, g_hash_table_lookup (exceptions, files[i])) && good;
      else
        good = g_hash_table_lookup (exceptions, files[i]) == NULL && good;
      g_free (tally.first);
    }
  g_hash_table_iter_init (&iter, formats);
  while (g_hash_table_iter_next (&iter, &format, &sum))
    good = check_share (format, sum) && good;
  g_assert_true (good);
}

static void
print_list (const char *corpus)
{
  g_auto (GStrv) files = list_files (corpus);
  g_autoptr (GHashTable) exceptions = read_exceptions ();
  g_autoptr (GHashTable) formats = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 1; files != NULL && files[i] != NULL; i++)
    {
      const Exception *known = g_hash_table_lookup (exceptions, files[i]);
      Tally tally = { 0 };

      if (files[i][0] != '\0' && judge_file (corpus, files[i], formats, &tally) &&
          tally.first != NULL)
        g_print ("%s %u %s\n", files[i], tally.n_undecided + tally.n_other,
                 known == NULL ? tally.first : known->reason);
      g_free (tally.first);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (argc > 1 && strcmp (argv[1], "--list") == 0)
    {
      print_list (g_getenv ("SYMSCOPE_CORPUS"));
      return 0;
    }
  g_test_add_func ("/io/agreement/infers-what-is-stored", test_corpus);
  return g_test_run ();
}
