/* SPDX-License-Identifier: MIT */
#include "edit-fixture.h"

static char *
list_entries (const SymModel *model)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : " ",
                              entry.is_call ? sym_model_get_call_name (model, entry.id)
                                            : sym_model_get_value_name (model, entry.id));
    }
  return g_string_free (text, FALSE);
}

static void
assert_entries (const SymModel *model, const char *expected)
{
  g_autofree char *entries = list_entries (model);

  g_assert_cmpstr (entries, ==, expected);
}

static void
test_doing_nothing_shares_everything (Fixture *self, gconstpointer data)
{
  g_autoptr (SymModel) model = sym_edit_end (sym_edit_new (self->model));

  g_assert_true (model != self->model);
  g_assert_true (model->topology == self->model->topology);
  g_assert_true (model->names == self->model->names);
  g_assert_true (model->layers == self->model->layers);
  g_assert_true (model->types == self->model->types);
  g_assert_true (model->data == self->model->data);
  g_assert_true (model->lines == self->model->lines);
}

static void
test_inserts_between_a_value_and_its_users (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  SymId call = sym_edit_insert_call (edit, "drop", self->relu, &self->relu1_out, 1, 1, NULL);
  SymId result = sym_edit_get_result (edit, call, 0);

  g_assert_true (sym_edit_replace_uses (edit, self->relu1_out, result, NULL));
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpuint (sym_model_get_operands (model, call).ids[0], ==, self->relu1_out);
  g_assert_cmpuint (sym_model_get_operands (model, self->fc2).ids[0], ==, result);
  g_assert_cmpuint (sym_model_get_operands (model, self->sum).ids[0], ==, result);
  g_assert_cmpuint (sym_model_get_operands (model, self->sum).ids[1], ==, result);
  g_assert_cmpuint (sym_model_get_consumers (model, self->relu1_out).n, ==, 1);
  g_assert_cmpuint (sym_model_get_consumers (model, result).n, ==, 3);
  g_assert_false (sym_model_has_cycle (model));
  assert_entries (model, "data spare weight fc1 relu1 drop fc2 sum");
  assert_entries (self->model, "data spare weight fc1 relu1 fc2 sum");
  g_assert_cmpuint (sym_model_get_operands (self->model, self->fc2).ids[0], ==, self->relu1_out);
}

static void
test_replacing_an_output_replaces_it (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;

  g_assert_true (sym_edit_replace_uses (edit, self->fc2_out, self->sum_out, NULL));
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 2);
  g_assert_cmpuint (sym_model_get_outputs (model).ids[0], ==, self->sum_out);
  g_assert_false (sym_model_is_live (model, self->fc2_out));
}

/* An early value by a late one: the calls in between stay, and no loop closes. */
static void
test_what_makes_the_new_value_keeps_the_old (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;

  g_assert_true (sym_edit_replace_uses (edit, self->fc1_out, self->fc2_out, NULL));
  g_assert_true (sym_edit_replace_uses (edit, self->relu1_out, self->fc2_out, NULL));
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpuint (sym_model_get_operands (model, self->relu1).ids[0], ==, self->fc1_out);
  g_assert_cmpuint (sym_model_get_operands (model, self->fc2).ids[0], ==, self->relu1_out);
  g_assert_cmpuint (sym_model_get_operands (model, self->sum).ids[0], ==, self->fc2_out);
  g_assert_false (sym_model_has_cycle (model));
}

static void
test_new_values_come_before_their_first_use (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  SymId alpha = sym_edit_insert_value (edit, "alpha", SYM_ROLE_PARAMETER, NULL);
  SymId beta = sym_edit_insert_value (edit, "beta", SYM_ROLE_PARAMETER, NULL);
  SymId last = sym_edit_insert_value (edit, "last", SYM_ROLE_INPUT, NULL);
  const SymId operands[] = { self->fc1_out, alpha };
  SymId call = sym_edit_insert_call (edit, "scale", self->relu, operands, 2, 1, NULL);
  SymId result = sym_edit_get_result (edit, call, 0);
  SymId next = sym_edit_insert_call (edit, "next", self->relu, &result, 1, 0, NULL);
  SymId lone = sym_edit_insert_call (edit, NULL, self->relu, &alpha, 1, 1, NULL);

  g_assert_true (sym_edit_set_operand (edit, self->fc2, 1, beta, NULL));
  model = sym_edit_end (g_steal_pointer (&edit));
  assert_entries (model, "data spare weight fc1 alpha scale next relu1 beta fc2 sum last relu");
  g_assert_cmpuint (next, >, call);
  g_assert_cmpuint (lone, >, next);
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 3);
  g_assert_cmpuint (sym_model_get_inputs (model).ids[2], ==, last);
  g_assert_nonnull (sym_model_get_parameter (model, alpha));
  g_assert_null (sym_model_get_parameter (model, last));
}

static void
test_made_up_names_differ (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  SymId calls[3];

  for (guint i = 0; i < 3; i++)
    calls[i] = sym_edit_insert_call (edit, NULL, self->relu, &self->data, 1, 1, NULL);
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpstr (sym_model_get_call_name (model, calls[0]), ==, "relu");
  g_assert_cmpstr (sym_model_get_call_name (model, calls[1]), ==, "relu2"); /* relu1 is taken */
  g_assert_cmpstr (sym_model_get_call_name (model, calls[2]), ==, "relu3");
  assert_entries (model, "data relu relu2 relu3 spare weight fc1 relu1 fc2 sum");
}

static void
test_erases_what_nothing_uses (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;

  assert_refused (sym_edit_erase_call (edit, self->relu1, &error), &error, SYM_ERROR_ARGUMENT,
                  "“relu1” cannot be erased: “fc2” still uses it");
  assert_refused (sym_edit_erase_call (edit, self->fc2, &error), &error, SYM_ERROR_ARGUMENT,
                  "“fc2_output” cannot be erased: it is an output of the model");
  assert_refused (sym_edit_erase_value (edit, self->fc1_out, &error), &error, SYM_ERROR_ARGUMENT,
                  "“fc1” makes it");
  assert_refused (sym_edit_erase_value (edit, self->weight, &error), &error, SYM_ERROR_ARGUMENT,
                  "“fc1” still uses it");
  g_assert_true (sym_edit_set_outputs (edit, &self->sum_out, 1, NULL));
  g_assert_true (sym_edit_erase_call (edit, self->fc2, &error));
  g_assert_true (sym_edit_erase_value (edit, self->spare, &error));
  assert_refused (sym_edit_erase_call (edit, self->fc2, &error), &error, SYM_ERROR_NOT_FOUND,
                  "there is no call with id");
  assert_refused (sym_edit_replace_uses (edit, self->data, self->fc2_out, &error), &error,
                  SYM_ERROR_NOT_FOUND, "there is no value with id");
  model = sym_edit_end (g_steal_pointer (&edit));
  assert_entries (model, "data weight fc1 relu1 sum");
  g_assert_false (sym_model_has_call (model, self->fc2));
  g_assert_false (sym_model_has_value (model, self->fc2_out));
  g_assert_false (sym_model_has_value (model, self->spare));
  g_assert_true (sym_model_has_call (self->model, self->fc2));
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 4);
  g_assert_cmpuint (sym_model_get_consumers (model, self->weight).n, ==, 1);
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 1);
}

static void
test_an_erased_model_can_be_edited_again (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) first = NULL;
  g_autoptr (SymModel) second = NULL;
  g_autoptr (GError) error = NULL;
  SymId call;

  g_assert_true (sym_edit_set_outputs (edit, &self->fc2_out, 1, NULL));
  g_assert_true (sym_edit_erase_call (edit, self->sum, NULL));
  first = sym_edit_end (g_steal_pointer (&edit));

  edit = sym_edit_new (first);
  assert_refused (sym_edit_rename_call (edit, self->sum, "x", &error), &error, SYM_ERROR_NOT_FOUND,
                  "no call");
  call = sym_edit_insert_call (edit, "sum", self->relu, &self->relu1_out, 1, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (call, ==, 4);
  second = sym_edit_end (g_steal_pointer (&edit));
  assert_entries (second, "data spare weight fc1 relu1 sum fc2");
  g_assert_false (sym_model_has_call (second, self->sum));
}

static void
test_a_call_that_others_wait_for_stays (Fixture *self, gconstpointer data)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId first = sym_model_builder_add_call (builder, "first", self->relu, NULL, 0, 0);
  SymId second = sym_model_builder_add_call (builder, "second", self->relu, NULL, 0, 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  sym_model_builder_add_control (builder, second, first);
  model = sym_model_builder_end (builder);
  edit = sym_edit_new (model);
  assert_refused (sym_edit_erase_call (edit, first, &error), &error, SYM_ERROR_ARGUMENT,
                  "“second” has to run after it");
  g_assert_true (sym_edit_erase_call (edit, second, &error));
  g_assert_true (sym_edit_erase_call (edit, first, &error));
}

static void
test_operands_can_be_set (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_edit_set_operand (edit, self->sum, 1, self->fc2_out, &error));
  g_assert_true (sym_edit_set_operand (edit, self->fc2, 1, SYM_NO_ID, &error));
  assert_refused (sym_edit_set_operand (edit, self->sum, 2, self->data, &error), &error,
                  SYM_ERROR_ARGUMENT, "“sum” has no operand 2; it has 2, counted from 0");
  assert_refused (sym_edit_set_operand (edit, self->sum, 0, 99, &error), &error,
                  SYM_ERROR_NOT_FOUND, "no value with id 99");
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_cmpuint (sym_model_get_operands (model, self->sum).ids[1], ==, self->fc2_out);
  g_assert_cmpuint (sym_model_get_operands (model, self->fc2).ids[1], ==, SYM_NO_ID);
  g_assert_cmpuint (sym_model_get_consumers (model, self->weight).n, ==, 1);
}

static void
test_a_call_can_be_set (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const SymId operands[] = { self->data, SYM_NO_ID, self->fc1_out };

  assert_refused (sym_edit_set_call (edit, self->fc1, self->relu, operands, 3, &error), &error,
                  SYM_ERROR_CYCLE, "“fc1” cannot use “fc1”");
  g_assert_true (sym_edit_set_call (edit, self->sum, self->relu, operands, 3, &error));
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_true (sym_model_get_layer (model, self->sum) == self->relu);
  g_assert_cmpuint (sym_model_get_operands (model, self->sum).n, ==, 3);
  g_assert_cmpuint (sym_model_get_operands (model, self->sum).ids[2], ==, self->fc1_out);
  g_assert_true (sym_model_get_layer (model, self->fc1) == self->dense);
}

static void
test_a_cycle_is_refused (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (GError) error = NULL;
  SymId call = sym_edit_insert_call (edit, "late", self->relu, &self->fc2_out, 1, 1, NULL);
  SymId late = sym_edit_get_result (edit, call, 0);

  assert_refused (sym_edit_set_operand (edit, self->fc1, 0, self->fc1_out, &error), &error,
                  SYM_ERROR_CYCLE, "“fc1” cannot use “fc1”");
  assert_refused (sym_edit_set_operand (edit, self->fc1, 0, late, &error), &error, SYM_ERROR_CYCLE,
                  "“fc1” cannot use “late”");
  /* Against the file order, but no cycle: fc1 may use the sum once that no longer uses fc1. */
  g_assert_true (sym_edit_set_operand (edit, self->sum, 0, self->data, &error));
  g_assert_true (sym_edit_set_operand (edit, self->sum, 1, self->data, &error));
  g_assert_true (sym_edit_set_operand (edit, self->fc1, 0, self->sum_out, &error));
  assert_refused (sym_edit_set_operand (edit, self->sum, 0, late, &error), &error, SYM_ERROR_CYCLE,
                  "“sum” cannot use “late”");
}

static void
test_calls_can_be_moved (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_edit_move_call (edit, self->sum, self->fc2, &error));
  sym_edit_insert_call (edit, "x", self->relu, &self->relu1_out, 1, 1, NULL);
  g_assert_true (sym_edit_move_call (edit, self->fc2, self->sum, &error));
  g_assert_true (sym_edit_move_call (edit, self->fc2, self->fc2, &error));
  assert_refused (sym_edit_move_call (edit, 99, self->fc2, &error), &error, SYM_ERROR_NOT_FOUND,
                  "no call");
  model = sym_edit_end (g_steal_pointer (&edit));
  assert_entries (model, "data spare weight fc1 relu1 x fc2 sum");
}

static void
test_inserting_refuses_what_is_not_there (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const SymId operands[] = { self->data, 99 };

  assert_refused (sym_edit_insert_call (edit, "x", self->relu, operands, 2, 1, &error) != SYM_NO_ID,
                  &error, SYM_ERROR_NOT_FOUND, "no value with id 99");
  assert_refused (sym_edit_insert_call (edit, "fc1", self->relu, operands, 1, 1, &error) !=
                      SYM_NO_ID,
                  &error, SYM_ERROR_NAME, "“fc1” is the name of another layer");
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_true (model->topology == self->model->topology);
  g_assert_true (model->layers == self->model->layers);
}

static void
test_an_empty_model_can_grow (void)
{
  g_autoptr (SymModel) empty = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (SymEdit) edit = sym_edit_new (empty);
  g_autoptr (SymLayer) relu = sym_layer_new ("ReLU", NULL, NULL);
  g_autoptr (SymModel) model = NULL;
  SymId input = sym_edit_insert_value (edit, "x", SYM_ROLE_INPUT, NULL);
  SymId call = sym_edit_insert_call (edit, NULL, relu, &input, 1, 1, NULL);

  g_assert_true (sym_edit_add_output (edit, sym_edit_get_result (edit, call, 0), NULL));
  model = sym_edit_end (g_steal_pointer (&edit));
  assert_entries (model, "x relu");
  g_assert_true (sym_model_is_live (model, input));
}

#define N_LAYERS 100000

static SymModel *
make_chain (SymLayer *layer)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);

  for (guint i = 0; i < N_LAYERS; i++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u", i);

      value = sym_model_builder_get_result (
          builder, sym_model_builder_add_call (builder, name, layer, &value, 1, 1), 0);
    }
  sym_model_builder_add_output (builder, value);
  return sym_model_builder_end (builder);
}

/* A model counts its calls that have bodies. */
static void
test_bodies_come_with_their_layers (Fixture *self, gconstpointer data)
{
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymLayer) nested = make_layer ("Dense", &dense_operator);
  g_autoptr (SymModel) model = NULL, other = NULL;
  SymId call;

  sym_layer_add_body (nested, "body", self->model, FALSE);
  call = sym_edit_insert_call (edit, NULL, nested, &self->data, 1, 1, NULL);
  model = sym_edit_end (g_steal_pointer (&edit));
  g_assert_false (sym_model_has_bodies (self->model, self->fc1));
  g_assert_true (sym_model_has_bodies (model, call));
  g_assert_false (sym_model_has_bodies (model, self->fc1));

  edit = sym_edit_new (model);
  g_assert_true (sym_edit_set_attribute (edit, call, "units", sym_value_new_int (20), NULL));
  other = sym_edit_end (g_steal_pointer (&edit));
  g_assert_true (sym_model_has_bodies (other, call));
  g_assert_cmpuint (other->layers->n_nested, ==, 1);
}

/* Puts a layer after every second one, rewires, renames, sets an attribute and erases, all over. */
static void
test_a_chain_of_100000_is_edited_in_linear_time (void)
{
  g_autoptr (SymLayer) relu = sym_layer_new ("ReLU", NULL, NULL);
  g_autoptr (SymModel) chain = make_chain (relu);
  g_autoptr (SymEdit) edit = sym_edit_new (chain);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GTimer) timer = g_timer_new ();

  for (SymId call = 0; call < N_LAYERS; call += 2)
    {
      SymId value = sym_edit_get_result (edit, call, 0);
      SymId inserted = sym_edit_insert_call (edit, NULL, relu, &value, 1, 1, NULL);

      g_assert_true (
          sym_edit_replace_uses (edit, value, sym_edit_get_result (edit, inserted, 0), NULL));
    }
  for (SymId call = 1; call < N_LAYERS; call += 2)
    {
      SymId operand = sym_model_get_operands (chain, call).ids[0];
      g_autofree char *name = g_strdup_printf ("renamed%u", call);

      g_assert_true (sym_edit_rename_call (edit, call - 1, name, NULL));
      g_assert_true (sym_edit_set_operand (edit, call, 0, operand, NULL));
    }
  for (SymId call = N_LAYERS; call < N_LAYERS + N_LAYERS / 2; call++)
    g_assert_true (sym_edit_erase_call (edit, call, NULL));
  model = sym_edit_end (g_steal_pointer (&edit));

  g_assert_cmpuint (sym_model_get_n_entries (model), ==, N_LAYERS + 1);
  g_assert_cmpuint (sym_model_get_depth (model, sym_model_get_outputs (model).ids[0]), ==,
                    N_LAYERS);
  g_assert_cmpstr (sym_model_get_call_name (model, 0), ==, "renamed1");
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 20.0); /* quadratic would take minutes */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/core/edit/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("doing-nothing-shares-everything", test_doing_nothing_shares_everything);
  ADD ("inserts-between-a-value-and-its-users", test_inserts_between_a_value_and_its_users);
  ADD ("bodies-come-with-their-layers", test_bodies_come_with_their_layers);
  ADD ("replacing-an-output-replaces-it", test_replacing_an_output_replaces_it);
  ADD ("what-makes-the-new-value-keeps-the-old", test_what_makes_the_new_value_keeps_the_old);
  ADD ("new-values-come-before-their-first-use", test_new_values_come_before_their_first_use);
  ADD ("made-up-names-differ", test_made_up_names_differ);
  ADD ("erases-what-nothing-uses", test_erases_what_nothing_uses);
  ADD ("an-erased-model-can-be-edited-again", test_an_erased_model_can_be_edited_again);
  ADD ("a-call-that-others-wait-for-stays", test_a_call_that_others_wait_for_stays);
  ADD ("operands-can-be-set", test_operands_can_be_set);
  ADD ("a-call-can-be-set", test_a_call_can_be_set);
  ADD ("a-cycle-is-refused", test_a_cycle_is_refused);
  ADD ("calls-can-be-moved", test_calls_can_be_moved);
  ADD ("inserting-refuses-what-is-not-there", test_inserting_refuses_what_is_not_there);
#undef ADD
  g_test_add_func ("/core/edit/an-empty-model-can-grow", test_an_empty_model_can_grow);
  g_test_add_func ("/core/edit/a-chain-of-100000-is-edited-in-linear-time",
                   test_a_chain_of_100000_is_edited_in_linear_time);
  return g_test_run ();
}
