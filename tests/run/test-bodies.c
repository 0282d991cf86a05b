/* SPDX-License-Identifier: MIT */
#include "../ops/kernel-case.h"
#include "io/sym-io.h"
#include "run/sym-run-private.h"

/* Models in ONNX's text, run as a whole.  Arrays are told as in kernel-case.h. */
typedef struct {
  const char *name, *text, *inputs, *outputs, *error;
} BodyCase;

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"

static const BodyCase cases[] = {
  { "if-takes-a-branch",
    HEAD "m (bool c, float[2] x) => (float[2] y) {"
         "  y = If (c) <then_branch = a () => (float[2] p) { p = Add (x, x) },"
         "              else_branch = b () => (float[2] q) { q = Mul (x, x) }> }",
    "bool : 1; float32 2: 3 4", "float32 2: 6 8" },
  { "if-takes-the-other",
    HEAD "m (bool c, float[2] x) => (float[2] y) {"
         "  y = If (c) <then_branch = a () => (float[2] p) { p = Add (x, x) },"
         "              else_branch = b () => (float[2] q) { q = Mul (x, x) }> }",
    "bool : 0; float32 2: 3 4", "float32 2: 9 16" },
  { "a-condition-is-one-bool",
    HEAD "m (bool[2] c, float[2] x) => (float[2] y) {"
         "  y = If (c) <then_branch = a () => (float[2] p) { p = Add (x, x) },"
         "              else_branch = b () => (float[2] q) { q = Mul (x, x) }> }",
    "bool 2: 0 1; float32 2: 3 4", .error = "the condition of If must be one bool" },
  /* What is taken from around is x itself. */
  { "loop-goes-round",
    HEAD "m (int64 n, bool c, float[2] x) => (float[2] s, float[k, 2] all) {"
         "  s, all = Loop (n, c, x) <body = b (int64 i, bool go, float[2] a)"
         "    => (bool go, float[2] next, float[2] was)"
         "    { was = Identity (a) next = Add (a, x) }> }",
    "int64 : 3; bool : 1; float32 2: 1 10", "float32 2: 4 40; float32 3,2: 1 10 2 20 3 30" },
  { "loop-of-no-steps-gathers-nothing",
    HEAD "m (int64 n, bool c, float[2] x) => (float[2] s, float[k, 2] all) {"
         "  s, all = Loop (n, c, x) <body = b (int64 i, bool go, float[2] a)"
         "    => (bool go, float[2] next, float[2] was)"
         "    { was = Identity (a) next = Add (a, x) }> }",
    "int64 : 0; bool : 1; float32 2: 1 10", "float32 2: 1 10; float32 0,2:" },
  { "loop-ends-by-its-condition",
    HEAD "m (bool c, float x) => (float s) <float limit = {20}> {"
         "  s = Loop (\"\", c, x) <body = b (int64 i, bool go, float a)"
         "    => (bool more, float next) { next = Add (a, a) more = Less (next, limit) }> }",
    "bool : 1; float32 : 3", "float32 : 24" },
  { "scan-carries-a-state",
    HEAD "m (float[2] s, float[3, 2] x) => (float[2] t, float[3, 2] y) {"
         "  t, y = Scan (s, x) <num_scan_inputs = 1, body = b (float[2] a, float[2] v)"
         "    => (float[2] n, float[2] o) { n = Add (a, v) o = Identity (n) }> }",
    "float32 2: 0 0; float32 3,2: 1 2 3 4 5 6", "float32 2: 9 12; float32 3,2: 1 2 4 6 9 12" },
  { "scan-goes-backwards",
    HEAD "m (float[2] s, float[3, 2] x) => (float[2] t, float[3, 2] y) {"
         "  t, y = Scan (s, x) <num_scan_inputs = 1, scan_input_directions = [1],"
         "    scan_output_directions = [1], body = b (float[2] a, float[2] v)"
         "    => (float[2] n, float[2] o) { n = Add (a, v) o = Identity (n) }> }",
    "float32 2: 0 0; float32 3,2: 1 2 3 4 5 6", "float32 2: 9 12; float32 3,2: 9 12 8 10 5 6" },
  { "a-branch-may-name-what-it-takes",
    HEAD
    "m (bool c, float[2] x, float[2] z) => (float[2] y) {"
    "  y = If (c) <then_branch = a (float[2] z, float[2] x) => (float[2] p) { p = Sub (x, z) },"
    "              else_branch = b (float[2] x) => (float[2] q) { q = Mul (x, z) }> }",
    "bool : 1; float32 2: 3 4; float32 2: 1 3", "float32 2: 2 1" },
  { "what-a-branch-names-is-to-be-there",
    HEAD "m (bool c, float[2] x) => (float[2] y) {"
         "  y = If (c) <then_branch = a (float[2] z) => (float[2] p) { p = Add (z, z) },"
         "              else_branch = b () => (float[2] q) { q = Mul (x, x) }> }",
    "bool : 1; float32 2: 3 4", .error = "the file has no numbers for" },
  { "no-steps-have-the-type-that-follows",
    HEAD
    "m (int64 n, bool c, float[2] x) => (float[2] s, float[k, 1, 2] all) {"
    "  s, all = Loop (n, c, x) <body = b (i, go, a) => (go, next, was)"
    "    { axes = Constant <value_ints = [0]> () was = Unsqueeze (a, axes) next = Add (a, x) }> }",
    "int64 : 0; bool : 1; float32 2: 1 10", "float32 2: 1 10; float32 0,1,2:" },
  { "scan-of-no-steps-gathers-nothing",
    HEAD "m (float[2] s, double[2, n] x) => (float[2] t, float[2, k] y, double[k] z) {"
         "  t, y, z = Scan (s, x) <num_scan_inputs = 1, scan_input_axes = [1],"
         "    scan_output_axes = [1, 0], body = b (a, v) => (n, o, r)"
         "    { n = Identity (a) o = Cast <to = 1> (v) r = ReduceSum <keepdims = 0> (v) }> }",
    "float32 2: 5 6; float64 2,0:", "float32 2: 5 6; float32 2,0:; float64 0:" },
  { "a-sequence-gives-its-items-back",
    HEAD "m (float[2] x, float[1] y, int64 i) => (float[n] z, int64 k, float[n] all) {"
         "  s = SequenceConstruct (x, y) t = SequenceInsert (s, x, i) u = SequenceErase (t, i)"
         "  z = SequenceAt (u, i) k = SequenceLength (t) all = ConcatFromSequence <axis = 0> (t) }",
    "float32 2: 1 2; float32 1: 3; int64 : 1", "float32 1: 3; int64 : 3; float32 5: 1 2 1 2 3" },
  { "there-is-no-item-there",
    HEAD "m (float[2] x, int64 i) => (float[n] z) {"
         "  s = SequenceConstruct (x) z = SequenceAt (s, i) }",
    "float32 2: 1 2; int64 : 1", .error = "place 1 is out of range for 1 items" },
  { "an-optional-holds-a-value",
    HEAD "m (float[2] x) => (bool h, float[2] y) {"
         "  o = Optional (x) h = OptionalHasElement (o) y = OptionalGetElement (o) }",
    "float32 2: 1 2", "bool : 1; float32 2: 1 2" },
  { "an-empty-optional-holds-none",
    HEAD
    "m () => (bool h) { o = Optional <type: type_proto = float[2]> () h = OptionalHasElement (o) }",
    "", "bool : 0" },
  { "the-first-models-have-the-first-operators",
    "<ir_version: 3>\nm (float[4] x) => (float[2, 2] y) { y = Reshape <shape = [2, 2]> (x) }",
    "float32 4: 1 2 3 4", "float32 2,2: 1 2 3 4" },
  { "a-function-runs-by-its-body",
    "<ir_version: 10, opset_import: [\"\" : 18, \"own\" : 1]>\n"
    "m (float[2] x) => (float[2] y) { y = own.Twice (x) }\n"
    "<domain: \"own\", opset_import: [\"\" : 18]>\nTwice (a) => (r) { r = Add (a, a) }",
    "float32 2: 1 2", "float32 2: 2 4" },
  /* From the second step on it is compiled, with the matrix and its sum as they are. */
  { "loop-multiplies-by-a-constant",
    HEAD
    "m (int64 n, bool c, float[1, 2] x) => (float[1, 2] y, float[k, 1] all)"
    "  <float[2, 2] w = {0, 1, 1, 1}, float[2] v = {1, 0}> {"
    "  y, all = Loop (n, c, x) <body = b (int64 i, bool go, float[1, 2] a)"
    "    => (bool more, float[1, 2] next, float[1] sum)"
    "    { more = Identity (go) p = MatMul (a, w) next = Add (p, v)"
    "      axes = Constant <value_ints = [1]> () sum = ReduceMax <keepdims = 0> (next, axes) }> }",
    "int64 : 3; bool : 1; float32 1,2: 1 1", "float32 1,2: 5 7; float32 3,1: 2 4 7" },
  { "what-grows-is-another-shape-each-time",
    HEAD "m (int64 n, bool c, float[k, 2] x, float[1, 2] r) => (float[j, 2] y) {"
         "  y = Loop (n, c, x) <body = b (int64 i, bool go, float[h, 2] a)"
         "    => (bool more, float[g, 2] next)"
         "    { more = Identity (go) d = Add (a, a) next = Concat <axis = 0> (d, r) }> }",
    "int64 : 3; bool : 1; float32 1,2: 1 2; float32 1,2: 5 6",
    "float32 4,2: 8 16 20 24 10 12 5 6" },
  { "a-sequence-goes-round",
    HEAD "m (int64 n, bool c, float[2] x) => (float[k] y) {"
         "  e = SequenceEmpty <dtype = 1> ()"
         "  a, s = Loop (n, c, x, e) <body = b (int64 i, bool go, float[2] v, t)"
         "    => (bool more, float[2] next, u)"
         "    { more = Identity (go) next = Add (v, x) u = SequenceInsert (t, next) }>"
         "  y = ConcatFromSequence <axis = 0> (s) }",
    "int64 : 3; bool : 1; float32 2: 1 2", "float32 6: 2 4 3 6 4 8" },
  { "a-loop-is-within-a-loop",
    HEAD "m (int64 n, bool c, float[2] x) => (float[2] y) {"
         "  y = Loop (n, c, x) <body = b (int64 i, bool go, float[2] v) => (bool more, float[2] w)"
         "    { more = Identity (go) w = Loop (n, go, v) <body = d (int64 j, bool on, float[2] p)"
         "        => (bool still, float[2] q) { still = Identity (on) q = Add (p, x) }> }> }",
    "int64 : 3; bool : 1; float32 2: 1 10", "float32 2: 10 100" },
  { "a-body-that-fails-says-so",
    HEAD "m (bool c, float[2] x, float[3] z) => (float y) {"
         "  y = If (c) <then_branch = a () => (float p) { p = Add (x, z) },"
         "              else_branch = b () => (float q) { q = Mul (x, x) }> }",
    "bool : 1; float32 2: 3 4; float32 3: 1 2 3", .error = "do not broadcast" },
  { "a-size-takes-a-branch",
    HEAD "m (float[2, 1] x) => (float[2] y) <int64[1] at = {1}, int64[1] one = {1}> {"
         "  s = Shape (x) size = Gather (s, at) c = Equal (size, one)"
         "  z = If (c) <then_branch = a () => (float[2] p) { q = Squeeze (x, at) p = Neg (q) },"
         "              else_branch = b () => (float[2, 1] r) { r = Identity (x) }>"
         "  y = Abs (z) }",
    "float32 2,1: 3 -4", "float32 2: 3 4" },
  { "another-size-takes-the-other",
    HEAD "m (float[2, 3] x) => (float[2, 3] y, float[2] w)"
         "  <int64[1] at = {1}, int64[1] one = {1}> {"
         "  s = Shape (x) size = Gather (s, at) c = Equal (size, one)"
         "  y, w = If (c) <then_branch = a () => (float[2] p, float[2] o)"
         "      { p = Squeeze (x, at) o = Identity (p) },"
         "    else_branch = b () => (float[2, 3] r, float[2] u)"
         "      { r = Identity (x) three = Constant <value_floats = [3.0, 4.0]> ()"
         "        sum = ReduceSum <keepdims = 0> (x, at) u = Mul (sum, three) }> }",
    "float32 2,3: 1 2 3 4 5 6", "float32 2,3: 1 2 3 4 5 6; float32 2: 18 60" },
  { NULL },
};

static gboolean
feed (SymRun *run, const char *inputs, GError **error)
{
  SymIds ids = sym_model_get_inputs (sym_plan_get_model (sym_run_get_plan (run)));
  g_auto (GStrv) parts = g_strsplit (inputs, ";", -1);

  for (guint i = 0; i < ids.n; i++)
    {
      g_autoptr (SymDatum) datum = kernel_case_read (parts[i]);

      if (!sym_run_feed (run, ids.ids[i], datum, error))
        return FALSE;
    }
  return TRUE;
}

static void
compare (const SymRun *run, const BodyCase *self)
{
  SymIds ids = sym_model_get_outputs (sym_plan_get_model (sym_run_get_plan (run)));
  g_auto (GStrv) parts = g_strsplit (self->outputs, ";", -1);
  KernelCase as = { .op = self->name, .attributes = "", .operands = self->inputs };

  g_assert_cmpuint (g_strv_length (parts), ==, ids.n);
  for (guint i = 0; i < ids.n; i++)
    {
      g_autoptr (SymDatum) expected = kernel_case_read (parts[i]);

      kernel_case_compare (&as, sym_datum_get_array (sym_run_get (run, ids.ids[i])),
                           sym_datum_get_array (expected));
    }
}

/* Again: the second time in the memory of the first. */
static void
check (const BodyCase *self, SymPlan *plan)
{
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (GError) error = NULL;

  for (guint round = 0; round < 3; round++)
    {
      gboolean done = feed (run, self->inputs, &error) && sym_run_execute (run, NULL, &error);

      if (self->error == NULL)
        {
          g_assert_no_error (error);
          compare (run, self);
          continue;
        }
      g_assert_false (done);
      if (strstr (error->message, self->error) == NULL)
        g_error ("“%s” does not tell “%s”", error->message, self->error);
      g_clear_error (&error);
    }
}

static SymModel *
read_model (const BodyCase *self)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (self->text, strlen (self->text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, self->name, &error);

  g_assert_no_error (error);
  return model;
}

static void
runs_as_it_is (gconstpointer data)
{
  g_autoptr (SymModel) model = read_model (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, &error);

  g_assert_no_error (error);
  check (data, plan);
}

/* What is fed decides the types. */
static SymInference *
infer (const BodyCase *self, SymModel *model)
{
  SymIds ids = sym_model_get_inputs (model);
  g_auto (GStrv) parts = g_strsplit (self->inputs, ";", -1);
  g_autofree SymOverride *overrides = g_new0 (SymOverride, ids.n + 1);
  g_autoptr (GError) error = NULL;
  SymInference *inference;

  for (guint i = 0; i < ids.n; i++)
    {
      g_autoptr (SymDatum) datum = kernel_case_read (parts[i]);
      const SymArray *array = sym_datum_get_array (datum);

      overrides[i] = (SymOverride){ ids.ids[i], TRUE, array->shape, NULL, TRUE, array->dtype };
    }
  inference = sym_infer (model, overrides, ids.n, NULL, &error);
  g_assert_no_error (error);
  return inference;
}

static void
runs_compiled (gconstpointer data)
{
  g_autoptr (SymModel) model = read_model (data);
  g_autoptr (SymInference) inference = infer (data, model);

  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    {
      SymPlanOptions options = { .inference = inference, .n_threads = n_threads };
      g_autoptr (GError) error = NULL;
      g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, &error);

      g_assert_no_error (error);
      check (data, plan);
    }
}

/* ---- When ---- */

static const BodyCase *
find_case (const char *name)
{
  const BodyCase *found = cases;

  while (!g_str_equal (found->name, name))
    found++;
  return found;
}

/* Whether the body of the only layer that has one is compiled after that many runs. */
static gboolean
compiles (const char *name, gboolean is_plan_compiled, guint n_runs)
{
  const BodyCase *self = find_case (name);
  g_autoptr (SymModel) model = read_model (self);
  g_autoptr (SymInference) inference = infer (self, model);
  SymPlanOptions options = { .inference = is_plan_compiled ? inference : NULL };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_runs; i++)
    {
      feed (run, self->inputs, &error);
      sym_run_execute (run, NULL, &error);
      g_assert_no_error (error);
    }
  for (guint i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].n_bodies > 0)
      return sym_run_body_is_compiled (run->steps[i].bodies[0]);
  g_assert_not_reached ();
}

static void
compiles_what_comes_again (void)
{
  g_assert_true (compiles ("loop-multiplies-by-a-constant", TRUE, 1));
  g_assert_false (compiles ("loop-multiplies-by-a-constant", FALSE, 2));
  g_assert_false (compiles ("if-takes-a-branch", TRUE, 1));
  g_assert_true (compiles ("if-takes-a-branch", TRUE, 2));
  g_assert_false (compiles ("what-grows-is-another-shape-each-time", TRUE, 3));
}

static guint
count_bodies (const char *name)
{
  const BodyCase *self = find_case (name);
  g_autoptr (SymModel) model = read_model (self);
  g_autoptr (SymInference) inference = infer (self, model);
  SymPlanOptions options = { .inference = inference };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < plan->n_steps; i++)
    n += plan->steps[i].n_bodies;
  return n;
}

/* A branch that sizes decide is part of the plan, one that what is fed decides is not. */
static void
takes_in_what_is_decided (void)
{
  g_assert_cmpuint (count_bodies ("a-size-takes-a-branch"), ==, 0);
  g_assert_cmpuint (count_bodies ("another-size-takes-the-other"), ==, 0);
  g_assert_cmpuint (count_bodies ("if-takes-a-branch"), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; cases[i].name != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/bodies/%s", cases[i].name);
      g_autofree char *compiled = g_strdup_printf ("/run/bodies/compiled/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], runs_as_it_is);
      g_test_add_data_func (compiled, &cases[i], runs_compiled);
    }
  g_test_add_func ("/run/bodies/takes-in-what-is-decided", takes_in_what_is_decided);
  g_test_add_func ("/run/bodies/compiles-what-comes-again", compiles_what_comes_again);
  return g_test_run ();
}
