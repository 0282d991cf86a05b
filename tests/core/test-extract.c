/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "core/sym-detach.h"
#include "core/sym-model-builder.h"

typedef struct {
  SymModel *model;
  SymId x, y, w, a, b, sum, noise, top;
} Fixture;

static SymId
add_call (SymModelBuilder *builder, const char *name, const SymId *operands, guint n)
{
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);

  return sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, name, layer, operands, n, 1), 0);
}

/* a = f(x, w), b = g(y), noise = r(), sum = a + b + noise, top = h(sum) */
static void
set_up (Fixture *self, gconstpointer data)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3));

  self->x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  self->y = sym_model_builder_add_value (builder, "y", SYM_ROLE_INPUT, &type);
  self->w = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, &type);
  self->a = add_call (builder, "a", (SymId[]){ self->x, self->w }, 2);
  self->b = add_call (builder, "b", &self->y, 1);
  self->noise = add_call (builder, "noise", NULL, 0);
  self->sum = add_call (builder, "sum", (SymId[]){ self->a, self->b, self->noise }, 3);
  self->top = add_call (builder, "top", &self->sum, 1);
  sym_model_builder_set_lack (builder, self->w, "its file is missing");
  sym_model_builder_add_output (builder, self->top);
  self->model = sym_model_builder_end (builder);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  sym_model_unref (self->model);
}

static void
test_own_inputs (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) selection =
      sym_selection_new (self->model, NULL, 0, &self->a, 1, NULL, &error);
  g_autoptr (SymModel) part = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_selection_get_inputs (selection).n, ==, 1);
  g_assert_true (sym_selection_has_value (selection, self->w));
  g_assert_false (sym_selection_has_value (selection, self->y));
  g_assert_cmpuint (sym_selection_get_n_values (selection), ==, 2);
  g_assert_cmpuint (sym_selection_get_n_calls (selection), ==, 1);

  part = sym_selection_extract (selection, NULL);
  g_assert_cmpuint (sym_model_get_n_calls (part), ==, 1);
  g_assert_cmpuint (sym_model_get_n_values (part), ==, 3);
  g_assert_cmpstr (sym_model_get_value_name (part, sym_model_get_outputs (part).ids[0]), ==, "a");
  g_assert_true (sym_model_get_parameter (part, 1) ==
                 sym_model_get_parameter (self->model, self->w));
}

static void
test_lacks (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) selection =
      sym_selection_new (self->model, NULL, 0, &self->a, 1, NULL, &error);
  g_autoptr (SymModel) detached = sym_model_detach (self->model);
  g_autoptr (SymModel) part = NULL;

  g_assert_no_error (error);
  part = sym_selection_extract (selection, NULL);
  g_assert_cmpstr (sym_model_get_lack (self->model, self->w), ==, "its file is missing");
  g_assert_null (sym_model_get_lack (self->model, self->x));
  g_assert_null (sym_model_get_lack (self->model, self->top));
  g_assert_true (sym_model_get_lack (part, 1) == sym_model_get_lack (self->model, self->w));
  g_assert_true (sym_model_get_lack (detached, self->w) ==
                 sym_model_get_lack (self->model, self->w));
}

static void
test_inner_input (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) selection =
      sym_selection_new (self->model, &self->sum, 1, &self->top, 1, NULL, &error);
  g_autoptr (SymModel) part = NULL;
  SymId input;

  g_assert_no_error (error);
  part = sym_selection_extract (selection, NULL);
  input = sym_model_get_inputs (part).ids[0];
  g_assert_cmpuint (sym_model_get_n_values (part), ==, 2);
  g_assert_cmpstr (sym_model_get_value_name (part, input), ==, "sum");
  g_assert_cmpint (sym_model_get_role (part, input), ==, SYM_ROLE_INPUT);
  g_assert_cmpuint (sym_model_get_producer (part, input), ==, SYM_NO_ID);
}

static void
test_foreign_parent (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) foreign = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymSelection *selection =
      sym_selection_new (self->model, &self->x, 1, &self->top, 1, foreign, &error);
  SymId both[2] = { self->x, self->b };
  g_autoptr (SymSelection) mended = NULL;

  g_assert_null (selection);
  g_assert_error (error, SYM_ERROR, SYM_ERROR_FOREIGN_PARENT);
  g_assert_nonnull (
      strstr (error->message, "depends on the output of a foreign node! Perhaps you"));
  g_assert_cmpuint (foreign->len, ==, 1);
  g_assert_cmpuint (g_array_index (foreign, SymId, 0), ==, self->b);

  mended = sym_selection_new (self->model, both, 2, &self->top, 1, NULL, NULL);
  g_assert_nonnull (mended);
  g_assert_true (sym_selection_has_value (mended, self->noise));
}

static void
test_around (Fixture *self, gconstpointer data)
{
  g_autoptr (SymSelection) alone = sym_selection_new_around (self->model, &self->a, 1, 0);
  g_autoptr (SymSelection) near = sym_selection_new_around (self->model, &self->a, 1, 1);
  g_autoptr (SymSelection) everything = sym_selection_new_around (self->model, &self->a, 1, 9);

  SymId two[] = { self->a, self->top };
  g_autoptr (SymSelection) both = sym_selection_new_around (self->model, two, 2, 0);
  g_autoptr (SymSelection) none = sym_selection_new_around (self->model, NULL, 0, 9);

  g_assert_cmpuint (sym_selection_get_n_values (none), ==, 0);
  g_assert_cmpuint (sym_selection_get_n_values (both), ==, 2);
  g_assert_true (sym_selection_has_value (both, self->top));
  g_assert_cmpuint (sym_selection_get_n_values (alone), ==, 1);
  g_assert_cmpuint (sym_selection_get_n_calls (alone), ==, 0);

  /* f and the sum; g and h are one layer further. */
  g_assert_cmpuint (sym_selection_get_n_calls (near), ==, 2);
  g_assert_true (sym_selection_has_value (near, self->w));
  g_assert_true (sym_selection_has_value (near, self->b));
  g_assert_false (sym_selection_has_value (near, self->top));
  g_assert_cmpuint (sym_selection_get_inputs (near).n, ==, 1);
  g_assert_cmpuint (sym_selection_get_outputs (near).n, ==, 0);

  g_assert_cmpuint (sym_selection_get_n_values (everything), ==, 7);
  g_assert_cmpuint (sym_selection_get_n_calls (everything), ==, 5);
}

static void
test_unreachable_output (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymSelection *selection = sym_selection_new (self->model, &self->x, 1, &self->b, 1, NULL, &error);

  g_assert_null (selection);
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "out of reach"));
}

/* P54, T-P23: a cycle is refused where it is in the way, and only there. */
static void
test_cycles (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
  SymId before = add_call (builder, "before", &x, 1);
  SymId loop = add_call (builder, "loop", &before, 1);
  SymId back = add_call (builder, "back", &loop, 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymSelection) good = NULL;
  g_autoptr (GError) error = NULL;

  sym_model_builder_append_operand (builder, 1, back);
  sym_model_builder_add_output (builder, back);
  model = sym_model_builder_end (builder);
  g_assert_true (sym_model_has_cycle (model));
  g_assert_null (sym_selection_new (model, &x, 1, &back, 1, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_CYCLE);
  g_assert_true (g_str_has_prefix (error->message, "Graph is not a DAG (directed acyclic graph)!"));
  g_clear_error (&error);
  good = sym_selection_new (model, &x, 1, &before, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_selection_get_n_calls (good), ==, 1);
}

static void
test_odd_requests (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) none = NULL, twice = NULL;
  SymId same[2] = { self->x, self->x };
  g_autoptr (SymSelection) identity =
      sym_selection_new (self->model, &self->x, 1, &self->x, 1, NULL, NULL);
  g_autoptr (SymSelection) unused =
      sym_selection_new (self->model, (SymId[]){ self->x, self->y }, 2, &self->a, 1, NULL, NULL);

  g_assert_null (sym_selection_new (self->model, NULL, 0, NULL, 0, NULL, &none));
  g_assert_error (none, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_null (sym_selection_new (self->model, same, 2, &self->a, 1, NULL, &twice));
  g_assert_error (twice, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_cmpuint (sym_selection_get_n_calls (identity), ==, 0);
  g_assert_cmpuint (sym_selection_get_inputs (unused).n, ==, 2);
}

static void
test_long_chain (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
  g_autoptr (SymSelection) selection = NULL;
  g_autoptr (SymModel) model = NULL, part = NULL;

  for (guint i = 0; i < 100000; i++)
    value = add_call (builder, "step", &value, 1);
  sym_model_builder_add_output (builder, value);
  model = sym_model_builder_end (builder);
  selection = sym_selection_new (model, NULL, 0, &value, 1, NULL, NULL);
  part = sym_selection_extract (selection, NULL);
  g_assert_cmpuint (sym_model_get_n_calls (part), ==, 100000);
}

#define ADD(path, function) \
  g_test_add ("/core/extract/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("takes-the-inputs-it-needs", test_own_inputs);
  ADD ("keeps-why-numbers-are-missing", test_lacks);
  ADD ("cuts-at-an-inner-value", test_inner_input);
  ADD ("names-the-foreign-parent", test_foreign_parent);
  ADD ("takes-what-is-near-a-value", test_around);
  ADD ("refuses-an-output-out-of-reach", test_unreachable_output);
  ADD ("minds-odd-requests", test_odd_requests);
  g_test_add_func ("/core/extract/refuses-cycles-in-its-way", test_cycles);
  g_test_add_func ("/core/extract/takes-a-chain-of-100000", test_long_chain);
  return g_test_run ();
}
