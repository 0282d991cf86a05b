/* SPDX-License-Identifier: MIT */
#include "text-net.h"

/* Compiled plans of loops that run as often as is known, and of sequences whose length is. */

typedef struct {
  const char *name, *text;
  guint n_steps; /* that are left; all of them are compiled where nothing else is said */
  guint n_plain; /* of them, that are not */
} LoopCase;

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"
#define SUMS(n_, go_, more_)                                                          \
  HEAD "m (float[2, 3] x) => (float[2, 3] s, float[k, 2, 3] all)"                     \
       " <int64 n = {" n_ "}, bool go = {" go_ "}, float half = {0.5}> {"             \
       "  s, all = Loop (n, go, x) <body = b (int64 i, bool on, float[2, 3] a)"       \
       "    => (bool more, float[2, 3] next, float[2, 3] was) {"                      \
       "    f = Cast <to = 1> (i) t = Mul (f, half) u = Add (x, t) next = Mul (a, u)" \
       "    was = Tanh (next) more = " more_ " }> }"

static const LoopCase cases[] = {
  { "each-round-is-compiled", SUMS ("4", "1", "Identity (on)"), 1, 0 },
  { "a-condition-from-around-is-known", SUMS ("3", "1", "Identity (go)"), 1, 0 },
  { "one-round-where-the-body-says-so", SUMS ("3", "1", "Constant <value = bool {0}> ()"), 1, 0 },
  { "no-round-that-is-gathered-stays", SUMS ("3", "0", "Identity (on)"), 1, 1 },
  { "a-condition-that-is-computed-stays", SUMS ("3", "1", "Not (on)"), 1, 1 },
  { "too-many-rounds-stay", SUMS ("2000", "1", "Identity (on)"), 1, 1 },
  { "no-rounds-hand-on",
    HEAD "m (float[2, 3] x) => (float[2, 3] y) <int64 n = {0}, bool go = {1}> {"
         "  s = Loop (n, go, x) <body = b (int64 i, bool on, float[2, 3] a)"
         "    => (bool more, float[2, 3] next) { more = Identity (on) next = Add (a, x) }>"
         "  y = Tanh (s) }",
    1, 0 },
  { "what-is-carried-may-change-places",
    HEAD "m (float[2, 3] x) => (float[2, 3] y, float[2, 3] z) <int64 n = {3}, bool go = {1}> {"
         "  w = Exp (x)"
         "  y, z = Loop (n, go, x, w) <body = b (int64 i, bool on, float[2, 3] a, float[2, 3] b)"
         "    => (bool more, float[2, 3] c, float[2, 3] d)"
         "    { more = Identity (on) c = Add (b, x) d = Identity (a) }> }",
    1, 0 },
  { "a-tensor-is-cut-by-a-loop",
    HEAD "m (float[2, 7] x) => (float[2, 7] y)"
         " <int64 n = {2}, bool go = {1}, int64[3] at = {0, 1, 3}, int64[1] last = {3},"
         "  int64[1] end = {7}, int64[1] axis = {1}, int64 one = {1}, int64 first = {0},"
         "  int64 back = {-1}> {"
         "  none = SequenceEmpty <dtype = 1> ()"
         "  some = Loop (n, go, none) <body = b (int64 i, bool on, seq(float) s)"
         "    => (bool more, seq(float) t) {"
         "    next = Add (i, one) c = Gather (at, i) d = Gather (at, next)"
         "    e = Unsqueeze (c, axis0) f = Unsqueeze (d, axis0)"
         "    piece = Slice (x, e, f, axis) t = SequenceInsert (s, piece) more = Identity (go)"
         "    axis0 = Constant <value_ints = [0]> () }>"
         "  rest = Slice (x, last, end, axis) all = SequenceInsert (some, rest)"
         "  p = SequenceAt (all, first) q = SequenceAt (all, one) r = SequenceAt (all, back)"
         "  t = Tanh (r) y = Concat <axis = 1> (t, p, q) }",
    1, 0 },
  { "items-are-put-in-and-taken-out",
    HEAD "m (float[2, 3] x) => (float[4, 3] y) <int64 zero = {0}, int64 two = {2}> {"
         "  a = Exp (x) b = Tanh (x) s = SequenceConstruct (x, a) t = SequenceInsert (s, b, zero)"
         "  u = SequenceErase (t, two) v = Identity (u) n = SequenceLength (v)"
         "  f = Cast <to = 1> (n) w = ConcatFromSequence <axis = 0> (v) y = Add (w, f) }",
    1, 0 },
  { "items-are-put-side-by-side-anew",
    HEAD "m (float[2, 3] x) => (float[2, 3, 3] y) {"
         "  a = Exp (x) b = Tanh (x) s = SequenceConstruct (x, a, b)"
         "  y = ConcatFromSequence <axis = -1, new_axis = 1> (s) }",
    1, 0 },
  { "pieces-of-one-size",
    HEAD "m (float[5, 3] x) => (float[1, 3] y) <int64 two = {2}, int64 last = {-1}> {"
         "  s = SplitToSequence (x, two) a = SequenceAt (s, last) y = Tanh (a) }",
    1, 0 },
  { "pieces-of-given-sizes",
    HEAD "m (float[2, 6] x) => (float[2, 6] y) <int64[3] sizes = {1, 3, 2}, int64 one = {1}> {"
         "  s = SplitToSequence <axis = -1> (x, sizes) t = SequenceErase (s, one)"
         "  a = SequenceAt (s, one) u = SequenceInsert (t, a)"
         "  y = ConcatFromSequence <axis = 1> (u) }",
    1, 0 },
  { "pieces-of-one-row-lose-the-axis",
    HEAD "m (float[2, 3] x) => (float[2] y) <int64 one = {1}> {"
         "  s = SplitToSequence <axis = 1, keepdims = 0> (x) a = SequenceAt (s, one)"
         "  y = Tanh (a) }",
    1, 0 },
  { "an-item-that-a-run-chooses-stays",
    HEAD "m (float[2, 3] x) => (float[2, 3] y) {"
         "  m = ReduceMax <keepdims = 0> (x) z = Sub (m, m) i = Cast <to = 7> (z)"
         "  s = SequenceConstruct (x, x) a = SequenceAt (s, i) y = Tanh (a) }",
    5, 3 },
};

static void
compare (gconstpointer user_data)
{
  const LoopCase *self = user_data;
  g_autoptr (SymModel) model = text_net_read (self->name, self->text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = inference };
  g_autoptr (SymRun) plain = text_net_run (model, NULL);
  g_autoptr (SymRun) run = text_net_run (model, &options);
  const SymPlan *plan = sym_run_get_plan (run);
  const SymProblems *problems = sym_inference_get_problems (inference);
  SymIds outputs = sym_model_get_outputs (model);
  guint n_plain = 0;

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    g_test_message ("%s", sym_problems_get (problems, i)->message);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 0);
  for (guint i = 0; i < outputs.n; i++)
    text_net_compare (sym_datum_get_array (sym_run_get (run, outputs.ids[i])),
                      sym_datum_get_array (sym_run_get (plain, outputs.ids[i])), 1e-6);
  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    n_plain += !sym_plan_is_compiled (plan, i);
  g_assert_cmpuint (n_plain, ==, self->n_plain);
  g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, self->n_steps);
}

/* A loop of as many rounds as there are rows is put down for so many. */
static void
refuses_other_sizes (void)
{
  static const char text[] =
      HEAD "m (float[r, 3] x) => (float[a, 3] y) <bool go = {1}, int64 zero = {0}> {"
           "  s = Shape (x) n = Gather (s, zero)"
           "  y = Loop (n, go, x) <body = b (int64 i, bool on, float[c, 3] a)"
           "    => (bool more, float[d, 3] next) { more = Identity (on) next = Add (a, a) }> }";
  g_autoptr (SymModel) model = text_net_read ("rows", text);
  SymId x = sym_model_get_inputs (model).ids[0], y = sym_model_get_outputs (model).ids[0];
  SymOverride override = { .value = x, .has_shape = TRUE, .shape = SYM_SHAPE (2, 3) };
  g_autoptr (SymInference) inference = sym_infer (model, &override, 1, NULL, NULL);
  SymPlanOptions options = { .inference = inference };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, &error);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) two =
      sym_run_fill (SYM_RUN_FILL_ONES, SYM_DTYPE_FLOAT32, &SYM_SHAPE (2, 3), 0, &error);
  g_autoptr (SymDatum) three =
      sym_run_fill (SYM_RUN_FILL_ONES, SYM_DTYPE_FLOAT32, &SYM_SHAPE (3, 3), 0, &error);

  g_assert_true (sym_run_feed (run, x, two, &error));
  g_assert_true (sym_run_execute (run, NULL, &error));
  g_assert_cmpfloat (*(const float *) sym_datum_get_array (sym_run_get (run, y))->data, ==, 4);
  g_assert_false (sym_run_feed (run, x, three, &error));
  g_assert_nonnull (error);
}

/* Whoever wants to see everything is shown the loop as it is. */
static void
shows_the_loop (void)
{
  g_autoptr (SymModel) model = text_net_read (cases[0].name, cases[0].text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = inference, .everything = TRUE };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);

  g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, 1);
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (model, sym_plan_get_call (plan, 0))),
                   ==, "Loop");
  g_assert_false (sym_plan_is_compiled (plan, 0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/compile-loops/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], compare);
    }
  g_test_add_func ("/run/compile-loops/refuses-other-sizes", refuses_other_sizes);
  g_test_add_func ("/run/compile-loops/shows-the-loop", shows_the_loop);
  return g_test_run ();
}
