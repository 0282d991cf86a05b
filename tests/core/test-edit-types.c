/* SPDX-License-Identifier: MIT */
#include "edit-fixture.h"

static SymInference *
infer_with (SymModel *model, SymId value, const char *const *names, int rank)
{
  SymOverride override = {
    .value = value, .has_shape = TRUE, .shape = sym_shape_new_unknown (rank), .names = names
  };
  g_autoptr (GError) error = NULL;
  SymInference *inference = sym_infer (model, &override, 1, NULL, &error);

  g_assert_no_error (error);
  return inference;
}

static SymModel *
take_types (SymModel *model, const SymInference *inference, SymId value)
{
  g_autoptr (SymEdit) edit = sym_edit_new (model);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_edit_take_types (edit, inference, &value, 1, &error));
  g_assert_no_error (error);
  return sym_edit_end (g_steal_pointer (&edit));
}

static void
assert_shape (SymModel *model, SymId value, const char *expected)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *text = sym_inference_format_shape (inference, &type.shape, ",");

  g_assert_cmpstr (text, ==, expected);
}

static void
test_given_shapes_are_declared (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "7", "batch" };
  g_autoptr (SymInference) inference = infer_with (self->model, self->data, names, 2);
  g_autoptr (SymModel) model = take_types (self->model, inference, self->data);

  assert_shape (self->model, self->data, "1,10");
  assert_shape (model, self->data, "7,batch");
}

/* A name is one dimension wherever it stands. */
static void
test_names_stay_the_same (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "batch", "2*batch" };
  g_autoptr (SymInference) inference = infer_with (self->model, self->data, names, 2);
  g_autoptr (SymModel) model = take_types (self->model, inference, self->data);
  SymType type = sym_model_get_declared_type (model, self->data);
  gint64 constant, coefficient;
  SymDim variable;

  assert_shape (model, self->data, "batch,2*batch");
  g_assert_cmpuint (sym_terms_get_form (sym_model_get_terms (model), type.shape.dims[1], &constant,
                                        &variable, &coefficient, 1),
                    ==, 1);
  g_assert_true (variable == type.shape.dims[0]);
  g_assert_cmpint (coefficient, ==, 2);
}

/* What was declared of values in the middle is not kept when it is true no longer. */
static void
test_old_declarations_give_way (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "7", "10" };
  SymType old = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 10));
  SymEdit *edit = sym_edit_new (self->model);

  g_assert_true (sym_edit_set_type (edit, self->fc1_out, &old, NULL));
  g_autoptr (SymModel) declared = sym_edit_end (edit);
  g_autoptr (SymInference) inference = infer_with (declared, self->data, names, 2);
  g_autoptr (SymModel) model = take_types (declared, inference, self->data);
  SymType type = sym_model_get_declared_type (model, self->fc1_out);

  g_assert_true (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0 || type.shape.dims[0] != 1);
  assert_shape (model, self->data, "7,10");
}

static SymModel *
declare (Fixture *self, SymId value, const char *first, gint64 second)
{
  SymEdit *edit = sym_edit_new (self->model);
  SymDim name = sym_terms_get_named (sym_edit_get_terms (edit), first);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (name, second));

  g_assert_true (sym_edit_set_type (edit, self->data, &type, NULL));
  type.shape.dims[1] = 20;
  g_assert_true (sym_edit_set_type (edit, value, &type, NULL));
  return sym_edit_end (edit);
}

/* A name in place of another is what the dimension is called wherever it is declared. */
static void
test_new_name_is_declared_everywhere (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "n", "10" };
  g_autoptr (SymModel) declared = declare (self, self->fc1_out, "batch", 10);
  g_autoptr (SymInference) inference = infer_with (declared, self->data, names, 2);
  g_autoptr (SymModel) model = take_types (declared, inference, self->data);
  SymType type = sym_model_get_declared_type (model, self->fc1_out);
  g_autofree char *text = sym_terms_format (sym_model_get_terms (model), type.shape.dims[0]);

  g_assert_cmpstr (text, ==, "n");
  assert_shape (model, self->data, "n,10");
  assert_shape (declared, self->data, "batch,10");
}

/* So are two that are given the same one. */
static void
test_one_name_for_two_is_declared_everywhere (Fixture *self, gconstpointer data)
{
  SymEdit *edit = sym_edit_new (self->model);
  SymTerms *terms = sym_edit_get_terms (edit);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (0, 10));
  const SymId values[] = { self->data, self->spare, self->fc1_out, self->fc2_out };
  static const char *const names[] = { "n", "10" };
  SymOverride overrides[2];

  for (guint i = 0; i < 4; i++)
    {
      type.shape.dims[0] = sym_terms_get_named (terms, i % 2 == 0 ? "batch" : "m");
      g_assert_true (sym_edit_set_type (edit, values[i], &type, NULL));
    }
  for (guint i = 0; i < 2; i++)
    overrides[i] = (SymOverride){
      .value = values[i], .has_shape = TRUE, .shape = { .rank = 2 }, .names = names
    };
  g_autoptr (SymModel) declared = sym_edit_end (edit);
  g_autoptr (SymInference) inference = sym_infer (declared, overrides, 2, NULL, NULL);
  g_autoptr (SymModel) model = take_types (declared, inference, self->data);

  for (guint i = 0; i < 4; i++)
    {
      type = sym_model_get_declared_type (model, values[i]);
      g_autofree char *text = sym_terms_format (sym_model_get_terms (model), type.shape.dims[0]);

      g_assert_cmpstr (text, ==, "n");
    }
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/core/edit-types/given-shapes-are-declared", test_given_shapes_are_declared);
  ADD ("/core/edit-types/names-stay-the-same", test_names_stay_the_same);
  ADD ("/core/edit-types/old-declarations-give-way", test_old_declarations_give_way);
  ADD ("/core/edit-types/new-name-is-declared-everywhere", test_new_name_is_declared_everywhere);
  ADD ("/core/edit-types/one-name-for-two-is-declared-everywhere",
       test_one_name_for_two_is_declared_everywhere);
  return g_test_run ();
}
