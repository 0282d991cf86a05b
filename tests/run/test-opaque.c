/* SPDX-License-Identifier: MIT */
#include "core/sym-opaque.h"
#include "text-net.h"

/* Layers of types that nobody knows are told, each type once. */

#define HEADER "<ir_version: 10, opset_import: [\"\" : 21, \"mine\" : 1]>\n"

typedef struct {
  const char *path, *text;
  const char *notes[3]; /* "name: message" */
} Case;

static const Case cases[] = {
  { "one",
    HEADER "g (float[2] x) => (float[2] y) { z = mine.Twirl (x) y = Neg (z) }",
    { "z: nothing is known of the layer type mine.Twirl: what it makes is as the file says" } },
  { "several-of-a-type",
    HEADER "g (float[2] x) => (float[2] y) {\n"
           "  a = Neg (x) b = mine.Twirl (a) c = mine.Whirl (b) y = mine.Twirl (c)\n"
           "}",
    { "b: nothing is known of the layer type mine.Twirl: what its 2 layers make is as the file "
      "says",
      "c: nothing is known of the layer type mine.Whirl: what it makes is as the file says" } },
  { "a-function-of-the-file",
    HEADER "g (float[2] x) => (float[2] y) { z = mine.Twirl (x) y = Neg (z) }\n"
           "<opset_import: [\"\" : 21], domain: \"mine\"> Twirl (u) => (v) { v = Neg (u) }" },
  { "within-a-body",
    HEADER "g (float[2] x, bool c) => (float[2] y) {\n"
           "  z = Neg (x)\n"
           "  y = If (c) <then_branch = t () => (float[2] a) { a = mine.Twirl (z) },\n"
           "              else_branch = e () => (float[2] b) { b = mine.Twirl (x) }>\n"
           "}",
    { "y: nothing is known of the layer type mine.Twirl: what its 2 layers make is as the file "
      "says" } },
  { "nothing-is-known-at-all", HEADER "g (float[2] x) => (float[2] y) { y = mine.Twirl (x) }" },
};

static void
test_notes (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (SymModel) model = text_net_read ("opaque.onnxtxt", self->text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymProblems) problems = sym_model_tell_opaque (model);
  guint n = g_strv_length ((char **) self->notes);

  g_assert_cmpuint (sym_problems_get_n (problems), ==, n);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
  for (guint i = 0; i < n; i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);
      SymIds results = sym_model_get_results (model, problem->call);
      g_autofree char *note = g_strdup_printf (
          "%s: %s", sym_model_get_value_name (model, results.ids[0]), problem->message);

      g_assert_cmpint (problem->severity, ==, SYM_SEVERITY_NOTE);
      g_assert_cmpstr (note, ==, self->notes[i]);
    }
}

/* Those beyond a number of types are counted. */
static void
test_many_types (void)
{
  g_autoptr (GString) text = g_string_new (HEADER "g (float[2] x) => (float[2] y) { z0 = Neg (x) ");
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymProblems) problems = NULL;

  for (int i = 0; i < 40; i++)
    g_string_append_printf (text, "z%d = mine.Twirl%d (z%d) ", i + 1, i, i);
  g_string_append (text, "y = Neg (z40) }");
  model = text_net_read ("many.onnxtxt", text->str);
  problems = sym_model_tell_opaque (model);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 17);
  g_assert_cmpstr (sym_problems_get (problems, 16)->message, ==,
                   "nothing is known of 24 more layer types");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/opaque/%s", cases[i].path);

      g_test_add_data_func (path, &cases[i], test_notes);
    }
  g_test_add_func ("/run/opaque/many-types-are-counted", test_many_types);
  return g_test_run ();
}
