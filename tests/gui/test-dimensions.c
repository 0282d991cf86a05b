/* SPDX-License-Identifier: MIT */
#include "app/scope-dimensions.h"

#include "core/sym-error.h"
#include "toy.h"

#define INPUT(name, shape)                                                                      \
  "{\"value\":\"" name "\",\"role\":\"input\",\"type\":{\"dtype\":\"float32\",\"shape\":" shape \
  "},\"attributes\":{}},"

/* An attention mask is as long as what came before and what comes now. */
#define DECODER                                                                                    \
  "{\"format\":\"symscope\",\"version\":1,"                                                        \
  "\"layers\":{\"Relu\":{\"type\":\"Relu\",\"operator\":\"Relu\"}},"                               \
  "\"models\":{\"main\":{\"name\":\"decoder\",\"dialect\":\"plain\",\"nodes\":[" INPUT (           \
      "ids", "[\"batch\",\"seq\"]") INPUT ("kept", "[\"batch\",2,\"past\",4]")                     \
      INPUT ("mask", "[\"batch\",\"past+seq\"]") INPUT ("bias", "[3]")                             \
          INPUT ("rest", "[\"?\",\"odd\"]") "{\"call\":\"call\",\"name\":\"\",\"layer\":\"Relu\"," \
                                            "\"operands\":[\"bias\"],"                             \
                                            "\"results\":[{\"value\":\"y\",\"attributes\":{}}],"   \
                                            "\"attributes\":{}}],"                                 \
                                            "\"inputs\":[\"ids\",\"kept\",\"mask\",\"bias\","      \
                                            "\"rest\"],\"outputs\":[\"y\"]}}}"

static ScopeState *
open_text (const char *name, const char *text)
{
  g_autofree char *path = toy_write (name, text);
  g_autoptr (ScopeDocument) document = toy_open (path);

  return scope_state_ref (scope_document_get_state (document));
}

static ScopeState *
set (ScopeState *take_state, const char *name, const char *text)
{
  g_autoptr (ScopeState) before = take_state;
  g_autoptr (GError) error = NULL;
  ScopeState *after = scope_dimensions_set_text (before, name, text, &error);

  g_assert_no_error (error);
  return after;
}

static ScopeState *
type (ScopeState *take_state, guint input, const char *text)
{
  g_autoptr (ScopeState) before = take_state;
  g_autoptr (GError) error = NULL;
  SymId value = sym_model_get_inputs (scope_state_get_model (before)).ids[input];
  ScopeState *after = scope_state_set_shape_text (before, value, text, &error);

  g_assert_no_error (error);
  return after;
}

/* The texts of the inputs, "-" where there is none, and the sizes. */
static void
assert_state (const ScopeState *state, const char *texts, const char *sizes)
{
  SymIds inputs = sym_model_get_inputs (scope_state_get_model (state));
  g_autoptr (GArray) dimensions = scope_dimensions_read (state);
  g_autoptr (GString) found = g_string_new (NULL), found_sizes = g_string_new (NULL);

  for (guint i = 0; i < inputs.n; i++)
    {
      const char *text = scope_state_get_shape_text (state, inputs.ids[i]);

      g_string_append_printf (found, "%s%s", i > 0 ? " " : "", text != NULL ? text : "-");
    }
  for (guint i = 0; i < dimensions->len; i++)
    {
      const ScopeDimension *dimension = &g_array_index (dimensions, ScopeDimension, i);

      g_string_append_printf (found_sizes, "%s%s=%d", i > 0 ? " " : "", dimension->name,
                              (int) dimension->size);
    }
  g_assert_cmpstr (found->str, ==, texts);
  g_assert_cmpstr (found_sizes->str, ==, sizes);
}

static void
test_size_is_in_every_shape (void)
{
  g_autoptr (ScopeState) state = open_text ("decoder.json", DECODER);

  assert_state (state, "- - - - -", "batch=-1 seq=-1 past=-1 odd=-1");
  state = set (state, "batch", " 2 ");
  assert_state (state, "2×seq 2×2×past×4 2×past+seq - -", "batch=2 seq=-1 past=-1 odd=-1");
  state = set (state, "seq", "5");
  assert_state (state, "2×5 2×2×past×4 2×past+5 - -", "batch=2 seq=5 past=-1 odd=-1");
  state = set (state, "past", "0");
  assert_state (state, "2×5 2×2×0×4 2×5 - -", "batch=2 seq=5 past=0 odd=-1");
  state = set (state, "odd", "7");
  assert_state (state, "2×5 2×2×0×4 2×5 - ?×7", "batch=2 seq=5 past=0 odd=7");
}

static void
test_name_comes_back (void)
{
  g_autoptr (ScopeState) state = open_text ("decoder.json", DECODER);

  state = set (set (state, "batch", "2"), "seq", "5");
  state = set (state, "batch", "");
  assert_state (state, "batch×5 - batch×past+5 - -", "batch=-1 seq=5 past=-1 odd=-1");
  state = set (state, "seq", " ");
  assert_state (state, "- - - - -", "batch=-1 seq=-1 past=-1 odd=-1");
}

/* What is typed for one input alone is its own affair. */
static void
test_typed_shapes_stay (void)
{
  g_autoptr (ScopeState) state = open_text ("decoder.json", DECODER);

  state = type (state, 0, "3,n");
  state = type (state, 1, "9");
  assert_state (state, "3,n 9 - - -", "batch=-1 seq=-1 past=-1 odd=-1");
  state = set (state, "batch", "2");
  assert_state (state, "2×n 9 2×past+seq - -", "batch=2 seq=-1 past=-1 odd=-1");
  state = type (state, 1, "2,2,6,4");
  assert_state (state, "2×n 2,2,6,4 2×past+seq - -", "batch=2 seq=-1 past=6 odd=-1");
}

/* Also when a shape typed before the file was read again is looked at. */
static void
test_unknown_size_is_as_declared (void)
{
  g_autoptr (ScopeState) state = open_text ("decoder.json", DECODER);
  SymModel *model = scope_state_get_model (state);
  SymId rest = sym_model_get_inputs (model).ids[4];

  g_assert_true (scope_state_is_declared_shape (model, rest, "?,odd"));
  g_assert_false (scope_state_is_declared_shape (model, rest, "?,7"));
  g_assert_false (scope_state_is_declared_shape (model, rest, "n,odd"));
  g_assert_false (scope_state_is_declared_shape (model, rest, "4,odd"));
}

#define UNTYPEABLE                                                       \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n"                         \
  "g (float[\"batch-size\", seq] x) => (float[\"batch-size\", seq] y)\n" \
  "{\n  y = Relu (x)\n}\n"

/* A name that cannot be typed is any size beside one that is typed. */
static void
test_untypeable_names_are_any_size (void)
{
  g_autoptr (ScopeState) state = open_text ("untypeable.onnxtxt", UNTYPEABLE);

  state = set (state, "seq", "5");
  assert_state (state, "?×5", "batch-size=-1 seq=5");
  state = set (state, "batch-size", "2");
  assert_state (state, "2×5", "batch-size=2 seq=5");
  state = set (state, "seq", "");
  assert_state (state, "2×seq", "batch-size=2 seq=-1");
  state = set (state, "batch-size", "");
  assert_state (state, "-", "batch-size=-1 seq=-1");
}

#define LETTER                                   \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n" \
  "g (float[x] a) => (float[x] y)\n{\n  y = Relu (a)\n}\n"

/* An x alone is a sign between sizes, where it is typed. */
static void
test_letter_is_a_name (void)
{
  g_autoptr (ScopeState) state = open_text ("letter.onnxtxt", LETTER);

  state = set (state, "x", "9");
  assert_state (state, "9", "x=9");
  state = set (state, "x", "");
  assert_state (state, "-", "x=-1");
}

/* Beside it "a-4" is made of it. */
#define LESS                                                                              \
  "{\"format\":\"symscope\",\"version\":1,"                                               \
  "\"layers\":{\"Relu\":{\"type\":\"Relu\",\"operator\":\"Relu\"}},"                      \
  "\"models\":{\"main\":{\"name\":\"less\",\"dialect\":\"plain\",\"nodes\":[" INPUT (     \
      "a", "[\"seq\",2]")                                                                 \
      INPUT ("b", "[\"seq-4\",2]") "{\"call\":\"call\",\"name\":\"\",\"layer\":\"Relu\"," \
                                   "\"operands\":[\"a\"],"                                \
                                   "\"results\":[{\"value\":\"y\",\"attributes\":{}}],"   \
                                   "\"attributes\":{}}],"                                 \
                                   "\"inputs\":[\"a\",\"b\"],\"outputs\":[\"y\"]}}}"

static void
test_no_dimension_is_less_than_nothing (void)
{
  g_autoptr (ScopeState) state = open_text ("less.json", LESS);
  g_autoptr (GError) error = NULL;

  state = set (state, "seq", "9");
  assert_state (state, "9×2 5×2", "seq=9");
  g_assert_null (scope_dimensions_set_text (state, "seq", "2", &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_cmpstr (error->message, ==,
                   "2 is no size for seq: another dimension, made of it, would be less than 0");
  g_clear_error (&error);
  state = type (type (state, 0, "7"), 1, "7");
  g_assert_null (scope_dimensions_set_text (state, "seq", "5", &error));
  g_assert_cmpstr (error->message, ==,
                   "No input has seq as it is typed: empty the shape of one first");
}

static void
test_what_is_no_size_is_refused (void)
{
  g_autoptr (ScopeState) state = open_text ("decoder.json", DECODER);
  static const char *const wrong[] = { "n", "-1", "2,3", "1.5", "9999999999999", "?" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *message = g_strdup_printf (
          "“%s” is no size for seq: use a number, or nothing for any size", wrong[i]);

      g_assert_null (scope_dimensions_set_text (state, "seq", wrong[i], &error));
      g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
      g_assert_cmpstr (error->message, ==, message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/dimensions/size-is-in-every-shape", test_size_is_in_every_shape);
  g_test_add_func ("/app/dimensions/name-comes-back", test_name_comes_back);
  g_test_add_func ("/app/dimensions/typed-shapes-stay", test_typed_shapes_stay);
  g_test_add_func ("/app/dimensions/unknown-size-is-as-declared", test_unknown_size_is_as_declared);
  g_test_add_func ("/app/dimensions/untypeable-names-are-any-size",
                   test_untypeable_names_are_any_size);
  g_test_add_func ("/app/dimensions/letter-is-a-name", test_letter_is_a_name);
  g_test_add_func ("/app/dimensions/no-dimension-is-less-than-nothing",
                   test_no_dimension_is_less_than_nothing);
  g_test_add_func ("/app/dimensions/what-is-no-size-is-refused", test_what_is_no_size_is_refused);
  return g_test_run ();
}
