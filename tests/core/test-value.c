/* SPDX-License-Identifier: MIT */
#include "core/sym-value.h"

#include <math.h>

typedef struct {
  const char *text;
  const char *printed; /* NULL: refused */
} Case;

static void
check_cases (const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (SymValue) value = sym_value_parse (cases[i].text);
      g_autofree char *printed = value == NULL ? NULL : sym_value_to_string (value);
      g_autoptr (SymValue) again = printed == NULL ? NULL : sym_value_parse (printed);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpstr (printed, ==, cases[i].printed);
      g_assert_cmpint (again == NULL, ==, value == NULL);
      if (value != NULL)
        g_assert_true (sym_value_equal (value, again));
    }
}

static void
test_reads_python_and_json (void)
{
  static const Case cases[] = {
    { "None", "None" },
    { "null", "None" },
    { "True", "True" },
    { "false", "False" },
    { "...", "Ellipsis" },
    { " 7 ", "7" },
    { "-3", "-3" },
    { "+3", "3" },
    { "2L", "2" },
    { "0x1F", "31" },
    { "9223372036854775807", "9223372036854775807" },
    { "-9223372036854775808", "-9223372036854775808" },
    { "(3, 3)", "(3, 3)" },
    { "(3,3)", "(3, 3)" },
    { "(2L, 2L)", "(2, 2)" },
    { "()", "()" },
    { "(1,)", "(1,)" },
    { "(1)", "1" },
    { "[1,2,]", "[1, 2]" },
    { "[]", "[]" },
    { "[(1, None), 'x']", "[(1, None), 'x']" },
    { "{'a': True, \"b\": [1.5]}", "{'a': True, 'b': [1.5]}" },
    { "{}", "{}" },
    { "slice(1, None, 2)", "slice(1, None, 2)" },
    { "slice(4)", "slice(None, 4, None)" },
    { "float32", "float32" },
    { "'relu'", "'relu'" },
    { "u'relu'", "'relu'" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_prints_floats_as_python_does (void)
{
  static const Case cases[] = {
    { "0.1", "0.1" },          { "1.0", "1.0" },
    { "1.", "1.0" },           { ".5", "0.5" },
    { "-0.0", "-0.0" },        { "1e-05", "1e-05" },
    { "0.00001", "1e-05" },    { "0.0001", "0.0001" },
    { "0.00123", "0.00123" },  { "1e15", "1000000000000000.0" },
    { "1e16", "1e+16" },       { "123456789.125", "123456789.125" },
    { "1.5e300", "1.5e+300" }, { "0.30000000000000004", "0.30000000000000004" },
    { "5e-324", "5e-324" },    { "1.7976931348623157e308", "1.7976931348623157e+308" },
    { "inf", "inf" },          { "-Infinity", "-inf" },
    { "NaN", "nan" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_quotes_strings_as_python_does (void)
{
  static const Case cases[] = {
    { "'it\\'s'", "\"it's\"" },
    { "'both \\' and \"'", "'both \\' and \"'" },
    { "\"tab\\tline\\n\"", "'tab\\tline\\n'" },
    { "'\\x01\\u00e9'", "'\\x01\xc3\xa9'" },
    { "\"\\ud83d\\ude00\"", "'\xf0\x9f\x98\x80'" },
    { "'back\\\\slash'", "'back\\\\slash'" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_refuses_what_is_no_literal (void)
{
  static const Case cases[] = {
    { "" },
    { "relu" },
    { "(1" },
    { "(1 2)" },
    { "(,)" },
    { "(1,,2)" },
    { "[1, 2)" },
    { "1 2" },
    { "'open" },
    { "'a\nb'" },
    { "{1: 2}" },
    { "{'a' 1}" },
    { "{'a': 1 'b': 2}" },
    { "-" },
    { "+-1" },
    { "1e" },
    { "0x" },
    { "12abc" },
    { "?" },
    { "slice()" },
    { "'\\ud83d'" },
    { "'\\u0000'" },
    { "'\\q'" },
    { "slice(1, 2, 3, 4)" },
    { "9223372036854775808" },
    { "-" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_limits_the_nesting (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (SymValue) deepest = NULL;

  for (guint i = 0; i < 64; i++)
    g_string_append_c (text, '[');
  for (guint i = 0; i < 64; i++)
    g_string_append_c (text, ']');
  deepest = sym_value_parse (text->str);
  g_assert_nonnull (deepest);

  g_string_prepend_c (text, '[');
  g_string_append_c (text, ']');
  g_assert_null (sym_value_parse (text->str));
}

static void
test_built_trees_may_be_deep (void)
{
  const guint depth = 200000;
  g_autoptr (SymValue) left = sym_value_new_none ();
  g_autoptr (SymValue) right = sym_value_new_none ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < depth; i++)
    {
      left = sym_value_new_list (&left, 1);
      right = sym_value_new_list (&right, 1);
    }
  text = sym_value_to_string (left);
  g_assert_cmpuint (strlen (text), ==, 2 * depth + 4);
  g_assert_true (sym_value_equal (left, right));
}

static void
test_a_bool_is_an_int_is_a_float (void)
{
  g_autoptr (SymValue) truth = sym_value_new_bool (TRUE);
  g_autoptr (SymValue) seven = sym_value_new_int (7);
  g_autoptr (SymValue) half = sym_value_new_float (0.5);
  gboolean as_bool = FALSE;
  gint64 as_int = 0;
  double as_float = 0;

  g_assert_true (sym_value_get_int (truth, &as_int));
  g_assert_cmpint (as_int, ==, 1);
  g_assert_true (sym_value_get_float (seven, &as_float));
  g_assert_cmpfloat (as_float, ==, 7.0);
  g_assert_false (sym_value_get_bool (seven, &as_bool));
  g_assert_false (sym_value_get_int (half, &as_int));
  g_assert_cmpint (as_int, ==, 1);
}

static void
test_lists_of_integers_are_read_at_once (void)
{
  g_autoptr (SymValue) tuple = sym_value_parse ("(1, None, 3)");
  g_autoptr (SymValue) one = sym_value_new_int (5);
  g_autoptr (SymValue) mixed = sym_value_parse ("(1, 'x')");
  g_autoptr (SymValue) none = sym_value_new_none ();
  gint64 values[2] = { 0, 0 };

  g_assert_cmpint (sym_value_get_ints (tuple, values, 2), ==, 3);
  g_assert_cmpint (values[0], ==, 1);
  g_assert_cmpint (values[1], ==, SYM_DIM_UNKNOWN);
  g_assert_cmpint (sym_value_get_ints (one, values, 2), ==, 1);
  g_assert_cmpint (values[0], ==, 5);
  g_assert_cmpint (sym_value_get_ints (mixed, values, 2), ==, -1);
  g_assert_cmpint (values[0], ==, 5);
  g_assert_cmpint (sym_value_get_ints (none, values, 2), ==, -1);
}

static void
test_trees_hold_operands_and_opaque_constants (void)
{
  SymValue *leaves[] = { sym_value_new_operand (1), sym_value_new_opaque ("ndarray") };
  const char *keys[] = { "x", "noise" };
  g_autoptr (SymValue) dict = sym_value_new_dict (keys, leaves, 2);
  g_autofree char *text = sym_value_to_string (dict);

  g_assert_cmpstr (text, ==, "{'x': %1, 'noise': <ndarray>}");
  g_assert_cmpstr (sym_value_get_key (dict, 1), ==, "noise");
  g_assert_cmpstr (sym_value_get_string (sym_value_get_child (dict, 1)), ==, "ndarray");
}

static void
test_a_string_may_be_a_part_of_a_text (void)
{
  g_autoptr (SymValue) part = sym_value_new_string_of ("same, other", 4);
  g_autoptr (SymValue) whole = sym_value_new_string ("same");
  g_autoptr (SymValue) nothing = sym_value_new_string_of ("same", 0);

  g_assert_cmpstr (sym_value_get_string (part), ==, "same");
  g_assert_true (sym_value_equal (part, whole));
  g_assert_cmpstr (sym_value_get_string (nothing), ==, "");
}

static void
test_equality_tells_kinds_apart (void)
{
  static const char *const texts[] = {
    "1", "1.0", "True", "'1'", "[1]", "(1,)", "{'1': 1}", "None", "float32", "'float32'",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autoptr (SymValue) a = sym_value_parse (texts[i]);
        g_autoptr (SymValue) b = sym_value_parse (texts[j]);

        g_assert_cmpint (sym_value_equal (a, b), ==, i == j);
      }
}

static void
test_attributes_keep_order_and_literals (void)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymAttributes) without = NULL;
  g_autoptr (SymAttributes) with = NULL;

  sym_attributes_set (attributes, "kernel", sym_value_parse ("(3,3)"), "(3,3)");
  sym_attributes_set (attributes, "no_bias", sym_value_new_bool (TRUE), NULL);
  sym_attributes_set (attributes, "kernel", sym_value_parse ("(5,5)"), "(5,5)");
  with = sym_attributes_with (attributes, "stride", sym_value_new_int (2), "2");
  without = sym_attributes_with (with, "kernel", NULL, NULL);

  g_assert_cmpuint (sym_attributes_get_n (attributes), ==, 2);
  g_assert_cmpstr (sym_attributes_get_name (attributes, 0), ==, "kernel");
  g_assert_cmpstr (sym_attributes_get_literal (attributes, 0), ==, "(5,5)");
  g_assert_null (sym_attributes_get_literal (attributes, 1));
  g_assert_null (sym_attributes_find (attributes, "stride"));
  g_assert_nonnull (sym_attributes_find (with, "stride"));
  g_assert_cmpuint (sym_attributes_get_n (without), ==, 2);
  g_assert_cmpstr (sym_attributes_get_name (without, 0), ==, "no_bias");
}

static SymValue *
make_tensor_value (const char *first)
{
  const char *strings[] = { first, "b" };
  SymShape shape = SYM_SHAPE (2);
  g_autoptr (SymTensor) tensor = sym_tensor_new_strings (&shape, strings, NULL, NULL);

  return sym_value_new_tensor (tensor);
}

static void
test_a_tensor_is_a_leaf (void)
{
  g_autoptr (SymValue) value = make_tensor_value ("a");
  g_autoptr (SymValue) same = make_tensor_value ("a");
  g_autoptr (SymValue) other = make_tensor_value ("c");
  SymValue *children[] = { sym_value_ref (value) };
  g_autoptr (SymValue) list = sym_value_new_list (children, 1);
  g_autofree char *text = sym_value_to_string (list);

  g_assert_cmpint (sym_value_get_kind (value), ==, SYM_VALUE_TENSOR);
  g_assert_nonnull (sym_value_get_tensor (value));
  g_assert_null (sym_value_get_tensor (list));
  g_assert_null (sym_value_get_string (value));
  g_assert_cmpint (sym_value_get_ints (value, NULL, 0), ==, -1);
  g_assert_true (sym_value_equal (value, same));
  g_assert_false (sym_value_equal (value, other));
  g_assert_cmpstr (text, ==, "[tensor(string, [2], ['a', 'b'])]");
}

static void
test_no_attributes_is_an_empty_list (void)
{
  g_autoptr (SymAttributes) with = sym_attributes_with (NULL, "axis", sym_value_new_int (1), NULL);

  g_assert_cmpuint (sym_attributes_get_n (NULL), ==, 0);
  g_assert_null (sym_attributes_find (NULL, "axis"));
  g_assert_cmpuint (sym_attributes_get_n (with), ==, 1);
}

static void
test_many_attributes_are_found_fast (void)
{
  const guint n = 50000;
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymAttributes) without = NULL;

  for (guint i = 0; i < 2 * n; i++)
    {
      g_autofree char *name = g_strdup_printf ("a%u", i % n);

      sym_attributes_set (attributes, name, sym_value_new_int (i), NULL);
    }
  without = sym_attributes_with (attributes, "a7", NULL, NULL);

  g_assert_cmpuint (sym_attributes_get_n (attributes), ==, n);
  g_assert_cmpuint (sym_attributes_get_n (without), ==, n - 1);
  g_assert_null (sym_attributes_find (without, "a7"));
  g_assert_true (sym_attributes_find (without, "a49999") ==
                 sym_attributes_get_value (without, n - 2));
}

static gpointer
set_and_drop (gpointer data)
{
  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (SymAttributes) attributes = sym_attributes_new ();

      sym_attributes_set (attributes, "a name of nobody else", sym_value_new_int (i), NULL);
      g_assert_cmpuint (sym_attributes_get_n (attributes), ==, 1);
    }
  return NULL;
}

static void
test_lists_of_threads_do_not_meet (void)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, set_and_drop, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/value/reads-python-and-json", test_reads_python_and_json);
  g_test_add_func ("/core/value/prints-floats-as-python-does", test_prints_floats_as_python_does);
  g_test_add_func ("/core/value/quotes-strings-as-python-does", test_quotes_strings_as_python_does);
  g_test_add_func ("/core/value/refuses-what-is-no-literal", test_refuses_what_is_no_literal);
  g_test_add_func ("/core/value/limits-the-nesting", test_limits_the_nesting);
  g_test_add_func ("/core/value/built-trees-may-be-deep", test_built_trees_may_be_deep);
  g_test_add_func ("/core/value/a-bool-is-an-int-is-a-float", test_a_bool_is_an_int_is_a_float);
  g_test_add_func ("/core/value/lists-of-integers-are-read-at-once",
                   test_lists_of_integers_are_read_at_once);
  g_test_add_func ("/core/value/trees-hold-operands-and-opaque-constants",
                   test_trees_hold_operands_and_opaque_constants);
  g_test_add_func ("/core/value/a-tensor-is-a-leaf", test_a_tensor_is_a_leaf);
  g_test_add_func ("/core/value/a-string-may-be-a-part-of-a-text",
                   test_a_string_may_be_a_part_of_a_text);
  g_test_add_func ("/core/value/equality-tells-kinds-apart", test_equality_tells_kinds_apart);
  g_test_add_func ("/core/attributes/keep-order-and-literals",
                   test_attributes_keep_order_and_literals);
  g_test_add_func ("/core/attributes/none-is-an-empty-list", test_no_attributes_is_an_empty_list);
  g_test_add_func ("/core/attributes/many-are-found-fast", test_many_attributes_are_found_fast);
  g_test_add_func ("/core/attributes/threads-do-not-meet", test_lists_of_threads_do_not_meet);
  return g_test_run ();
}
