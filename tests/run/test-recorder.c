/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-error.h"
#include "io/sym-io.h"
#include "run/sym-recorder.h"

/* Recorders: a model that is run again and again. */

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18, \"other\" : 1]>\n"

/* z needs a layer of nobody's, and its neighbour does not. */
#define PLAIN                                                        \
  HEAD "m (float[n, 2] x) => (float[n, 2] y, float[n, 2] z)"         \
       "<float[2, 2] w = {1, 2, 3, 4}, float[2] b = {1, -30}> {"     \
       "  p = MatMul (x, w) s = Add (p, b) y = Relu (s) q = Neg (s)" \
       "  z = other.Strange (q) }"

#define LOOP                                                                                      \
  HEAD "m (float[2] x) => (float[2] s) <int64 n = {3}, bool c = {1}> {"                           \
       "  s = Loop (n, c, x) <body = b (int64 i, bool go, float[2] a) => (bool more, float[2] r)" \
       "    { more = Identity (go) r = Add (a, a) }> }"

/* The shape of y fits x of two rows only, which nobody knows before it runs. */
#define FAILS                                                   \
  HEAD "m (float[2] x, int64[1] n) => (float[k] y, float[2] z)" \
       "{ r = Relu (x) t = Tile (r, n) y = Add (t, r) u = Mul (r, r) z = Sqrt (u) }"

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

/* [n, 2], or [2] for 0: first, first + 1... */
static SymDatum *
new_rows (gint64 n, float first)
{
  SymShape shape = n == 0 ? SYM_SHAPE (2) : SYM_SHAPE (n, 2);
  SymDatum *datum = sym_datum_new (SYM_DTYPE_FLOAT32, &shape, NULL);

  for (gint64 i = 0; i < MAX (n, 1) * 2; i++)
    ((float *) sym_datum_get_array (datum)->data)[i] = first + (float) i;
  return datum;
}

static SymRecord *
run (SymRecorder *recorder, gint64 n, float first, const SymRecordOptions *options)
{
  SymModel *model = sym_recorder_get_model (recorder);
  g_autoptr (SymDatum) rows = new_rows (n, first);
  SymFeed feed = { find (model, "x"), rows };
  g_autoptr (GError) error = NULL;
  SymRecord *record = sym_recorder_run (recorder, &feed, 1, options, NULL, &error);

  g_assert_no_error (error);
  return record;
}

static float
get_first (const SymRecord *record, const char *name)
{
  SymDatum *datum = sym_record_get_datum (record, find (sym_record_get_model (record), name));

  g_assert_nonnull (datum);
  return *(const float *) sym_datum_get_array (datum)->data;
}

/* Also the layer that cannot run is named each time, and what a plan had fed does not stay. */
static void
plans_once_for_each_shape (void)
{
  static const struct {
    gint64 n;
    float first, y;
    SymRecordReason reason;
  } rounds[] = {
    { 2, 1, 8, SYM_RECORD_PLAN_FIRST }, { 2, 3, 16, SYM_RECORD_PLAN_KEPT },
    { 5, 1, 8, SYM_RECORD_PLAN_TYPES }, { 2, 2, 12, SYM_RECORD_PLAN_KEPT },
    { 5, 3, 16, SYM_RECORD_PLAN_KEPT }, { 9, 1, 8, SYM_RECORD_PLAN_TYPES },
    { 2, 1, 8, SYM_RECORD_PLAN_TYPES }, /* two are kept */
  };
  g_autoptr (SymModel) model = read_model (PLAIN);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);

  for (guint i = 0; i < G_N_ELEMENTS (rounds); i++)
    {
      g_autoptr (SymRecord) record = run (recorder, rounds[i].n, rounds[i].first, NULL);
      SymRecordPlanning planning = sym_record_get_planning (record);
      guint n_failed;

      g_assert_cmpint (planning.reason, ==, rounds[i].reason);
      g_assert_true ((planning.milliseconds > 0) == (rounds[i].reason != SYM_RECORD_PLAN_KEPT));
      g_assert_true ((planning.n_bytes > 0) == (rounds[i].reason != SYM_RECORD_PLAN_KEPT));
      g_assert_cmpfloat (get_first (record, "y"), ==, rounds[i].y);
      g_assert_cmpint (sym_record_get_type (record, find (model, "q")).shape.dims[0], ==,
                       rounds[i].n);
      g_assert_cmpuint (sym_record_get_first_failure (record, &n_failed), ==,
                        sym_model_get_producer (model, find (model, "z")));
      g_assert_cmpuint (n_failed, ==, 1);
    }
}

static void
tells_why_it_plans_again (void)
{
  g_autoptr (SymModel) model = read_model (PLAIN);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
  SymOverride override = { .value = find (model, "x"),
                           .has_shape = TRUE,
                           .shape = SYM_SHAPE (2, 2) };
  g_autoptr (SymInference) types = sym_infer (model, &override, 1, NULL, NULL);
  const struct {
    SymRecordOptions options;
    SymRecordReason reason;
  } rounds[] = {
    { { .n_threads = 1 }, SYM_RECORD_PLAN_FIRST },
    { { .n_threads = 1, .seed = 7 }, SYM_RECORD_PLAN_KEPT },
    { { .n_threads = 2 }, SYM_RECORD_PLAN_OPTIONS },
    { { .n_threads = 2, .is_exact = TRUE }, SYM_RECORD_PLAN_OPTIONS },
    { { .types = types }, SYM_RECORD_PLAN_OPTIONS },
    { { .types = types, .seed = 3, .makes_weights = TRUE }, SYM_RECORD_PLAN_WEIGHTS },
    { { .types = types, .seed = 3, .makes_weights = TRUE }, SYM_RECORD_PLAN_KEPT },
    { { .types = types, .seed = 4, .makes_weights = TRUE }, SYM_RECORD_PLAN_WEIGHTS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rounds); i++)
    {
      g_autoptr (SymRecord) record = run (recorder, 2, 1, &rounds[i].options);

      g_assert_cmpint (sym_record_get_planning (record).reason, ==, rounds[i].reason);
    }
}

/* Other types of weights that the file has not are other types, too.  Without numbers the product
 * fails, so that there are two plans for each. */
static void
types_of_weights_count (void)
{
  g_autoptr (SymModel) model =
      read_model (HEAD "m (float[n, 2] x, float[2, k] w) => (float[n, k] y) { y = MatMul (x, w) }");
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 4);
  const struct {
    gint64 k;
    SymRecordReason reason;
  } rounds[] = { { 3, SYM_RECORD_PLAN_FIRST },
                 { 3, SYM_RECORD_PLAN_KEPT },
                 { 4, SYM_RECORD_PLAN_TYPES },
                 { 3, SYM_RECORD_PLAN_KEPT } };

  for (guint i = 0; i < G_N_ELEMENTS (rounds); i++)
    {
      SymOverride overrides[] = {
        { .value = find (model, "x"), .has_shape = TRUE, .shape = SYM_SHAPE (2, 2) },
        { .value = find (model, "w"), .has_shape = TRUE, .shape = SYM_SHAPE (2, rounds[i].k) },
      };
      g_autoptr (SymInference) types = sym_infer (model, overrides, 2, NULL, NULL);
      SymRecordOptions options = { .types = types };
      g_autoptr (SymRecord) record = run (recorder, 2, 1, &options);

      g_assert_cmpint (sym_record_get_planning (record).reason, ==, rounds[i].reason);
    }
}

static void
bodies_are_recorded_each_time (void)
{
  g_autoptr (SymModel) model = read_model (LOOP);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
  SymRecordOptions options = { .n_bytes_to_keep = 1000 };

  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (SymRecord) record = run (recorder, 0, (float) i, &options);
      g_auto (GStrv) bodies = sym_record_list_bodies (record);
      SymRecord *body = sym_record_find_body (record, bodies[0]);

      g_assert_cmpuint (g_strv_length (bodies), ==, 1);
      g_assert_cmpuint (sym_record_get_n_turns (body), ==, 3);
      g_assert_cmpfloat (get_first (record, "s"), ==, 8 * (float) i);
      g_assert_cmpfloat (get_first (body, "r"), ==, 8 * (float) i);
    }
}

/* A shape that only the run can tell does not fit: each time the layer is named, and what does not
 * need it is there. */
static void
failures_are_told_each_time (void)
{
  g_autoptr (SymModel) model = read_model (FAILS);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
  g_autoptr (SymDatum) rows = new_rows (0, 3),
                       n = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (1), NULL);
  SymFeed feeds[] = { { find (model, "x"), rows }, { find (model, "n"), n } };
  const gint64 tiles[] = { 2, 1, 2, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_autoptr (SymRecord) record = NULL;
      SymId failed = tiles[i] == 1 ? SYM_NO_ID : sym_model_get_producer (model, find (model, "y"));

      *(gint64 *) sym_datum_get_array (n)->data = tiles[i];
      record = sym_recorder_run (recorder, feeds, 2, NULL, NULL, NULL);
      g_assert_cmpuint (sym_record_get_first_failure (record, NULL), ==, failed);
      g_assert_cmpfloat (get_first (record, "z"), ==, 3);
      if (failed == SYM_NO_ID)
        g_assert_cmpfloat (get_first (record, "y"), ==, 6);
    }
}

/* The numbers are those of the first time, and no layer takes longer than it did then. */
static void
times_are_the_least_of_several (void)
{
  static const struct {
    const char *text;
    gint64 n; /* of rows */
    double milliseconds;
    guint n_timed;
  } cases[] = { { LOOP, 0, 1e6, 8 }, { LOOP, 0, 0, 1 }, { PLAIN, 2, 1e6, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = read_model (cases[i].text);
      g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
      SymRecordOptions options = { .n_repeats = 7, .repeat_milliseconds = cases[i].milliseconds };
      g_autoptr (SymRecord) record = run (recorder, cases[i].n, 1, &options);
      double total = 0;

      g_assert_cmpuint (sym_record_get_counts (record).n_timed, ==, cases[i].n_timed);
      for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
        total += MAX (sym_record_get_milliseconds (record, call), 0);
      g_assert_cmpfloat_with_epsilon (sym_record_get_total (record), total, 1e-9);
      if (i < 2)
        g_assert_cmpuint (sym_record_get_n_turns (sym_record_find_body (record, "0a")), ==, 3);
    }
}

static void
cancel_cb (SymRecordStage stage, guint n_done, guint n_all, gpointer user_data)
{
  if (n_done == 2)
    g_cancellable_cancel (user_data);
}

/* What was cancelled, or refused, leaves a recorder that goes on. */
static void
goes_on_after_a_run_that_failed (void)
{
  g_autoptr (SymModel) model = read_model (PLAIN);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
  g_autoptr (SymDatum) rows = new_rows (2, 1), flat = new_rows (0, 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  SymRecordOptions options = { .progress = cancel_cb, .user_data = cancellable };
  SymFeed feed = { find (model, "x"), rows }, wrong = { find (model, "x"), flat };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymRecord) record = NULL;

  g_assert_null (sym_recorder_run (recorder, &feed, 1, &options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (sym_recorder_run (recorder, &wrong, 1, NULL, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  record = run (recorder, 2, 3, NULL);
  g_assert_cmpfloat (get_first (record, "y"), ==, 16);
  g_assert_cmpint (sym_record_get_planning (record).reason, ==, SYM_RECORD_PLAN_KEPT);
}

static void
write_stage_cb (SymRecordStage stage, guint n_done, guint n_all, gpointer user_data)
{
  static const char letters[] = "MPLRT"; /* in the order of the stages */

  g_assert_cmpuint (n_all > 0, ==, stage == SYM_RECORD_RUNNING);
  g_assert_cmpuint (n_done, <=, n_all);
  g_string_append_c (user_data, letters[stage]);
}

/* Planned, looked at what is fed, ran: before its one layer, and after. */
static void
tells_each_stage (void)
{
  g_autoptr (SymModel) model = read_model (LOOP);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
  g_autoptr (GString) stages = g_string_new (NULL);
  SymRecordOptions options = {
    .n_repeats = 1, .repeat_milliseconds = 60000, .progress = write_stage_cb, .user_data = stages
  };
  g_autoptr (SymRecord) first = run (recorder, 0, 1, &options);

  g_assert_nonnull (first);
  g_assert_cmpstr (stages->str, ==, "PLRRT");
  g_string_truncate (stages, 0);
  options.n_repeats = 0;
  g_autoptr (SymRecord) second = run (recorder, 0, 1, &options);

  g_assert_nonnull (second);
  g_assert_cmpstr (stages->str, ==, "PLRR");
}

/* An earlier record is not written over by a later run. */
static void
records_do_not_share_what_they_keep (void)
{
  g_autoptr (SymModel) model = read_model (PLAIN);
  g_autoptr (SymRecorder) recorder = sym_recorder_new (model, 0);
  SymRecordOptions options = { .n_bytes_to_keep = 1000 };
  g_autoptr (SymRecord) first = run (recorder, 2, 1, &options);
  g_autoptr (SymRecord) second = run (recorder, 2, 3, &options);

  g_assert_cmpfloat (get_first (first, "x"), ==, 1);
  g_assert_cmpfloat (get_first (first, "s"), ==, 8);
  g_assert_cmpfloat (get_first (first, "y"), ==, 8);
  g_assert_cmpfloat (get_first (second, "s"), ==, 16);
  g_assert_cmpfloat (get_first (second, "y"), ==, 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/recorder/plans-once-for-each-shape", plans_once_for_each_shape);
  g_test_add_func ("/run/recorder/tells-why-it-plans-again", tells_why_it_plans_again);
  g_test_add_func ("/run/recorder/types-of-weights-count", types_of_weights_count);
  g_test_add_func ("/run/recorder/bodies-are-recorded-each-time", bodies_are_recorded_each_time);
  g_test_add_func ("/run/recorder/failures-are-told-each-time", failures_are_told_each_time);
  g_test_add_func ("/run/recorder/times-are-the-least-of-several", times_are_the_least_of_several);
  g_test_add_func ("/run/recorder/goes-on-after-a-run-that-failed",
                   goes_on_after_a_run_that_failed);
  g_test_add_func ("/run/recorder/tells-each-stage", tells_each_stage);
  g_test_add_func ("/run/recorder/records-do-not-share-what-they-keep",
                   records_do_not_share_what_they_keep);
  return g_test_run ();
}
