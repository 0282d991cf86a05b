/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sym-error.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "ops/sym-op.h"
#include "run/sym-record.h"
#include "run/sym-run-weights.h"

/* s = x + w, r = relu (s), y = r * r; z = log (r); w = [1, -2]. */
#define SMALL                                                                 \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                              \
  "small (float[2] x) => (float[2] y, float[2] z) <float[2] w = {1, -2}> {\n" \
  "  s = Add (x, w)\n r = Relu (s)\n y = Mul (r, r)\n z = Log (r)\n}\n"

/* The layer in the middle is of nobody's. */
#define FOREIGN                                                 \
  "<ir_version: 8, opset_import: [\"\" : 13, \"other\" : 1]>\n" \
  "foreign (float[2] x) => (float[2] y, float[2] z) {\n"        \
  "  s = Relu (x)\n t = other.Strange (s)\n y = Abs (t)\n z = Neg (s)\n}\n"

static SymModel *
read_model (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "model.onnxtxt", &error);

  g_assert_no_error (error);
  return model;
}

static SymId
find (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return value;
  g_assert_not_reached ();
}

static SymFeed
make_feed (const SymModel *model, const char *name, float a, float b)
{
  float numbers[] = { a, b };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };

  return (SymFeed){ find (model, name), sym_datum_new_copy (&array, NULL) };
}

static SymRecord *
run (SymModel *model, const SymRecordOptions *options)
{
  SymFeed feed = make_feed (model, "x", 2, 3);
  g_autoptr (GError) error = NULL;
  SymRecord *record = sym_record_new (model, &feed, 1, options, NULL, &error);

  g_assert_no_error (error);
  sym_datum_unref (feed.datum);
  return record;
}

static void
tells_statistics_of_every_value (void)
{
  static const struct {
    const char *name;
    double min, max, mean, std;
    guint64 n_zeros;
  } cases[] = {
    { "x", 2, 3, 2.5, 0.5, 0 },
    { "s", 1, 3, 2, 1, 0 },
    { "r", 1, 3, 2, 1, 0 },
    { "y", 1, 9, 5, 4, 0 },
  };
  g_autoptr (SymModel) model = read_model (SMALL);
  g_autoptr (SymRecord) record = run (model, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymId value = find (model, cases[i].name);
      SymStatistics statistics;
      guint64 sum = 0;

      g_assert_true (sym_record_get_statistics (record, value, &statistics));
      g_assert_cmpfloat (statistics.min, ==, cases[i].min);
      g_assert_cmpfloat (statistics.max, ==, cases[i].max);
      g_assert_cmpfloat (statistics.mean, ==, cases[i].mean);
      g_assert_cmpfloat (statistics.std, ==, cases[i].std);
      g_assert_cmpuint (statistics.n_zeros, ==, cases[i].n_zeros);
      g_assert_cmpuint (statistics.n_bins, ==, SYM_RECORD_N_BINS);
      for (guint bin = 0; bin < statistics.n_bins; bin++)
        sum += statistics.bins[bin];
      g_assert_cmpuint (sum, ==, 2);
    }
  g_assert_cmpuint (sym_record_get_counts (record).n_values, ==, 5);
}

static void
tells_times_of_every_layer (void)
{
  g_autoptr (SymModel) model = read_model (SMALL);
  g_autoptr (SymRecord) record = run (model, NULL);
  double sum = 0;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      g_assert_cmpfloat (sym_record_get_milliseconds (record, call), >=, 0);
      g_assert_null (sym_record_get_failure (record, call));
      sum += sym_record_get_milliseconds (record, call);
    }
  g_assert_cmpfloat_with_epsilon (sym_record_get_total (record), sum, 1e-9);
  g_assert_cmpuint (sym_record_get_first_failure (record, NULL), ==, SYM_NO_ID);
  g_assert_true (sym_record_has_run (record));
}

static void
keeps_what_the_budget_allows (void)
{
  static const struct {
    guint64 budget;
    guint n_kept; /* x, y and z are kept anyway; each has 8 bytes */
  } cases[] = { { 0, 3 }, { 7, 3 }, { 8, 4 }, { 15, 4 }, { 16, 5 }, { 1000, 5 } };
  g_autoptr (SymModel) model = read_model (SMALL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymRecordOptions options = { .n_bytes_to_keep = cases[i].budget };
      g_autoptr (SymRecord) record = run (model, &options);

      g_assert_cmpuint (sym_record_get_counts (record).n_kept, ==, cases[i].n_kept);
      g_assert_cmpuint (sym_record_get_counts (record).n_kept_bytes, >=, 8 * cases[i].n_kept);
      g_assert_nonnull (sym_record_get_datum (record, find (model, "y")));
    }
}

static void
computes_again_what_was_not_kept (void)
{
  g_autoptr (SymModel) model = read_model (SMALL);
  g_autoptr (SymRecord) record = run (model, NULL);
  g_autoptr (GError) error = NULL;
  SymId value = find (model, "r");
  g_autoptr (SymDatum) datum = NULL;

  g_assert_null (sym_record_get_datum (record, value));
  datum = sym_record_compute (record, value, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (((float *) sym_datum_get_array (datum)->data)[0], ==, 3);
  g_assert_cmpfloat (((float *) sym_datum_get_array (datum)->data)[1], ==, 1);
}

/* Of relu (x + w) the second number is 0, whose logarithm is infinite; of a NaN all results are. */
static void
points_at_the_first_that_is_not_finite (void)
{
  static const struct {
    float a, b;
    const char *name;
  } cases[] = {
    { 1, 5, NULL }, { 1, 1, "z" }, { 1, (float) NAN, "x" }, { (float) INFINITY, 1, "x" }
  };
  g_autoptr (SymModel) model = read_model (SMALL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymFeed feed = make_feed (model, "x", cases[i].a, cases[i].b);
      g_autoptr (SymRecord) record = sym_record_new (model, &feed, 1, NULL, NULL, NULL);
      SymId expected = cases[i].name != NULL ? find (model, cases[i].name) : SYM_NO_ID;

      g_assert_cmpuint (sym_record_get_first_bad (record), ==, expected);
      g_assert_true (expected == SYM_NO_ID || sym_record_is_bad (record, expected));
      g_assert_false (sym_record_is_bad (record, find (model, "w")));
      sym_datum_unref (feed.datum);
    }
}

static void
names_what_cannot_run_and_has_the_rest (void)
{
  g_autoptr (SymModel) model = read_model (FOREIGN);
  g_autoptr (SymRecord) record = run (model, NULL);
  SymId strange = sym_model_get_producer (model, find (model, "t"));
  SymId after = sym_model_get_producer (model, find (model, "y"));
  SymStatistics statistics;
  guint n_failed;

  g_assert_cmpuint (sym_record_get_first_failure (record, &n_failed), ==, strange);
  g_assert_cmpuint (n_failed, ==, 2);
  g_assert_nonnull (sym_record_get_failure (record, strange));
  g_assert_cmpstr (sym_record_get_failure (record, after), ==,
                   "“t”, which it needs, was not computed");
  g_assert_true (sym_record_is_to_blame (record, strange));
  g_assert_false (sym_record_is_to_blame (record, after));
  g_assert_false (sym_record_is_to_blame (record, 0));
  g_assert_cmpfloat (sym_record_get_milliseconds (record, strange), <, 0);
  g_assert_false (sym_record_get_statistics (record, find (model, "y"), &statistics));
  g_assert_true (sym_record_get_statistics (record, find (model, "z"), &statistics));
  g_assert_cmpint (sym_record_get_type (record, find (model, "t")).kind, ==, SYM_KIND_UNKNOWN);
}

static void
refuses_what_does_not_fit (void)
{
  float numbers[] = { 1, 2, 3 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (3), numbers };
  g_autoptr (SymModel) model = read_model (SMALL);
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, NULL);
  SymFeed feed = { find (model, "x"), datum };
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_record_new (model, &feed, 1, NULL, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
}

static void
cancel_cb (SymRecordStage stage, guint n_done, guint n_all, gpointer user_data)
{
  g_assert_cmpuint (n_all, ==, stage == SYM_RECORD_RUNNING ? 4 : 0);
  if (n_done == 2)
    g_cancellable_cancel (user_data);
  g_assert_cmpuint (n_done, <=, 2);
}

static void
ends_when_it_is_cancelled (void)
{
  g_autoptr (SymModel) model = read_model (SMALL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  SymRecordOptions options = { .progress = cancel_cb, .user_data = cancellable };
  SymFeed feed = make_feed (model, "x", 1, 2);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_record_new (model, &feed, 1, &options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  sym_datum_unref (feed.datum);
}

typedef struct {
  const SymModel *model;
  char seen[16]; /* the first letters of names, in order */
  char stop;     /* at this one */
} Visited;

static gboolean
visit_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Visited *self = user_data;
  char letter = sym_model_get_value_name (self->model, value)[0];

  g_assert_cmpuint (sym_array_get_n_bytes (sym_datum_get_array (datum)), ==, 8);
  self->seen[strlen (self->seen)] = letter;
  if (letter != self->stop)
    return TRUE;
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_LIMIT, "enough");
  return FALSE;
}

static int
compare_letters (gconstpointer a, gconstpointer b)
{
  return *(const char *) a - *(const char *) b;
}

/* Kept or not, each is seen once; of what did not run there is nothing. */
static void
visits_every_value_once (void)
{
  static const struct {
    const char *text, *seen;
    guint64 budget;
  } cases[] = {
    { SMALL, "rsxyz", 0 }, { SMALL, "rsxyz", 8 }, { SMALL, "rsxyz", 1000 }, { FOREIGN, "sxz", 0 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = read_model (cases[i].text);
      SymRecordOptions options = { .n_bytes_to_keep = cases[i].budget };
      g_autoptr (SymRecord) record = run (model, &options);
      SymIds rows = sym_model_get_rows (model);
      Visited visited = { .model = model };
      g_autoptr (GError) error = NULL;

      sym_record_visit (record, rows.ids, rows.n, visit_cb, &visited, NULL, &error);
      g_assert_no_error (error);
      qsort (visited.seen, strlen (visited.seen), 1, compare_letters);
      g_assert_cmpstr (visited.seen, ==, cases[i].seen);
    }
}

static void
stops_visiting_when_it_is_told_to (void)
{
  g_autoptr (SymModel) model = read_model (SMALL);
  g_autoptr (SymRecord) record = run (model, NULL);
  SymId values[] = { find (model, "s"), find (model, "r") };
  Visited visited = { .model = model, .stop = 's' };
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_record_visit (record, values, 2, visit_cb, &visited, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
  g_assert_cmpstr (visited.seen, ==, "s");
}

/* ---- Weights that are not there ---- */

static SymId
add_value (SymModelBuilder *builder, const char *name, SymRole role, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);

  return sym_model_builder_add_value (builder, name, role, &type);
}

static SymId
add_call (SymModelBuilder *builder, const char *type, const char *result, const SymId operands[3])
{
  g_autoptr (SymLayer) layer = sym_layer_new (type, sym_op_find ("", type, 0), NULL);
  SymId call = sym_model_builder_add_call (builder, result, layer, operands, 3, 1);
  SymId value = sym_model_builder_get_result (builder, call, 0);

  sym_model_builder_set_value_name (builder, value, result);
  return value;
}

/* 64 of 3 features, normalised; the file has none of the numbers. */
static SymModel *
build_bare (SymShape weight_shape)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId data = add_value (builder, "data", SYM_ROLE_INPUT, SYM_SHAPE (4, 3));
  SymId w = add_value (builder, "w", SYM_ROLE_PARAMETER, weight_shape);
  SymId b = add_value (builder, "b", SYM_ROLE_PARAMETER, SYM_SHAPE (64));
  SymId fc = add_call (builder, "Gemm", "fc", (SymId[]){ data, w, b });
  SymId gamma = add_value (builder, "norm_gamma", SYM_ROLE_PARAMETER, SYM_SHAPE (64));
  SymId beta = add_value (builder, "norm_beta", SYM_ROLE_PARAMETER, SYM_SHAPE (64));

  sym_model_builder_add_output (
      builder, add_call (builder, "LayerNormalization", "norm", (SymId[]){ fc, gamma, beta }));
  return sym_model_builder_end (builder);
}

static void
take_first_cb (SymRecordStage stage, guint n_done, guint n_all, gpointer user_data)
{
  int *first = user_data;

  if (*first < 0)
    *first = (int) stage;
}

static SymRecord *
run_bare (SymModel *model, guint64 seed)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  int first = -1;
  SymRecordOptions options = { .types = inference,
                               .makes_weights = TRUE,
                               .seed = seed,
                               .n_bytes_to_keep = 1 << 20,
                               .progress = take_first_cb,
                               .user_data = &first };
  g_autofree float *numbers = g_new0 (float, 12);
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (4, 3), numbers };
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, NULL);
  SymFeed feed = { find (model, "data"), datum };
  g_autoptr (GError) error = NULL;
  SymRecord *record = sym_record_new (model, &feed, 1, &options, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (first, ==, SYM_RECORD_MAKING);
  return record;
}

/* ---- Bodies ---- */

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"

/* A loop of three turns around a branch: the body of the loop is "0a", its branches "0a/2a" and
 * "0a/2b". */
#define LOOP                                                                                      \
  HEAD "m (float[2] x) => (float[2] s) <int64 n = {3}, bool c = {1}> {"                           \
       "  s = Loop (n, c, x) <body = b (int64 i, bool go, float[2] a) => (bool more, float[2] r)" \
       "    { more = Identity (go) twice = Add (a, a)"                                            \
       "      r = If (go) <then_branch = t () => (float[2] p) { p = Neg (twice) },"               \
       "                   else_branch = e () => (float[2] q) { q = Abs (twice) }> }> }"

static SymDatum *
copy_floats (const SymRecord *record, const char *name)
{
  SymModel *model = sym_record_get_model (record);
  SymDatum *datum = sym_record_get_datum (record, find (model, name));

  g_assert_nonnull (datum);
  return datum;
}

static void
knows_the_last_turn_of_bodies (void)
{
  static const char *const expected[] = { "0a", "0a/2a", NULL };
  g_autoptr (SymModel) model = read_model (LOOP);
  SymRecordOptions options = { .n_bytes_to_keep = 1000 };
  g_autoptr (SymRecord) record = run (model, &options);
  g_auto (GStrv) paths = sym_record_list_bodies (record);
  SymRecord *body = sym_record_find_body (record, "0a"), *branch;
  SymStatistics statistics;
  const float *numbers;

  g_assert_true (g_strv_equal ((const char *const *) paths, expected));
  g_assert_null (sym_record_find_body (record, "0a/2b"));
  g_assert_cmpuint (sym_record_get_n_turns (record), ==, 0);
  g_assert_cmpuint (sym_record_get_n_turns (body), ==, 3);
  /* 2 3 becomes -4 -6, 8 12, and -16 -24. */
  numbers = sym_datum_get_array (copy_floats (body, "a"))->data;
  g_assert_cmpfloat (numbers[0], ==, 8);
  numbers = sym_datum_get_array (copy_floats (body, "twice"))->data;
  g_assert_cmpfloat (numbers[1], ==, 24);
  g_assert_true (
      sym_record_get_statistics (body, find (sym_record_get_model (body), "r"), &statistics));
  g_assert_cmpfloat (statistics.mean, ==, -20);
  for (SymId call = 0; call < 3; call++)
    g_assert_cmpfloat (sym_record_get_milliseconds (body, call), >=, 0);
  branch = sym_record_find_body (record, "0a/2a");
  g_assert_cmpuint (sym_record_get_n_turns (branch), ==, 3);
  g_assert_true (
      sym_record_get_statistics (branch, find (sym_record_get_model (branch), "p"), &statistics));
  g_assert_cmpfloat (statistics.min, ==, -24);
}

static void
what_bodies_did_not_keep_is_gone (void)
{
  g_autoptr (SymModel) model = read_model (LOOP);
  g_autoptr (SymRecord) record = run (model, NULL);
  SymRecord *body = sym_record_find_body (record, "0a");
  SymId twice = find (sym_record_get_model (body), "twice");
  g_autoptr (GError) error = NULL;
  SymStatistics statistics;

  g_assert_cmpuint (sym_record_get_counts (record).n_kept, ==, 2);
  g_assert_true (sym_record_get_statistics (body, twice, &statistics));
  g_assert_null (sym_record_get_datum (body, twice));
  g_assert_null (sym_record_compute (body, twice, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED);
}

static void
missing_weights_are_listed (void)
{
  static const char *const names[] = { "w", "b", "norm_gamma", "norm_beta" };
  g_autoptr (SymModel) bare = build_bare (SYM_SHAPE (3, 64));
  g_autoptr (SymModel) whole = read_model (SMALL);
  g_autoptr (GArray) missing = sym_run_list_missing_weights (bare);
  g_autoptr (GArray) none = sym_run_list_missing_weights (whole);

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (missing->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < missing->len; i++)
    g_assert_cmpuint (g_array_index (missing, SymId, i), ==, find (bare, names[i]));
}

/* Of zeros the first layer gives its bias, which is near 0; the norm gives about gamma, near 1. */
static void
missing_weights_can_be_made_up (void)
{
  g_autoptr (SymModel) model = build_bare (SYM_SHAPE (3, 64));
  g_autoptr (SymRecord) record = run_bare (model, 7);
  g_autoptr (SymRecord) same = run_bare (model, 7);
  g_autoptr (SymRecord) other = run_bare (model, 8);
  SymId fc = find (model, "fc");
  SymStatistics a, b, c;

  if (!sym_record_get_statistics (record, fc, &a))
    g_error ("fc: %s", sym_record_get_failure (record, sym_model_get_producer (model, fc)));
  g_assert_cmpuint (sym_record_get_counts (record).n_made_weights, ==, 4);
  g_assert_cmpfloat (a.min, <, 0);
  g_assert_cmpfloat (a.min, >=, -0.1);
  g_assert_cmpfloat (a.max, <=, 0.1);
  g_assert_true (sym_record_get_statistics (same, fc, &b));
  g_assert_true (sym_record_get_statistics (other, fc, &c));
  g_assert_cmpfloat (a.mean, ==, b.mean);
  g_assert_cmpfloat (a.mean, !=, c.mean);
  g_assert_true (sym_record_get_statistics (record, find (model, "norm"), &a));
  g_assert_cmpfloat_with_epsilon (a.std, 1, 0.1);
}

/* Nobody knows the sizes of what leads to no output. */
static void
sizes_that_are_not_needed_are_not_made_up (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType sizes = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (2));
  SymId data = add_value (builder, "data", SYM_ROLE_INPUT, SYM_SHAPE (4, 3));
  SymId w = add_value (builder, "w", SYM_ROLE_PARAMETER, SYM_SHAPE (3));
  SymId s = sym_model_builder_add_value (builder, "s", SYM_ROLE_PARAMETER, &sizes);
  g_autoptr (SymModel) model = NULL;

  add_call (builder, "Reshape", "shaped", (SymId[]){ data, s, SYM_NO_ID });
  sym_model_builder_add_output (builder,
                                add_call (builder, "Add", "sum", (SymId[]){ data, w, SYM_NO_ID }));
  model = sym_model_builder_end (builder);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymRecord) record = run_bare (model, 7);
      SymId call = sym_model_get_producer (model, find (model, "shaped"));

      g_assert_cmpstr (sym_record_get_failure (record, call), ==,
                       "the file has no numbers for “s”");
      g_assert_nonnull (sym_record_get_datum (record, find (model, "sum")));
      g_assert_cmpuint (sym_record_get_counts (record).n_made_weights, ==, 1);
    }
}

static void
missing_weights_of_unknown_shape_are_named (void)
{
  g_autoptr (SymModel) model = build_bare (SYM_SHAPE_UNKNOWN);
  g_autoptr (SymInference) nothing = sym_infer_nothing (model);
  SymRecordOptions options = { .types = nothing, .makes_weights = TRUE };
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_record_new (model, NULL, 0, &options, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED);
  g_assert_cmpstr (error->message, ==, "“w” cannot be made up: its shape is not known");
}

/* i is r in memory; c is known before any run. */
#define IDLE                                                                 \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                             \
  "idle (float[2] x) => (float[2] y, float[2] t) <float[2] w = {1, -2}> {\n" \
  "  r = Relu (x)\n i = Identity (r)\n y = Abs (i)\n"                        \
  "  c = Neg (w)\n t = other.Strange (c)\n}\n"

static void
times_tell_what_they_are_of (void)
{
  static const struct {
    const char *name;
    SymRecordTime kind;
  } cases[] = {
    { "r", SYM_RECORD_TIME_OWN },     { "i", SYM_RECORD_TIME_VIEW }, { "y", SYM_RECORD_TIME_OWN },
    { "c", SYM_RECORD_TIME_PLANNED }, { "t", SYM_RECORD_TIME_NONE },
  };
  g_autoptr (SymModel) model = read_model (IDLE);
  g_autoptr (SymRecord) record = run (model, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymId call = sym_model_get_producer (model, find (model, cases[i].name));

      g_test_message ("%s", cases[i].name);
      g_assert_cmpint (sym_record_get_time_kind (record, call), ==, cases[i].kind);
      g_assert_true ((sym_record_get_milliseconds (record, call) > 0) ==
                     (cases[i].kind == SYM_RECORD_TIME_OWN));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/record/tells-statistics-of-every-value", tells_statistics_of_every_value);
  g_test_add_func ("/run/record/tells-times-of-every-layer", tells_times_of_every_layer);
  g_test_add_func ("/run/record/keeps-what-the-budget-allows", keeps_what_the_budget_allows);
  g_test_add_func ("/run/record/computes-again-what-was-not-kept",
                   computes_again_what_was_not_kept);
  g_test_add_func ("/run/record/points-at-the-first-that-is-not-finite",
                   points_at_the_first_that_is_not_finite);
  g_test_add_func ("/run/record/names-what-cannot-run-and-has-the-rest",
                   names_what_cannot_run_and_has_the_rest);
  g_test_add_func ("/run/record/refuses-what-does-not-fit", refuses_what_does_not_fit);
  g_test_add_func ("/run/record/visits-every-value-once", visits_every_value_once);
  g_test_add_func ("/run/record/stops-visiting-when-it-is-told-to",
                   stops_visiting_when_it_is_told_to);
  g_test_add_func ("/run/record/ends-when-it-is-cancelled", ends_when_it_is_cancelled);
  g_test_add_func ("/run/record/knows-the-last-turn-of-bodies", knows_the_last_turn_of_bodies);
  g_test_add_func ("/run/record/what-bodies-did-not-keep-is-gone",
                   what_bodies_did_not_keep_is_gone);
  g_test_add_func ("/run/record/times-tell-what-they-are-of", times_tell_what_they_are_of);
  g_test_add_func ("/run/record/missing-weights-are-listed", missing_weights_are_listed);
  g_test_add_func ("/run/record/missing-weights-can-be-made-up", missing_weights_can_be_made_up);
  g_test_add_func ("/run/record/sizes-that-are-not-needed-are-not-made-up",
                   sizes_that_are_not_needed_are_not_made_up);
  g_test_add_func ("/run/record/missing-weights-of-unknown-shape-are-named",
                   missing_weights_of_unknown_shape_are_named);
  return g_test_run ();
}
