/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op.h"

static void
operators_are_found_by_name_and_by_alias (void)
{
  static const struct {
    const char *domain, *name, *found;
  } cases[] = {
    { "mxnet", "Convolution", "Convolution" },
    { "mxnet", "Convolution_v1", "Convolution" },
    { "mxnet", "_Plus", "elemwise_add" },
    { "mxnet", "_PlusScalar", "_plus_scalar" },
    { "mxnet", "ElementWiseSum", "add_n" },
    { "mxnet", "Softmax", "SoftmaxOutput" },
    { "mxnet", "softmax", "softmax" },
    { "mxnet", "CuDNNBatchNorm", "BatchNorm" },
    { "mxnet", "_contrib_box_non_maximum_suppression", "_contrib_box_nms" },
    { "mxnet", "convolution", NULL },
    { "mxnet", "", NULL },
    { "nowhere", "Convolution", NULL },
    { "", "Convolution", NULL },
    { "", "Add", "Add" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SymOperator *op = sym_op_find (cases[i].domain, cases[i].name, 0);

      g_assert_cmpstr (op != NULL ? op->name : NULL, ==, cases[i].found);
    }
}

static void
every_operator_is_described (void)
{
  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);

      g_test_message ("%s %s", op->domain, op->name);
      g_assert_nonnull (op->summary);
      g_assert_nonnull (op->reference);
      g_assert_cmpint (op->since_version, >=, 1);
      g_assert_true (sym_op_find (op->domain, op->name, op->since_version) == op);
      if (i > 0)
        g_assert_cmpint (strcmp (sym_op_get (i - 1)->domain, op->domain), <=, 0);
    }
}

/* A name or alias that two operators of one domain have would hide one of them. */
static void
no_name_is_taken_twice (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);
      g_autofree char *all =
          g_strjoin (" ", op->name, op->aliases != NULL ? op->aliases : op->name, NULL);
      g_auto (GStrv) names = g_strsplit (all, " ", -1);

      for (guint j = op->aliases != NULL ? 0 : 1; names[j] != NULL; j++)
        {
          g_test_message ("%s %s", op->domain, names[j]);
          g_assert_true (g_hash_table_add (
              seen, g_strdup_printf ("%s %s %d", op->domain, names[j], op->since_version)));
        }
    }
}

static gboolean
is_word_of (const char *word, const char *words)
{
  g_auto (GStrv) all = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *) all, word);
}

static void
every_default_has_the_type_of_its_attribute (void)
{
  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);

      for (const SymAttributeSpec *spec = op->attributes; spec != NULL && spec->name != NULL;
           spec++)
        {
          g_autoptr (SymValue) value = NULL;

          g_test_message ("%s %s: %s", op->name, spec->name, spec->fallback);
          g_assert_nonnull (spec->meaning);
          if (spec->fallback == NULL)
            continue;
          value = sym_op_type_literal (spec->kind, spec->fallback);
          g_assert_nonnull (value);
          if (spec->values != NULL && sym_value_get_kind (value) != SYM_VALUE_NONE)
            g_assert_true (is_word_of (spec->fallback, spec->values));
        }
    }
}

/* What the operators say of operands and outputs holds together when nothing is given. */
static void
every_operator_counts_without_attributes (void)
{
  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);
      int n_visible = 0, n = sym_op_get_n_outputs (op, NULL, &n_visible);

      g_test_message ("%s %s", op->domain, op->name);
      g_assert_cmpint (sym_op_get_n_operands (op, NULL), >=, -1);
      g_assert_cmpint (n, >=, 0);
      g_assert_cmpint (n_visible, >=, 0);
      g_assert_cmpint (n_visible, <=, n);
    }
}

static void
literals_are_typed (void)
{
  static const struct {
    SymAttributeKind kind;
    const char *literal, *expected; /* NULL: does not fit */
  } cases[] = {
    { SYM_ATTRIBUTE_INT, "3", "3" },
    { SYM_ATTRIBUTE_INT, "-1", "-1" },
    { SYM_ATTRIBUTE_INT, "2.0", "2" },
    { SYM_ATTRIBUTE_INT, "2.5", NULL },
    { SYM_ATTRIBUTE_INT, "True", "1" },
    { SYM_ATTRIBUTE_INT, "None", "None" },
    { SYM_ATTRIBUTE_INT, "three", NULL },
    { SYM_ATTRIBUTE_FLOAT, "1e-05", "1e-05" },
    { SYM_ATTRIBUTE_FLOAT, "1", "1.0" },
    { SYM_ATTRIBUTE_FLOAT, "", NULL },
    { SYM_ATTRIBUTE_FLOAT, "0.5x", NULL },
    { SYM_ATTRIBUTE_BOOL, "True", "True" },
    { SYM_ATTRIBUTE_BOOL, "true", "True" },
    { SYM_ATTRIBUTE_BOOL, "0", "False" },
    { SYM_ATTRIBUTE_BOOL, "yes", NULL },
    { SYM_ATTRIBUTE_STRING, "relu", "'relu'" },
    { SYM_ATTRIBUTE_STRING, "3", "'3'" },
    { SYM_ATTRIBUTE_INTS, "(3, 3)", "(3, 3)" },
    { SYM_ATTRIBUTE_INTS, "(3,3)", "(3, 3)" },
    { SYM_ATTRIBUTE_INTS, "[3, 3]", "[3, 3]" },
    { SYM_ATTRIBUTE_INTS, "3", "(3,)" },
    { SYM_ATTRIBUTE_INTS, "()", "()" },
    { SYM_ATTRIBUTE_INTS, "(None, 2)", "(None, 2)" },
    { SYM_ATTRIBUTE_INTS, "(1.5,)", NULL },
    { SYM_ATTRIBUTE_INTS, "(a,)", NULL },
    { SYM_ATTRIBUTE_FLOATS, "(0.1, 2)", "(0.1, 2)" },
    { SYM_ATTRIBUTE_DTYPE, "int32", "int32" },
    { SYM_ATTRIBUTE_DTYPE, "int31", NULL },
    { SYM_ATTRIBUTE_ANY, "(1, 'a')", "(1, 'a')" },
    { SYM_ATTRIBUTE_ANY, "no literal", "'no literal'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymValue) value = sym_op_type_literal (cases[i].kind, cases[i].literal);
      g_autofree char *text = value != NULL ? sym_value_to_string (value) : NULL;

      g_test_message ("%s", cases[i].literal);
      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

static SymAttributes *
type_attributes (const SymOperator *op,
                 const char *const *names,
                 const char *const *literals,
                 guint n,
                 SymProblems *problems)
{
  g_autoptr (SymOpLiterals) known = sym_op_literals_new ();
  SymAttributes *attributes = sym_attributes_new ();

  for (guint i = 0; i < n; i++)
    sym_op_literals_set (known, op, names[i], strlen (names[i]), literals[i], strlen (literals[i]),
                         attributes, problems, 7, 5);
  if (problems != NULL)
    sym_op_check_attributes (op, attributes, problems, 7, 5);
  return attributes;
}

static void
what_does_not_fit_is_a_warning (void)
{
  const SymOperator *op = sym_op_find ("mxnet", "Convolution", 0);
  const char *names[] = { "kernel", "no_bias", "mystery" };
  const char *literals[] = { "(3, three)", "perhaps", "42" };
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autoptr (SymAttributes) attributes = type_attributes (op, names, literals, 3, problems);
  gint64 mystery;

  g_assert_cmpuint (sym_attributes_get_n (attributes), ==, 3);
  g_assert_cmpstr (sym_attributes_get_literal (attributes, 0), ==, "(3, three)");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (attributes, "kernel")), ==,
                   "(3, three)");
  g_assert_true (sym_value_get_int (sym_attributes_find (attributes, "mystery"), &mystery));
  g_assert_cmpint (mystery, ==, 42);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 3);
  g_assert_cmpuint (sym_problems_get (problems, 0)->line, ==, 7);
  g_assert_cmpuint (sym_problems_get (problems, 0)->call, ==, 5);
  g_assert_nonnull (strstr (sym_problems_get (problems, 0)->message, "kernel of Convolution"));
  g_assert_nonnull (strstr (sym_problems_get (problems, 2)->message, "num_filter"));
  g_assert_false (sym_problems_has_errors (problems));
}

static void
texts_that_are_none_of_the_values_are_warned_of (void)
{
  const SymOperator *op = sym_op_find ("mxnet", "Activation", 0);
  const SymOperator *pooling = sym_op_find ("mxnet", "Pooling", 0);
  const SymOperator *transform = sym_op_find ("mxnet", "SpatialTransformer", 0);
  const char *act[] = { "act_type" }, *layout[] = { "layout" };
  const char *types[] = { "transform_type", "sampler_type" }, *one[] = { "nosuch", "bilinear" };
  const char *good[] = { "tanh" }, *none[] = { "None" }, *bad[] = { "nosuch" }, *empty[] = { "" };
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autoptr (SymAttributes) tanh = type_attributes (op, act, good, 1, problems);
  g_autoptr (SymAttributes) unset = type_attributes (pooling, layout, none, 1, problems);
  g_autoptr (SymAttributes) wrong = NULL, nothing = NULL, single = NULL;

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 0);
  g_assert_nonnull (sym_attributes_find (tanh, "act_type"));
  g_assert_nonnull (sym_attributes_find (unset, "layout"));
  wrong = type_attributes (op, act, bad, 1, problems);
  nothing = type_attributes (op, act, empty, 1, problems);
  single = type_attributes (transform, types, one, 2, problems);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 3);
  g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==,
                   "act_type of Activation is nosuch, which should be one of relu, sigmoid, tanh, "
                   "softrelu, softsign, log_sigmoid, mish");
  g_assert_cmpstr (sym_problems_get (problems, 2)->message, ==,
                   "transform_type of SpatialTransformer is nosuch, which should be affine");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (wrong, "act_type")), ==, "nosuch");
}

/* The text is shared, a literal that does not fit is warned of each time, and what it means depends
 * on the operator. */
static void
equal_literals_are_typed_once (void)
{
  const SymOperator *convolution = sym_op_find ("mxnet", "Convolution", 0);
  g_autoptr (SymOpLiterals) known = sym_op_literals_new ();
  g_autoptr (SymProblems) problems = sym_problems_new ();
  SymAttributes *all[3];
  const char *text = "no_bias1kernel(x)"; /* parts of one text, none of them NUL-ended */

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      const SymOperator *op = i < 2 ? convolution : NULL;

      all[i] = sym_attributes_new ();
      sym_op_literals_set (known, op, text, 7, text + 7, 1, all[i], problems, i, i);
      sym_op_literals_set (known, op, text + 8, 6, text + 14, 3, all[i], problems, i, i);
      g_assert_cmpstr (sym_attributes_get_name (all[i], 0), ==, "no_bias");
      g_assert_cmpstr (sym_attributes_get_literal (all[i], 0), ==, "1");
      g_assert_cmpstr (sym_attributes_get_literal (all[i], 1), ==, "(x)");
    }
  g_assert_true (sym_attributes_get_value (all[0], 0) == sym_attributes_get_value (all[1], 0));
  g_assert_cmpint (sym_value_get_kind (sym_attributes_get_value (all[0], 0)), ==, SYM_VALUE_BOOL);
  g_assert_cmpint (sym_value_get_kind (sym_attributes_get_value (all[2], 0)), ==, SYM_VALUE_INT);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 2);
  g_assert_cmpuint (sym_problems_get (problems, 1)->line, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    sym_attributes_unref (all[i]);
}

static void
defaults_follow_what_is_given (void)
{
  const SymOperator *op = sym_op_find ("mxnet", "Pooling", 0);
  const char *names[] = { "pool_type" }, *literals[] = { "avg" };
  g_autoptr (SymAttributes) given = type_attributes (op, names, literals, 1, NULL);
  g_autoptr (SymAttributes) complete = sym_op_complete_attributes (op, given);

  g_assert_cmpstr (sym_attributes_get_name (complete, 0), ==, "pool_type");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (complete, "pool_type")), ==, "avg");
  g_assert_cmpstr (sym_value_get_string (sym_attributes_find (complete, "pooling_convention")), ==,
                   "valid");
  g_assert_cmpuint (sym_attributes_get_n (given), ==, 1);
}

static void
slots_and_outputs_are_named (void)
{
  const SymOperator *norm = sym_op_find ("mxnet", "BatchNorm", 0);
  const SymOperator *concat = sym_op_find ("mxnet", "Concat", 0);
  const SymOperator *slice = sym_op_find ("mxnet", "SliceChannel", 0);
  g_autofree char *first = sym_op_format_output_name (norm, 0, 3);
  g_autofree char *second = sym_op_format_output_name (norm, 1, 3);
  g_autofree char *only = sym_op_format_output_name (concat, 0, 1);
  g_autofree char *part = sym_op_format_output_name (slice, 2, 3);

  g_assert_cmpstr (first, ==, "output");
  g_assert_cmpstr (second, ==, "mean");
  g_assert_cmpstr (only, ==, "output");
  g_assert_cmpstr (part, ==, "output2");
  g_assert_cmpstr (sym_op_get_slot (norm, 3)->name, ==, "moving_mean");
  g_assert_cmpint (sym_op_get_slot (norm, 3)->kind, ==, SYM_SLOT_AUXILIARY);
  g_assert_null (sym_op_get_slot (norm, 5));
  g_assert_cmpstr (sym_op_get_slot (concat, 9)->name, ==, "arg");
}

/* Own attributes come first where a layer has them; those of another dialect are none of its. */
static void
what_a_dialect_has_alike_is_described (void)
{
  static const struct {
    const char *domain, *name, *fallback;
  } cases[] = {
    { "keras", "W_regularizer", "None" },
    { "keras", "border_mode", "valid" },
    { "keras", "nb_filter", NULL },
    { "keras", "momentum", "0.99" },
    { "tf", "T", NULL },
    { "tf", "Tidx", "int32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SymAttributeSpec *spec = sym_op_find_dialect_attribute (cases[i].domain, cases[i].name);

      g_assert_nonnull (spec);
      g_assert_cmpstr (spec->fallback, ==, cases[i].fallback);
      g_assert_cmpuint (strlen (spec->meaning), >, 5);
    }
  g_assert_null (sym_op_find_dialect_attribute ("tf", "nb_filter"));
  g_assert_null (sym_op_find_dialect_attribute ("keras", "T"));
  g_assert_null (sym_op_find_dialect_attribute ("ai.onnx", "T"));
}

/* Keras 1 had other names, and one for each axis of a window. */
static void
older_names_are_given (void)
{
  static const struct {
    const char *op, *given, *asked;
    gboolean is_given;
  } cases[] = {
    { "Conv2D", "nb_filter", "filters", TRUE },   { "Conv2D", "filters", "filters", TRUE },
    { "Conv2D", "nb_row", "kernel_size", TRUE },  { "Conv2D", "nb_filter", "kernel_size", FALSE },
    { "Conv2D", "border_mode", "padding", TRUE }, { "Conv2D", "border_mode", "strides", FALSE },
    { "Dense", "output_dim", "units", TRUE },     { "Dense", "nb_filter", "units", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymAttributes) attributes = sym_attributes_new ();

      sym_attributes_set (attributes, cases[i].given, sym_value_new_int (3), NULL);
      g_assert_cmpint (
          sym_op_is_given (sym_op_find ("keras", cases[i].op, 1), attributes, cases[i].asked), ==,
          cases[i].is_given);
    }
  g_assert_false (sym_op_is_given (sym_op_find ("keras", "Conv2D", 1), NULL, "filters"));
  g_assert_false (sym_op_is_given (sym_op_find ("", "Conv", 13), NULL, "group"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/table/operators-are-found-by-name-and-by-alias",
                   operators_are_found_by_name_and_by_alias);
  g_test_add_func ("/ops/table/every-operator-is-described", every_operator_is_described);
  g_test_add_func ("/ops/table/no-name-is-taken-twice", no_name_is_taken_twice);
  g_test_add_func ("/ops/table/every-default-has-the-type-of-its-attribute",
                   every_default_has_the_type_of_its_attribute);
  g_test_add_func ("/ops/table/every-operator-counts-without-attributes",
                   every_operator_counts_without_attributes);
  g_test_add_func ("/ops/table/literals-are-typed", literals_are_typed);
  g_test_add_func ("/ops/table/what-does-not-fit-is-a-warning", what_does_not_fit_is_a_warning);
  g_test_add_func ("/ops/table/texts-that-are-none-of-the-values-are-warned-of",
                   texts_that_are_none_of_the_values_are_warned_of);
  g_test_add_func ("/ops/table/equal-literals-are-typed-once", equal_literals_are_typed_once);
  g_test_add_func ("/ops/table/defaults-follow-what-is-given", defaults_follow_what_is_given);
  g_test_add_func ("/ops/table/older-names-are-given", older_names_are_given);
  g_test_add_func ("/ops/table/slots-and-outputs-are-named", slots_and_outputs_are_named);
  g_test_add_func ("/ops/table/what-a-dialect-has-alike-is-described",
                   what_a_dialect_has_alike_is_described);
  return g_test_run ();
}
