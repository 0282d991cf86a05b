/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* A net of a document; both are freed with the fixture. */
typedef struct {
  SymProblems *problems;
  SymJson *json;
  SymIoSource source;
  SymNet *net;
} Fixture;

static void
set_up (Fixture *self, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;

  self->problems = sym_problems_new ();
  self->source = (SymIoSource){ .name = "net", .problems = self->problems };
  self->json = sym_json_parse (bytes, NULL, &error);
  g_assert_no_error (error);
  self->net = sym_net_new (&self->source, self->json, "onednn");
}

static void
tear_down (Fixture *self)
{
  g_clear_pointer (&self->net, sym_net_free);
  sym_json_unref (self->json);
  sym_problems_unref (self->problems);
}

static SymModel *
end (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_net_end (g_steal_pointer (&self->net), &error);

  g_assert_no_error (error);
  return model;
}

static SymId
add_layer (Fixture *self, const char *name, const char *use, const char *make)
{
  SymId call = sym_net_add_call (self->net, name, "Relu", NULL, NULL, SYM_JSON_NONE);

  sym_net_add_operand (self->net, call, use);
  sym_net_add_result (self->net, call, make, make, NULL);
  return call;
}

/* The call that makes the only operand of @call. */
static SymId
get_maker (const SymModel *model, SymId call)
{
  return sym_model_get_producer (model, sym_model_get_operands (model, call).ids[0]);
}

static void
test_knows_dtypes_by_any_name (void)
{
  static const struct {
    const char *name;
    SymDType dtype;
  } cases[] = {
    { "f32", SYM_DTYPE_FLOAT32 },
    { "FP32", SYM_DTYPE_FLOAT32 },
    { "DT_FLOAT", SYM_DTYPE_FLOAT32 },
    { "torch.float32", SYM_DTYPE_FLOAT32 },
    { "a.b:half", SYM_DTYPE_FLOAT16 },
    { "int64_t", SYM_DTYPE_INT64 },
    { "signed char", SYM_DTYPE_INT8 },
    { "unsigned_char", SYM_DTYPE_UINT8 },
    { "Float8_E4M3FN", SYM_DTYPE_FLOAT8E4M3FN },
    { "", SYM_DTYPE_UNKNOWN },
    { "_t", SYM_DTYPE_UNKNOWN },
    { "dt_", SYM_DTYPE_UNKNOWN },
    { "float.", SYM_DTYPE_UNKNOWN },
    { "float3", SYM_DTYPE_UNKNOWN },
    { "float32 float", SYM_DTYPE_UNKNOWN },
    { "a_name_longer_than_any_dtype_has", SYM_DTYPE_UNKNOWN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (sym_net_parse_dtype (cases[i].name), ==, cases[i].dtype);
  g_assert_cmpint (sym_net_parse_dtype_of ("int8 format", 4), ==, SYM_DTYPE_INT8);
  g_assert_cmpint (sym_net_parse_dtype (NULL), ==, SYM_DTYPE_UNKNOWN);
}

/* What was read once is shared, with its literal; what differs in its name or text is not. */
static void
test_shares_attributes_that_are_the_same (void)
{
  Fixture fixture;
  g_autoptr (SymAttributes) first = NULL;
  g_autoptr (SymAttributes) second = NULL;
  static const char *const except[] = { "id", NULL };

  set_up (&fixture, "[{\"id\": 1, \"k\": [1, 2], \"e\": 1e-05, \"ide\": 3},"
                    " {\"k\": [1, 2], \"e\": 0.00001, \"k\\u0032\": [1, 2]}]");
  first = sym_net_read_attributes (fixture.net, 1, except);
  second = sym_net_read_attributes (fixture.net, sym_json_get_element (fixture.json, 0, 1), NULL);

  g_assert_cmpuint (sym_attributes_get_n (first), ==, 3);
  g_assert_null (sym_attributes_find (first, "id"));
  g_assert_cmpint (sym_attributes_get_int (first, "ide", 0), ==, 3);
  g_assert_true (sym_attributes_find (first, "k") == sym_attributes_find (second, "k"));
  g_assert_true (sym_attributes_find (second, "k") != sym_attributes_find (second, "k2"));
  g_assert_nonnull (sym_attributes_find (second, "k2"));
  g_assert_cmpstr (sym_attributes_get_literal (first, 1), ==, "1e-05");
  g_assert_cmpstr (sym_attributes_get_literal (second, 1), ==, "0.00001");
  g_assert_cmpfloat (sym_attributes_get_float (second, "e", 0), ==, 1e-05);
  tear_down (&fixture);
}

/* Of a whole number there is one text, which needs not be kept; of others there are several. */
static void
test_keeps_texts_that_a_number_does_not_tell (void)
{
  static const char *const texts[] = {
    "0",   "12",  "123456789012345678",  "1234567890123456789", "-0", "-12", "1.0", "1e3",
    "NaN", "0.5", "12345678901234567890"
  };
  static const guint n_told = 3;
  Fixture fixture;
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (GString) text = g_string_new ("{");

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_string_append_printf (text, "%s\"k%u\": %s", i == 0 ? "" : ", ", i, texts[i]);
  g_string_append_c (text, '}');
  set_up (&fixture, text->str);
  attributes = sym_net_read_attributes (fixture.net, 0, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpstr (sym_attributes_get_literal (attributes, i), ==, i < n_told ? NULL : texts[i]);
  g_assert_cmpint (sym_attributes_get_int (attributes, "k2", 0), ==, 123456789012345678);
  g_assert_cmpint (sym_attributes_get_int (attributes, "k3", 0), ==, 1234567890123456789);
  tear_down (&fixture);
}

/* Objects that are alike have one list; a list that may be added to is nobody else's. */
static void
test_shares_lists_that_are_the_same (void)
{
  static const char *const except[] = { "id", "op", NULL };
  static const guint lengths[] = { 2, 2, 2, 1, 3, 0 };
  Fixture fixture;
  g_autoptr (GPtrArray) lists =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_attributes_unref);
  g_autoptr (SymAttributes) own = NULL, none = NULL, again = NULL;
  g_autofree char *longer = g_strnfill (300, 'x');
  g_autofree char *text = g_strdup_printf ("[{\"op\": 1, \"k\": 5, \"e\": [1], \"id\": 1},"
                                           " {\"k\": 5, \"e\": [1], \"op\": 2, \"id\": 2},"
                                           " {\"k\": 5, \"e\": [2]}, {\"k\": 5},"
                                           " {\"k\": 5, \"long\": \"%s\", \"e\": [1]}, {}]",
                                           longer);

  set_up (&fixture, text);
  for (SymJsonIter i = sym_json_iterate (fixture.json, 0); sym_json_iter_next (fixture.json, &i);)
    g_ptr_array_add (lists, sym_net_share_attributes (fixture.net, i.value, except));
  own = sym_net_read_attributes (fixture.net, 1, except);
  none = sym_net_share_attributes (fixture.net, SYM_JSON_NONE, except);
  again = sym_net_share_attributes (fixture.net, SYM_JSON_NONE, NULL);

  g_assert_true (lists->pdata[0] == lists->pdata[1]);
  for (guint i = 2; i < lists->len; i++)
    for (guint k = 0; k < i; k++)
      g_assert_true (k == 0 || lists->pdata[i] != lists->pdata[k]);
  for (guint i = 0; i < lists->len; i++)
    g_assert_cmpuint (sym_attributes_get_n (lists->pdata[i]), ==, lengths[i]);
  g_assert_cmpstr (sym_attributes_get_string (lists->pdata[4], "long", NULL), ==, longer);
  g_assert_cmpint (sym_attributes_get_int (lists->pdata[4], "k", 0), ==, 5);
  sym_attributes_set (own, "more", sym_value_new_int (1), NULL);
  sym_attributes_set (own, "and_more", sym_value_new_int (2), NULL);
  g_assert_cmpuint (sym_attributes_get_n (own), ==, 4);
  g_assert_cmpint (sym_attributes_get_int (own, "k", 0), ==, 5);
  g_assert_null (sym_attributes_find (lists->pdata[0], "more"));
  g_assert_true (none == again);
  tear_down (&fixture);
}

/* A use means what was made last before it, or else what is made first after it. */
static void
test_uses_mean_the_nearest_before (void)
{
  Fixture fixture;
  g_autoptr (SymModel) model = NULL;
  SymId early, a, b, late;

  set_up (&fixture, "[]");
  early = add_layer (&fixture, "early", "t", "y");
  a = add_layer (&fixture, "a", "x", "t");
  b = add_layer (&fixture, "b", "t", "t");
  late = add_layer (&fixture, "late", "t", "z");
  model = end (&fixture);

  g_assert_cmpuint (get_maker (model, early), ==, a);
  g_assert_cmpuint (get_maker (model, b), ==, a);
  g_assert_cmpuint (get_maker (model, late), ==, b);
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 1);
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 2);
  tear_down (&fixture);
}

/* The first to declare a key is right, before and after it is used. */
static void
test_declared_keys_have_their_types (void)
{
  Fixture fixture;
  g_autoptr (SymModel) model = NULL;
  SymType three = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3));
  SymType four = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (4));
  SymId call, input;

  set_up (&fixture, "[]");
  sym_net_declare (fixture.net, "w", "weight", SYM_ROLE_PARAMETER, &three, SYM_JSON_NONE);
  sym_net_declare (fixture.net, "w", "other", SYM_ROLE_INPUT, &four, SYM_JSON_NONE);
  call = add_layer (&fixture, "a", "w", "y");
  model = end (&fixture);

  input = sym_model_get_operands (model, call).ids[0];
  g_assert_cmpstr (sym_model_get_value_name (model, input), ==, "weight");
  g_assert_cmpint (sym_model_get_role (model, input), ==, SYM_ROLE_PARAMETER);
  g_assert_cmpint (sym_model_get_declared_type (model, input).shape.dims[0], ==, 3);
  tear_down (&fixture);
}

#define N_MANY 5000

/* Keys of all lengths, up to one that is longer than a block of them. */
static char *
make_key (guint i)
{
  GString *key = g_string_new (NULL);

  g_string_append_printf (key, "%u", i);
  for (guint n = i % 97 == 0 ? i * 60 : i % 40; key->len < n;)
    g_string_append_c (key, 'k');
  return g_string_free (key, FALSE);
}

/* Each layer uses what is made under the key of the one before, and is read before it. */
static void
test_finds_each_of_many_keys (void)
{
  Fixture fixture;
  g_autoptr (SymModel) model = NULL;

  set_up (&fixture, "[]");
  for (guint i = N_MANY; i > 0; i--)
    {
      g_autofree char *use = make_key (i - 1), *make = make_key (i);

      add_layer (&fixture, use, use, make);
    }
  model = end (&fixture);

  for (SymId call = 0; call + 1 < N_MANY; call++)
    g_assert_cmpuint (get_maker (model, call), ==, call + 1);
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 1);
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 1);
  tear_down (&fixture);
}

/* Outputs that nobody tells are what nothing uses: effects only where there is nothing else. */
static void
test_effects_are_no_outputs (void)
{
  for (guint n = 1; n <= 2; n++)
    {
      Fixture fixture;
      g_autoptr (SymModel) model = NULL;

      set_up (&fixture, "[]");
      add_layer (&fixture, "effect", "x", "waited for");
      sym_net_pass_over (fixture.net, sym_net_find (fixture.net, "waited for"));
      if (n == 2)
        add_layer (&fixture, "result", "x", "y");
      model = end (&fixture);

      g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 1);
      g_assert_cmpuint (sym_model_get_producer (model, sym_model_get_outputs (model).ids[0]), ==,
                        n - 1);
      tear_down (&fixture);
    }
}

/* OpenCV's graphs lack all constants: each is one more in a warning, not one more warning. */
static void
test_tells_of_all_that_is_missing_at_once (void)
{
  static const char *const messages[] = {
    "nothing in the file makes 'x0', 'x1', 'x2' and 97 more: they are taken for inputs",
    "nothing in the file makes 'before', which is to come before",
    "nothing in the file makes 'a', 'b', which are to be outputs",
  };
  Fixture fixture;
  g_autoptr (SymModel) model = NULL;
  const SymProblems *problems;

  set_up (&fixture, "[]");
  sym_net_expect_all (fixture.net);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *use = g_strdup_printf ("x%u", i), *make = g_strdup_printf ("y%u", i);

      sym_net_add_control (fixture.net, add_layer (&fixture, make, use, make), "before");
    }
  sym_net_add_output (fixture.net, "a");
  sym_net_add_output (fixture.net, "b");
  sym_net_add_output (fixture.net, "y99");
  model = end (&fixture);

  problems = sym_model_get_problems (model);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, G_N_ELEMENTS (messages));
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    g_assert_cmpstr (sym_problems_get (problems, i)->message, ==, messages[i]);
  g_assert_cmpuint (sym_problems_get (problems, 0)->call, ==, 0);
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 100);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/net/knows-dtypes-by-any-name", test_knows_dtypes_by_any_name);
  g_test_add_func ("/io/net/keeps-texts-that-a-number-does-not-tell",
                   test_keeps_texts_that_a_number_does_not_tell);
  g_test_add_func ("/io/net/shares-attributes-that-are-the-same",
                   test_shares_attributes_that_are_the_same);
  g_test_add_func ("/io/net/shares-lists-that-are-the-same", test_shares_lists_that_are_the_same);
  g_test_add_func ("/io/net/uses-mean-the-nearest-before", test_uses_mean_the_nearest_before);
  g_test_add_func ("/io/net/declared-keys-have-their-types", test_declared_keys_have_their_types);
  g_test_add_func ("/io/net/finds-each-of-many-keys", test_finds_each_of_many_keys);
  g_test_add_func ("/io/net/tells-of-all-that-is-missing-at-once",
                   test_tells_of_all_that_is_missing_at_once);
  g_test_add_func ("/io/net/effects-are-no-outputs", test_effects_are_no_outputs);
  return g_test_run ();
}
