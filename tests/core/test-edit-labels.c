/* SPDX-License-Identifier: MIT */
#include "edit-fixture.h"

static void
test_attributes_can_be_set (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  const SymAttributes *attributes;
  gint64 units;

  g_assert_true (sym_edit_set_attribute (edit, self->fc1, "units", sym_value_new_int (20), NULL));
  g_assert_true (
      sym_edit_set_attribute (edit, self->fc2, "act", sym_value_new_string ("relu"), NULL));
  g_assert_true (sym_edit_set_attribute (edit, self->relu1, "units", NULL, NULL));
  model = sym_edit_end (g_steal_pointer (&edit));

  g_assert_true (sym_model_get_layer (model, self->fc1) == sym_model_get_layer (model, self->fc2));
  attributes = sym_layer_get_attributes (sym_model_get_layer (model, self->fc2));
  g_assert_cmpuint (sym_attributes_get_n (attributes), ==, 2);
  g_assert_true (sym_value_get_int (sym_attributes_find (attributes, "units"), &units));
  g_assert_cmpint (units, ==, 20);
  g_assert_null (sym_attributes_get_literal (attributes, 0));
  attributes = sym_layer_get_attributes (sym_model_get_layer (model, self->sum));
  g_assert_cmpuint (sym_attributes_get_n (attributes), ==, 0);
  g_assert_true (sym_model_get_layer (self->model, self->fc1) == self->dense);
  g_assert_true (model->topology == self->model->topology);
  g_assert_true (model->names == self->model->names);
  g_assert_true (model->layers != self->model->layers);
}

static void
test_attributes_of_the_wrong_kind_are_refused (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *name, *value;
    const char *message; /* NULL: accepted */
  } cases[] = {
    { "units", "'relu'", "“units” of Dense must be an integer, not 'relu'" },
    { "units", "None", "an integer" },
    { "units", "3", NULL },
    { "rate", "3", NULL },
    { "rate", "None", NULL },
    { "rate", "[3]", "a number" },
    { "flat", "True", NULL },
    { "flat", "2", "True or False" },
    { "pad", "(1, 2)", NULL },
    { "pad", "1", NULL },
    { "pad", "(1, 2.5)", "a list of integers" },
    { "scales", "[1, 2.5]", NULL },
    { "scales", "['a']", "a list of numbers" },
    { "act", "3", "a text" },
    { "dtype", "'float16'", NULL },
    { "dtype", "16", "a dtype" },
    { "__mood__", "{'a': 1}", NULL },
  };
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymValue *value = sym_value_parse (cases[i].value);

      g_test_message ("%s = %s", cases[i].name, cases[i].value);
      if (cases[i].message == NULL)
        g_assert_true (sym_edit_set_attribute (edit, self->fc1, cases[i].name, value, &error));
      else
        assert_refused (sym_edit_set_attribute (edit, self->fc1, cases[i].name, value, &error),
                        &error, SYM_ERROR_ARGUMENT, cases[i].message);
    }
  assert_refused (sym_edit_set_attribute (edit, self->fc1, "nothing", NULL, &error), &error,
                  SYM_ERROR_NOT_FOUND, "Dense has no attribute “nothing”");
  model = sym_edit_end (g_steal_pointer (&edit));
}

static void
test_values_and_calls_can_be_renamed (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_edit_rename_value (edit, self->data, "image", &error));
  g_assert_true (sym_edit_rename_call (edit, self->fc2, "head", &error));
  g_assert_true (sym_edit_rename_call (edit, self->fc1, "stem", &error));
  g_assert_true (sym_edit_rename_value (edit, self->sum_out, "total", &error));
  g_assert_true (sym_edit_rename_call (edit, self->sum, "add", &error));
  assert_refused (sym_edit_rename_value (edit, self->spare, "image", &error), &error,
                  SYM_ERROR_NAME, "“image” is the name of another value");
  assert_refused (sym_edit_rename_call (edit, self->relu1, "stem", &error), &error, SYM_ERROR_NAME,
                  "“stem” is the name of another layer");
  assert_refused (sym_edit_rename_value (edit, self->spare, "", &error), &error, SYM_ERROR_NAME,
                  "not empty");
  assert_refused (sym_edit_rename_value (edit, self->spare, "\xff", &error), &error, SYM_ERROR_NAME,
                  "UTF-8");
  g_assert_true (sym_edit_rename_value (edit, self->spare, "data", &error));
  g_assert_true (sym_edit_rename_value (edit, self->spare, "data", &error));
  model = sym_edit_end (g_steal_pointer (&edit));

  g_assert_cmpstr (sym_model_get_value_name (model, self->data), ==, "image");
  g_assert_cmpstr (sym_model_get_value_name (model, self->spare), ==, "data");
  g_assert_cmpstr (sym_model_get_value_name (model, self->fc1_out), ==, "stem");
  g_assert_cmpstr (sym_model_get_value_name (model, self->fc2_out), ==, "head_output");
  g_assert_cmpstr (sym_model_get_value_name (model, self->sum_out), ==, "total");
  g_assert_cmpstr (sym_model_get_value_name (self->model, self->data), ==, "data");
  g_assert_true (model->topology == self->model->topology);
  g_assert_true (model->types == self->model->types);
  g_assert_true (model->names != self->model->names);
}

/* As MXNet's reader makes them: the layer has the name of its call, the result that name as well.
 */
static void
test_mxnet_names_go_together (Fixture *self, gconstpointer data)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  SymId input = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, NULL);
  SymId call = add_call (builder, "fc1", self->dense, input, SYM_NO_ID);
  SymId two[] = { input, input };
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) edited = NULL;
  SymEdit *edit;
  SymId split, relu;

  sym_layer_set_name (self->dense, "fc1");
  sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, call, 0),
                                    "fc1_output");
  model = sym_model_builder_end (builder);
  edit = sym_edit_new (model);
  g_assert_true (sym_edit_rename_call (edit, call, "head", NULL));
  relu = sym_edit_insert_call (edit, "act", self->relu, two, 1, 1, NULL);
  split = sym_edit_insert_call (edit, "split", self->relu, two, 2, 2, NULL);
  edited = sym_edit_end (edit);

  g_assert_cmpstr (sym_layer_get_name (sym_model_get_layer (edited, call)), ==, "head");
  g_assert_cmpstr (sym_layer_get_name (sym_model_get_layer (model, call)), ==, "fc1");
  g_assert_cmpstr (sym_model_get_value_name (edited, sym_model_get_results (edited, call).ids[0]),
                   ==, "head_output");
  g_assert_cmpstr (sym_model_get_value_name (edited, sym_model_get_results (edited, relu).ids[0]),
                   ==, "act_output");
  g_assert_cmpstr (sym_model_get_value_name (edited, sym_model_get_results (edited, split).ids[1]),
                   ==, "split_output1");
}

static void
test_variables_can_be_set (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_edit_set_variable (edit, self->data, "x", &error));
  g_assert_true (sym_edit_set_variable (edit, self->spare, "x", &error));
  g_assert_true (sym_edit_set_variable (edit, self->spare, NULL, &error));
  assert_refused (sym_edit_set_variable (edit, self->data, "", &error), &error, SYM_ERROR_NAME,
                  "not empty");
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpstr (sym_model_get_variable (model, self->data), ==, "x");
  g_assert_null (sym_model_get_variable (model, self->spare));
}

static void
test_types_can_be_set (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  SymDim batch = sym_terms_get_named (sym_edit_get_terms (edit), "batch");
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT16, SYM_SHAPE (batch, 3));
  SymType pair = { .kind = SYM_KIND_TUPLE, .n_elements = 1, .shape = SYM_SHAPE_UNKNOWN };
  g_autofree char *text = NULL;

  g_assert_true (sym_edit_set_type (edit, self->data, &type, &error));
  type.shape.dims[1] = -1;
  assert_refused (sym_edit_set_type (edit, self->data, &type, &error), &error, SYM_ERROR_ARGUMENT,
                  "Dimension 1 of the type of “data” is -1; it must be 0 or more");
  pair.elements = &type;
  assert_refused (sym_edit_set_type (edit, self->data, &pair, &error), &error, SYM_ERROR_ARGUMENT,
                  "is -1");
  model = sym_edit_end (g_steal_pointer (&edit));
  type = sym_model_get_declared_type (model, self->data);
  text = sym_terms_format (sym_model_get_terms (model), type.shape.dims[0]);
  g_assert_cmpstr (text, ==, "batch");
  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_FLOAT16);
  type = sym_model_get_declared_type (self->model, self->data);
  g_assert_cmpint (type.shape.dims[0], ==, 1);
  g_assert_true (model->names == self->model->names);
  g_assert_true (model->topology == self->model->topology);
}

static void
test_inputs_and_outputs_can_be_set (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const SymId twice[] = { self->data, self->data };
  const SymId inputs[] = { self->weight, self->data };
  const SymId outputs[] = { self->sum_out, self->fc1_out, self->sum_out };

  assert_refused (sym_edit_set_inputs (edit, &self->fc1_out, 1, &error), &error, SYM_ERROR_ARGUMENT,
                  "“fc1” cannot be an input: “fc1” makes it");
  assert_refused (sym_edit_set_inputs (edit, twice, 2, &error), &error, SYM_ERROR_ARGUMENT,
                  "“data” is an input twice");
  assert_refused (sym_edit_set_outputs (edit, NULL, 0, &error), &error, SYM_ERROR_ARGUMENT,
                  "at least one output");
  g_assert_true (sym_edit_set_inputs (edit, inputs, 2, &error));
  g_assert_true (sym_edit_set_outputs (edit, outputs, 3, &error));
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpint (sym_model_get_role (model, self->weight), ==, SYM_ROLE_INPUT);
  g_assert_cmpuint (sym_model_get_inputs (model).ids[0], ==, self->weight);
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 3);
  g_assert_cmpuint (sym_model_get_outputs (model).ids[1], ==, self->fc1_out);
  g_assert_true (model->names == self->model->names);
}

/* P59 */
static void
test_outputs_can_be_added (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  SymId call;

  assert_refused (sym_edit_add_output (edit, self->data, &error), &error, SYM_ERROR_ARGUMENT,
                  "Node is an input of this SymbolicModel!");
  assert_refused (sym_edit_add_output (edit, self->weight, &error), &error, SYM_ERROR_ARGUMENT,
                  "Node is out of reach for this SymbolicModel!");
  assert_refused (sym_edit_add_output (edit, 99, &error), &error, SYM_ERROR_ARGUMENT,
                  "Node is out of reach for this SymbolicModel!");
  g_assert_true (sym_edit_add_output (edit, self->fc1_out, &error));
  g_assert_true (sym_edit_add_output (edit, self->fc1_out, &error));
  call = sym_edit_insert_call (edit, "x", self->relu, &self->spare, 1, 1, NULL);
  g_assert_true (sym_edit_set_inputs (edit, &self->data, 1, &error));
  assert_refused (sym_edit_add_output (edit, sym_edit_get_result (edit, call, 0), &error), &error,
                  SYM_ERROR_ARGUMENT, "out of reach");
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 4);
  g_assert_cmpuint (sym_model_get_outputs (model).ids[3], ==, self->fc1_out);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/core/edit-labels/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("attributes-can-be-set", test_attributes_can_be_set);
  ADD ("attributes-of-the-wrong-kind-are-refused", test_attributes_of_the_wrong_kind_are_refused);
  ADD ("values-and-calls-can-be-renamed", test_values_and_calls_can_be_renamed);
  ADD ("mxnet-names-go-together", test_mxnet_names_go_together);
  ADD ("variables-can-be-set", test_variables_can_be_set);
  ADD ("types-can-be-set", test_types_can_be_set);
  ADD ("inputs-and-outputs-can-be-set", test_inputs_and_outputs_can_be_set);
  ADD ("outputs-can-be-added", test_outputs_can_be_added);
#undef ADD
  return g_test_run ();
}
