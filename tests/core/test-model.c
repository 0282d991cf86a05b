/* SPDX-License-Identifier: MIT */
#include "core/sym-edit.h"
#include "core/sym-extract.h"
#include "core/sym-model-builder.h"

/* A builder for graphs of letters: every value is named by one, every call makes one value. */
static SymId
add_call (SymModelBuilder *builder, const char *name, const SymId *operands, guint n)
{
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);

  return sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, name, layer, operands, n, 1), 0);
}

static SymId
add_input (SymModelBuilder *builder, const char *name)
{
  return sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, NULL);
}

static char *
join_names (const SymModel *model, SymIds values)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < values.n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : " ",
                            sym_model_get_value_name (model, values.ids[i]));
  return g_string_free (text, FALSE);
}

static char *
join_order (const SymModel *model)
{
  SymIds order = sym_model_get_execution_order (model);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < order.n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : " ",
                            sym_model_get_call_name (model, order.ids[i]));
  return g_string_free (text, FALSE);
}

static void
test_empty (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));

  g_assert_cmpuint (sym_model_get_n_values (model), ==, 0);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 0);
  g_assert_cmpuint (sym_model_get_rows (model).n, ==, 0);
  g_assert_false (sym_model_has_cycle (model));
  g_assert_false (sym_model_has_value (model, 0));
}

static void
test_diamond (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x");
  SymId a = add_call (builder, "a", &x, 1);
  SymId b = add_call (builder, "b", &x, 1);
  SymId c = add_call (builder, "c", (SymId[]){ b, a, b }, 3);
  SymId dead = add_call (builder, "dead", &a, 1);
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (SymModel) model = NULL;
  g_autofree char *parents = NULL, *rows = NULL;

  sym_model_builder_add_output (builder, c);
  model = sym_model_builder_end (builder);

  parents = join_names (model, sym_model_get_parents (model, c));
  rows = join_names (model, sym_model_get_rows (model));
  sym_model_collect_children (model, b, children);
  g_assert_cmpstr (parents, ==, "b a b");
  g_assert_cmpstr (rows, ==, "x a b c dead");
  g_assert_cmpuint (children->len, ==, 2);
  g_assert_cmpuint (sym_model_get_depth (model, x), ==, 0);
  g_assert_cmpuint (sym_model_get_depth (model, c), ==, 2);
  g_assert_true (sym_model_is_live (model, a));
  g_assert_false (sym_model_is_live (model, dead));
  g_assert_true (sym_model_is_output (model, c));
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 1);
}

static void
test_forward_references (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x");
  SymId nothing = SYM_NO_ID;
  SymId late = add_call (builder, "late", &nothing, 1);
  SymId early = add_call (builder, "early", &x, 1);
  g_autoptr (SymModel) model = NULL;
  g_autofree char *order = NULL;

  sym_model_builder_set_operand (builder, 0, 0, early);
  sym_model_builder_add_output (builder, late);
  model = sym_model_builder_end (builder);

  order = join_order (model);
  g_assert_cmpstr (order, ==, "early late");
  g_assert_false (sym_model_has_cycle (model));
  g_assert_cmpuint (sym_model_get_depth (model, late), ==, 2);
}

/* x -> merge -> body -> next -> merge: the loop of TensorFlow 1. */
static void
test_loop (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x");
  SymId merge = add_call (builder, "merge", (SymId[]){ x, SYM_NO_ID }, 2);
  SymId body = add_call (builder, "body", &merge, 1);
  SymId next = add_call (builder, "next", &body, 1);
  g_autoptr (SymModel) model = NULL;
  g_autofree char *order = NULL;

  sym_model_builder_set_operand (builder, 0, 1, next);
  sym_model_builder_add_output (builder, body);
  model = sym_model_builder_end (builder);

  order = join_order (model);
  g_assert_true (sym_model_has_cycle (model));
  g_assert_cmpstr (order, ==, "merge body next");
  g_assert_true (sym_model_is_back_edge (model, 0, 1));
  g_assert_false (sym_model_is_back_edge (model, 0, 0));
  g_assert_false (sym_model_is_back_edge (model, 1, 0));
}

static void
test_self_loop (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId nothing = SYM_NO_ID;
  SymId a = add_call (builder, "a", &nothing, 1);
  g_autoptr (SymModel) model = NULL;

  sym_model_builder_set_operand (builder, 0, 0, a);
  model = sym_model_builder_end (builder);
  g_assert_true (sym_model_has_cycle (model));
  g_assert_true (sym_model_is_back_edge (model, 0, 0));
  g_assert_cmpuint (sym_model_get_execution_order (model).n, ==, 1);
}

static void
test_long_chain (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "x");
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 100000; i++)
    value = add_call (builder, "step", &value, 1);
  sym_model_builder_add_output (builder, value);
  model = sym_model_builder_end (builder);
  g_assert_cmpuint (sym_model_get_depth (model, value), ==, 100000);
  g_assert_cmpstr (sym_model_get_unique_name (model, value), ==, "step~100000");
}

/* The chain listed from its end: every operand refers forward. */
static void
test_reversed_chain (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId nothing = SYM_NO_ID;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 100000; i++)
    add_call (builder, "step", &nothing, 1);
  for (guint i = 0; i + 1 < 100000; i++)
    sym_model_builder_set_operand (builder, i, 0, i + 1);
  sym_model_builder_add_output (builder, 0);
  model = sym_model_builder_end (builder);
  g_assert_false (sym_model_has_cycle (model));
  g_assert_cmpuint (sym_model_get_depth (model, 0), ==, 99999);
}

static void
assert_resolves (const SymModel *model, const char *text, SymId expected)
{
  g_autoptr (GError) error = NULL;
  SymId value = SYM_NO_ID;

  g_assert_true (sym_model_resolve (model, text, &value, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (value, ==, expected);
}

static void
assert_no_resolution (const SymModel *model, const char *text, int code, const char *hint)
{
  g_autoptr (GError) error = NULL;
  SymId value;

  g_assert_false (sym_model_resolve (model, text, &value, &error));
  g_assert_error (error, SYM_ERROR, code);
  g_assert_nonnull (strstr (error->message, hint));
}

static void
test_names (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Split", NULL, NULL);
  SymId x = add_input (builder, "data");
  SymId a = add_call (builder, "fc", &x, 1);
  SymId b = add_call (builder, "fc", &a, 1);
  SymId c = add_call (builder, "fc~2", &b, 1);
  SymId split = sym_model_builder_add_call (builder, "split", layer, &c, 1, 0);
  SymId first = sym_model_builder_append_result (builder, split, "split_output0");
  SymId second = sym_model_builder_append_result (builder, split, "split_output1");
  SymId relu = sym_model_builder_add_call (builder, "relu", layer, &c, 1, 0);
  g_autoptr (SymModel) model = NULL;

  g_assert_cmpuint (relu, ==, split + 1);
  sym_model_builder_set_variable (builder, a, "x");
  sym_model_builder_set_variable (builder, b, "x");
  sym_model_builder_set_variable (builder, c, "y");
  model = sym_model_builder_end (builder);

  g_assert_cmpstr (sym_model_get_unique_name (model, a), ==, "fc");
  g_assert_cmpstr (sym_model_get_unique_name (model, b), ==, "fc~2");
  g_assert_cmpstr (sym_model_get_unique_name (model, c), ==, "fc~2~2");
  assert_resolves (model, "fc", a);
  assert_resolves (model, "fc~2", b);
  assert_resolves (model, "y", c);
  assert_resolves (model, "#1", x);
  assert_resolves (model, "#3", b);
  assert_resolves (model, "split_output1", second);
  assert_no_resolution (model, "x", SYM_ERROR_AMBIGUOUS, "fc, fc~2");
  assert_no_resolution (model, "split", SYM_ERROR_AMBIGUOUS, "split_output0");
  assert_no_resolution (model, "relu", SYM_ERROR_NOT_FOUND, "no output");
  assert_no_resolution (model, "split_outptu0", SYM_ERROR_NOT_FOUND, "split_output0");
  assert_no_resolution (model, "slpit", SYM_ERROR_NOT_FOUND, "“split”");
  assert_no_resolution (model, "fd", SYM_ERROR_NOT_FOUND, "“fc”");
  assert_no_resolution (model, "#99", SYM_ERROR_NOT_FOUND, "#1 to #");
  assert_no_resolution (model, "#x", SYM_ERROR_NOT_FOUND, "#1 to #");
  g_assert_cmpuint (first, <, second);
}

static void
test_parameters (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x");
  SymId w = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, NULL);
  SymId m = sym_model_builder_add_value (builder, "m", SYM_ROLE_AUXILIARY, NULL);
  SymId y = add_call (builder, "y", (SymId[]){ x, w, SYM_NO_ID, m }, 4);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);

  g_assert_cmpuint (sym_model_get_parents (model, y).n, ==, 1);
  g_assert_cmpuint (sym_model_get_operands (model, 0).n, ==, 4);
  g_assert_true (sym_parameter_get_trainable (sym_model_get_parameter (model, w)));
  g_assert_false (sym_parameter_get_trainable (sym_model_get_parameter (model, m)));
  g_assert_null (sym_model_get_parameter (model, x));
  g_assert_cmpuint (sym_model_get_rows (model).n, ==, 2);
  g_assert_cmpuint (sym_model_get_row (model, x), ==, 1);
  g_assert_cmpuint (sym_model_get_row (model, y), ==, 2);
  g_assert_cmpuint (sym_model_get_row (model, w), ==, 0);
  g_assert_cmpuint (sym_model_get_row (model, m), ==, 0);
}

/* An input that comes twice has one row; so have calls on a loop and what nothing uses. */
static void
test_parents_have_rows (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x");
  SymId late = add_input (builder, "late");
  SymId a = add_call (builder, "a", (SymId[]){ x, SYM_NO_ID }, 2);
  SymId b = add_call (builder, "b", (SymId[]){ a, late, a }, 3);
  g_autoptr (SymModel) model = NULL;
  SymIds rows;

  sym_model_builder_set_operand (builder, 0, 1, b);
  sym_model_builder_add_input (builder, x);
  sym_model_builder_add_input (builder, x);
  model = sym_model_builder_end (builder);
  rows = sym_model_get_rows (model);
  g_assert_cmpuint (rows.n, ==, 4);
  for (guint i = 0; i < rows.n; i++)
    {
      SymIds parents = sym_model_get_parents (model, rows.ids[i]);

      g_assert_cmpuint (sym_model_get_row (model, rows.ids[i]), ==, i + 1);
      for (guint k = 0; k < parents.n; k++)
        g_assert_cmpuint (sym_model_get_row (model, parents.ids[k]), >, 0);
    }
}

/* Names go into blocks of memory, which grow; one may be longer than any. */
static void
test_names_of_any_length (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree char *long_name = g_strnfill (1000000, 'n');
  SymId x = add_input (builder, "x");
  SymId unnamed = add_input (builder, "");
  SymId taken = add_call (builder, "_1", &x, 1);
  SymId value = add_call (builder, long_name, &x, 1);
  g_autoptr (SymModel) model = NULL;

  for (guint i = 4; i < 1000; i++)
    {
      g_autofree char *name = g_strdup_printf ("node%u", i);

      add_call (builder, name, &x, 1);
    }
  model = sym_model_builder_end (builder);
  g_assert_cmpstr (sym_model_get_value_name (model, value), ==, long_name);
  g_assert_cmpstr (sym_model_get_unique_name (model, unnamed), ==, "_1");
  g_assert_cmpstr (sym_model_get_unique_name (model, taken), ==, "_1~2");
  for (guint i = 4; i < 1000; i++)
    {
      g_autofree char *name = g_strdup_printf ("node%u", i);

      assert_resolves (model, name, i);
    }
}

/* -1 is what other libraries write for an unknown size; taken for a term it was that of another. */
static void
test_sizes_that_are_none (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (SYM_DIM_UNKNOWN, 3));
  SymId x;
  g_autoptr (SymModel) model = NULL;

  sym_terms_get_named (sym_model_builder_get_terms (builder), "batch");
  x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  type.shape.dims[0] = -1;
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*Dimension 0 of a value is -1;*");
  g_assert_cmpuint (sym_model_builder_add_value (builder, "y", SYM_ROLE_INPUT, &type), ==,
                    SYM_NO_ID);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*Dimension 0 of a value is -1;*");
  sym_model_builder_set_type (builder, x, &type);
  g_test_assert_expected_messages ();
  model = sym_model_builder_end (builder);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, 1);
  type = sym_model_get_declared_type (model, x);
  g_assert_cmpint (type.shape.dims[0], ==, SYM_DIM_UNKNOWN);
}

/* Of most values nothing is stored, of one behind them everything. */
static void
test_rare_rows (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_INT8, SYM_SHAPE (2, 3));
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 3000; i++)
    add_input (builder, "x");
  sym_model_builder_set_type (builder, 2000, &type);
  sym_model_builder_set_type (builder, 1, &type);
  sym_model_builder_set_type (builder, 1, &SYM_TYPE_UNKNOWN);
  sym_model_builder_set_variable (builder, 1000, "v");
  sym_model_builder_set_variable (builder, 1500, NULL);
  sym_model_builder_set_value_attributes (builder, 500, sym_attributes_new ());
  sym_model_builder_set_value_line (builder, 2500, 7);
  model = sym_model_builder_end (builder);

  for (SymId i = 0; i < 3000; i++)
    {
      SymType own = sym_model_get_declared_type (model, i);

      g_assert_cmpint (own.kind, ==, i == 2000 ? SYM_KIND_TENSOR : SYM_KIND_UNKNOWN);
      g_assert_cmpint (own.shape.rank, ==, i == 2000 ? 2 : -1);
      g_assert_cmpstr (sym_model_get_variable (model, i), ==, i == 1000 ? "v" : NULL);
      g_assert_true ((sym_model_get_value_attributes (model, i) != NULL) == (i == 500));
      g_assert_cmpuint (sym_model_get_value_line (model, i), ==, i == 2500 ? 7 : 0);
      g_assert_null (sym_model_get_parameter (model, i));
      g_assert_null (sym_model_get_tensor (model, i));
    }
}

/* Operands and results are added to several calls in turns, to one after another, and to one that
 * already has some. */
static void
test_calls_grow_in_turns (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymId inputs[] = { add_input (builder, "x"), add_input (builder, "y") };
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 3; i++)
    sym_model_builder_add_call (builder, "call", layer, inputs, i, 0);
  for (guint i = 0; i < 20; i++)
    {
      SymId call = i < 12 ? i % 3 : 1;

      sym_model_builder_append_operand (builder, call, inputs[i % 2]);
      sym_model_builder_append_result (builder, call, i % 2 == 0 ? "call" : "other");
    }
  model = sym_model_builder_end (builder);

  for (SymId call = 0; call < 3; call++)
    {
      SymIds operands = sym_model_get_operands (model, call);
      SymIds results = sym_model_get_results (model, call);
      guint n = 0;

      for (guint i = 0; i < 20; i++)
        if ((i < 12 ? i % 3 : 1) == call)
          {
            g_assert_cmpuint (operands.ids[call + n], ==, inputs[i % 2]);
            g_assert_cmpuint (results.ids[n++], ==, G_N_ELEMENTS (inputs) + i);
            g_assert_cmpstr (sym_model_get_value_name (model, G_N_ELEMENTS (inputs) + i), ==,
                             i % 2 == 0 ? "call" : "other");
          }
      g_assert_cmpuint (operands.n, ==, call + n);
      g_assert_cmpuint (results.n, ==, n);
      g_assert_cmpuint (sym_model_get_call_line (model, call), ==, 0);
    }
}

/* Equal types in a row are one, until one of them becomes another. */
static void
test_types_in_a_row (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType two = sym_type_tensor (SYM_DTYPE_INT8, SYM_SHAPE (2));
  SymType three = sym_type_tensor (SYM_DTYPE_INT8, SYM_SHAPE (3));
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 4; i++)
    sym_model_builder_set_type (builder, add_input (builder, "x"), &two);
  sym_model_builder_set_type (builder, 1, &three);
  sym_model_builder_set_type (builder, 2, &SYM_TYPE_UNKNOWN);
  model = sym_model_builder_end (builder);

  g_assert_cmpint (sym_model_get_declared_type (model, 0).shape.dims[0], ==, 2);
  g_assert_cmpint (sym_model_get_declared_type (model, 1).shape.dims[0], ==, 3);
  g_assert_cmpint (sym_model_get_declared_type (model, 2).shape.rank, ==, -1);
  g_assert_cmpint (sym_model_get_declared_type (model, 3).shape.dims[0], ==, 2);
}

static void
count_free (gpointer data)
{
  (*(guint *) data)++;
}

/* What others share stays theirs. */
static void
test_forgotten_origin (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  guint n_freed = 0;
  SymId x = add_input (builder, "x");
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) edited = NULL;

  sym_model_builder_set_origin (builder, "mxnet", &n_freed, count_free);
  sym_model_builder_add_output (builder, add_call (builder, "f", &x, 1));
  model = sym_model_builder_end (builder);
  edited = sym_edit_end (sym_edit_new (model));
  g_assert_true (sym_model_get_origin (model) == &n_freed);

  sym_model_forget_origin (model);
  g_assert_null (sym_model_get_origin (model));
  g_assert_cmpstr (sym_model_get_format (model), ==, "mxnet");
  g_assert_true (sym_model_get_origin (edited) == &n_freed);
  g_assert_cmpuint (n_freed, ==, 0);
  sym_model_forget_origin (edited);
  g_assert_cmpuint (n_freed, ==, 1);
  sym_model_forget_origin (edited);
  g_assert_cmpuint (n_freed, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/model/may-be-empty", test_empty);
  g_test_add_func ("/core/model/knows-a-diamond", test_diamond);
  g_test_add_func ("/core/model/orders-forward-references", test_forward_references);
  g_test_add_func ("/core/model/marks-the-edge-that-closes-a-loop", test_loop);
  g_test_add_func ("/core/model/takes-a-self-loop", test_self_loop);
  g_test_add_func ("/core/model/takes-a-chain-of-100000", test_long_chain);
  g_test_add_func ("/core/model/takes-a-reversed-chain-of-100000", test_reversed_chain);
  g_test_add_func ("/core/model/resolves-names", test_names);
  g_test_add_func ("/core/model/hangs-parameters-on-their-layer", test_parameters);
  g_test_add_func ("/core/model/has-a-row-for-every-parent", test_parents_have_rows);
  g_test_add_func ("/core/model/keeps-names-of-any-length", test_names_of_any_length);
  g_test_add_func ("/core/model/refuses-sizes-that-are-none", test_sizes_that_are_none);
  g_test_add_func ("/core/model/keeps-what-few-values-have", test_rare_rows);
  g_test_add_func ("/core/model/forgets-its-origin-alone", test_forgotten_origin);
  g_test_add_func ("/core/model/lets-calls-grow-in-turns", test_calls_grow_in_turns);
  g_test_add_func ("/core/model/parts-types-in-a-row", test_types_in_a_row);
  return g_test_run ();
}
