/* SPDX-License-Identifier: MIT */
#include "core/sym-edit.h"
#include "core/sym-extract.h"
#include "core/sym-model-builder.h"

#include <string.h>

/* What holds for every model, on random ones: duplicates, empty slots, dead parts, and cycles where
 * they are asked for. */
#define N_ROUNDS 300

typedef struct {
  SymLayer *layers[3];
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  static const char *const types[] = { "Conv", "ReLU", "Add" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    self->layers[i] = sym_layer_new (types[i], NULL, NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->layers); i++)
    sym_layer_unref (self->layers[i]);
}

static guint
pick (guint n)
{
  return (guint) g_test_rand_int_range (0, (gint32) n);
}

static SymId
pick_operand (SymModelBuilder *builder)
{
  guint n = sym_model_builder_get_n_values (builder);

  return n == 0 || pick (20) == 0 ? SYM_NO_ID : n - 1 - pick (MIN (n, 12));
}

static SymId
add_random_call (Fixture *self, SymModelBuilder *builder, guint i)
{
  g_autofree char *name = g_strdup_printf ("call%u", i);
  SymId operands[4];
  guint n = pick (5);

  for (guint k = 0; k < n; k++)
    operands[k] = pick_operand (builder);
  return sym_model_builder_add_call (builder, name, self->layers[pick (3)], operands, n, pick (3));
}

static SymModel *
make_model (Fixture *self, gboolean may_be_cyclic)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  guint n_entries = pick (40);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < n_entries; i++)
    if (pick (4) == 0)
      {
        g_autofree char *name = g_strdup_printf ("value%u", i);

        sym_model_builder_add_value (builder, name, (SymRole) pick (SYM_ROLE_CONSTANT + 1), NULL);
      }
    else
      {
        SymId call = add_random_call (self, builder, i);

        if (calls->len > 0 && pick (8) == 0)
          sym_model_builder_add_control (builder, call,
                                         g_array_index (calls, SymId, pick (calls->len)));
        g_array_append_val (calls, call);
      }
  for (guint i = 0; may_be_cyclic && i < calls->len; i++)
    if (pick (4) == 0 && sym_model_builder_get_n_values (builder) > 0)
      sym_model_builder_append_operand (builder, g_array_index (calls, SymId, i),
                                        pick (sym_model_builder_get_n_values (builder)));
  for (guint i = 0; i < 2 && sym_model_builder_get_n_values (builder) > 0; i++)
    sym_model_builder_add_output (builder, pick (sym_model_builder_get_n_values (builder)));
  return sym_model_builder_end (builder);
}

/* ---- Properties ---- */

static void
assert_entries_are_complete (const SymModel *model)
{
  g_autofree guint8 *calls = g_new0 (guint8, sym_model_get_n_calls (model) + 1);
  g_autofree guint8 *values = g_new0 (guint8, sym_model_get_n_values (model) + 1);

  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);

      if (entry.is_call)
        calls[entry.id]++;
      else
        values[entry.id]++;
    }
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    g_assert_cmpuint (calls[call], ==, sym_model_has_call (model, call) ? 1 : 0);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    g_assert_cmpuint (values[value], ==,
                      sym_model_has_value (model, value) &&
                              sym_model_get_producer (model, value) == SYM_NO_ID
                          ? 1
                          : 0);
}

static void
assert_results_know_their_call (const SymModel *model)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymIds results = sym_model_get_results (model, call);

      for (guint i = 0; i < results.n; i++)
        {
          g_assert_cmpuint (sym_model_get_producer (model, results.ids[i]), ==, call);
          g_assert_cmpuint (sym_model_get_output_index (model, results.ids[i]), ==, i);
        }
    }
}

static void
assert_consumers_mirror_operands (const SymModel *model)
{
  g_autofree int *uses = g_new0 (int, sym_model_get_n_values (model) + 1);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymIds operands = sym_model_get_operands (model, call);

      for (guint i = 0; i < operands.n; i++)
        if (operands.ids[i] != SYM_NO_ID)
          uses[operands.ids[i]]++;
    }
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymIds consumers = sym_model_get_consumers (model, value);

      g_assert_cmpint (consumers.n, ==, uses[value]);
      for (guint i = 0; i < consumers.n; i++)
        {
          SymIds operands = sym_model_get_operands (model, consumers.ids[i]);
          gboolean is_there = FALSE;

          for (guint k = 0; k < operands.n; k++)
            is_there = is_there || operands.ids[k] == value;
          g_assert_true (is_there);
        }
    }
}

/* Every call once, behind all that it waits for but back edges; and its results one deeper than the
 * deepest of its parents. */
static void
assert_order_is_an_execution (const SymModel *model)
{
  SymIds order = sym_model_get_execution_order (model);
  g_autofree guint *places = g_new0 (guint, sym_model_get_n_calls (model) + 1);

  for (guint i = 0; i < order.n; i++)
    {
      g_assert_cmpuint (places[order.ids[i]], ==, 0);
      places[order.ids[i]] = i + 1;
    }
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymIds operands = sym_model_get_operands (model, call);
      SymIds results = sym_model_get_results (model, call);
      guint depth = 0;

      g_assert_true ((places[call] > 0) == sym_model_has_call (model, call));
      for (guint i = 0; i < operands.n; i++)
        {
          SymId producer = operands.ids[i] == SYM_NO_ID
                               ? SYM_NO_ID
                               : sym_model_get_producer (model, operands.ids[i]);

          if (sym_model_is_back_edge (model, call, i))
            {
              g_assert_true (sym_model_has_cycle (model));
              continue;
            }
          if (producer != SYM_NO_ID && !sym_model_has_cycle (model))
            g_assert_cmpuint (places[producer], <, places[call]);
          if (operands.ids[i] != SYM_NO_ID &&
              sym_role_is_data (sym_model_get_role (model, operands.ids[i])))
            depth = MAX (depth, sym_model_get_depth (model, operands.ids[i]) + 1);
        }
      for (guint i = 0; i < results.n && !sym_model_has_cycle (model); i++)
        g_assert_cmpuint (sym_model_get_depth (model, results.ids[i]), ==, depth);
    }
}

/* What makes something live is live. */
static void
assert_live_is_closed (const SymModel *model)
{
  SymIds outputs = sym_model_get_outputs (model);

  for (guint i = 0; i < outputs.n; i++)
    g_assert_true (sym_model_is_live (model, outputs.ids[i]));
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymIds results = sym_model_get_results (model, call);
      SymIds operands = sym_model_get_operands (model, call);
      gboolean is_live = FALSE;

      for (guint i = 0; i < results.n; i++)
        is_live = is_live || sym_model_is_live (model, results.ids[i]);
      for (guint i = 0; is_live && i < operands.n; i++)
        g_assert_true (operands.ids[i] == SYM_NO_ID || sym_model_is_live (model, operands.ids[i]));
    }
}

static void
assert_sound (const SymModel *model)
{
  assert_entries_are_complete (model);
  assert_results_know_their_call (model);
  assert_consumers_mirror_operands (model);
  assert_order_is_an_execution (model);
  assert_live_is_closed (model);
}

/* ---- Tests ---- */

static void
test_random_models_are_sound (Fixture *self, gconstpointer data)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (SymModel) model = make_model (self, round % 2 == 1);

      assert_sound (model);
    }
}

static void
test_random_models_are_inferred (Fixture *self, gconstpointer data)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (SymModel) model = make_model (self, round % 2 == 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (sym_inference_get_model (inference) == model);
    }
}

static void
edit_at_random (Fixture *self, SymEdit *edit, const SymModel *base)
{
  guint n_values = sym_model_get_n_values (base) + 3;
  guint n_calls = sym_model_get_n_calls (base) + 3;
  SymId operands[] = { pick (n_values), pick (n_values) };
  g_autofree char *name = g_strdup_printf ("new%u", pick (30));

  switch (pick (8))
    {
    case 0:
      sym_edit_insert_call (edit, NULL, self->layers[pick (3)], operands, pick (3), pick (3), NULL);
      break;
    case 1:
      sym_edit_erase_call (edit, pick (n_calls), NULL);
      break;
    case 2:
      sym_edit_erase_value (edit, pick (n_values), NULL);
      break;
    case 3:
      sym_edit_replace_uses (edit, operands[0], operands[1], NULL);
      break;
    case 4:
      sym_edit_set_operand (edit, pick (n_calls), pick (3), operands[0], NULL);
      break;
    case 5:
      sym_edit_rename_call (edit, pick (n_calls), name, NULL);
      break;
    case 6:
      sym_edit_move_call (edit, pick (n_calls), pick (n_calls), NULL);
      break;
    default:
      sym_edit_set_outputs (edit, operands, 2, NULL);
      break;
    }
}

static char *
print_model (const SymModel *model)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);
      SymIds operands = { NULL, 0 };

      if (entry.is_call)
        operands = sym_model_get_operands (model, entry.id);
      g_string_append_printf (text, "%s(",
                              entry.is_call ? sym_model_get_call_name (model, entry.id)
                                            : sym_model_get_value_name (model, entry.id));
      for (guint k = 0; k < operands.n; k++)
        g_string_append_printf (text, "%d ", (int) operands.ids[k]);
      g_string_append (text, ")\n");
    }
  return g_string_free (text, FALSE);
}

/* Edits of a model without cycles make no cycle, and leave the model that they start from alone. */
static void
test_random_edits_keep_models_sound (Fixture *self, gconstpointer data)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (SymModel) model = make_model (self, FALSE);
      g_autofree char *before = print_model (model);
      g_autofree char *after = NULL;
      SymEdit *edit = sym_edit_new (model);
      g_autoptr (SymModel) edited = NULL;
      guint n = pick (25);

      for (guint i = 0; i < n; i++)
        edit_at_random (self, edit, model);
      edited = sym_edit_end (edit);
      assert_sound (edited);
      g_assert_false (sym_model_has_cycle (edited));
      assert_sound (model);
      after = print_model (model);
      g_assert_cmpstr (before, ==, after);
    }
}

/* A cut holds what its outputs need, each output being a value of the same name. */
static void
test_random_cuts_are_sound (Fixture *self, gconstpointer data)
{
  guint n_cuts = 0;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (SymModel) model = make_model (self, FALSE);
      guint n_values = sym_model_get_n_values (model);
      g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
      SymId output = n_values == 0 ? SYM_NO_ID : pick (n_values);
      g_autoptr (SymSelection) selection = NULL;
      g_autoptr (SymModel) cut = NULL;
      g_autoptr (GError) error = NULL;

      if (output == SYM_NO_ID)
        continue;
      selection = sym_selection_new (model, NULL, 0, &output, 1, NULL, &error);
      g_assert_true ((selection == NULL) == (error != NULL));
      if (selection == NULL)
        continue;
      n_cuts++;
      cut = sym_selection_extract (selection, inference);
      assert_sound (cut);
      g_assert_cmpuint (sym_model_get_outputs (cut).n, ==, 1);
      g_assert_cmpstr (sym_model_get_value_name (cut, sym_model_get_outputs (cut).ids[0]), ==,
                       sym_model_get_value_name (model, output));
      g_assert_cmpuint (sym_model_get_n_calls (cut), ==, sym_selection_get_n_calls (selection));
    }
  g_assert_cmpuint (n_cuts, >, N_ROUNDS / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/core/model-properties/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("random-models-are-sound", test_random_models_are_sound);
  ADD ("random-models-are-inferred", test_random_models_are_inferred);
  ADD ("random-edits-keep-models-sound", test_random_edits_keep_models_sound);
  ADD ("random-cuts-are-sound", test_random_cuts_are_sound);
#undef ADD
  return g_test_run ();
}
