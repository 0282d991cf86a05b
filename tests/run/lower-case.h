/* SPDX-License-Identifier: MIT */
#pragma once

#include "../ops/kernel-case.h"
#include "../quick-folder.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "run/sym-run.h"

/* One run of a layer of another dialect, told by texts as a KernelCase is: `op` may be
 * "torch:Linear", else it is MXNet's; attributes are literals as in files, "kernel=(2, 2);
 * stride=()". What inference says of the results must be what comes out. */
typedef KernelCase LowerCase;

typedef struct {
  SymModel *model;
  GPtrArray *inputs; /* of SymDatum, NULL for an empty slot */
  GArray *ids;       /* of SymId: the same as values */
  guint n_results;
} LowerModel;

static inline const SymOperator *
lower_case_find (const LowerCase *self)
{
  g_auto (GStrv) parts = g_strsplit (self->op, ":", 2);
  const SymOperator *op =
      parts[1] == NULL ? sym_op_find ("mxnet", parts[0], 0) : sym_op_find (parts[0], parts[1], 0);

  if (op == NULL)
    g_error ("there is no operator %s", self->op);
  return op;
}

static inline SymLayer *
lower_case_new_layer (const LowerCase *self)
{
  const SymOperator *op = lower_case_find (self);
  const char *colon = strchr (self->op, ':');
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymOpLiterals) literals = sym_op_literals_new ();
  g_auto (GStrv) pairs = g_strsplit (self->attributes == NULL ? "" : self->attributes, "; ", -1);

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      char *equals = strchr (pairs[i], '=');

      if (equals != NULL)
        sym_op_literals_set (literals, op, pairs[i], (gsize) (equals - pairs[i]), equals + 1,
                             strlen (equals + 1), attributes, NULL, 0, SYM_NO_ID);
    }
  return sym_layer_new (colon == NULL ? self->op : colon + 1, op, attributes);
}

/* Whether integers among the operands are constants rather than inputs. */
static gboolean lower_case_has_constants;

/* An operand of @model; what is constant is not fed. */
static inline SymId
lower_case_add_operand (SymModelBuilder *builder, const char *name, SymDatum **datum)
{
  const SymArray *array = sym_datum_get_array (*datum);
  SymType type = sym_type_tensor (array->dtype, array->shape);
  gboolean is_constant = lower_case_has_constants && sym_dtype_is_integer (array->dtype);
  SymId id = sym_model_builder_add_value (builder, name,
                                          is_constant ? SYM_ROLE_CONSTANT : SYM_ROLE_INPUT, &type);

  if (is_constant)
    {
      sym_model_builder_set_tensor (builder, id, sym_tensor_new_copy (array, NULL));
      g_clear_pointer (datum, sym_datum_unref);
    }
  return id;
}

static inline LowerModel
lower_case_build (const LowerCase *self, SymLayer *layer)
{
  g_auto (GStrv) operands = g_strsplit (self->operands, ";", -1);
  g_auto (GStrv) results = g_strsplit (self->results == NULL ? "-" : self->results, ";", -1);
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  LowerModel model = { NULL, g_ptr_array_new (), g_array_new (FALSE, FALSE, sizeof (SymId)),
                       g_strv_length (results) };
  SymId call;

  for (guint i = 0; operands[i] != NULL && *self->operands != '\0'; i++)
    {
      g_autofree char *name = g_strdup_printf ("x%u", i);
      SymDatum *datum = kernel_case_read (operands[i]);
      SymId id = datum == NULL ? SYM_NO_ID : lower_case_add_operand (builder, name, &datum);

      g_ptr_array_add (model.inputs, datum);
      g_array_append_val (model.ids, id);
    }
  call =
      sym_model_builder_add_call (builder, "y", layer, (const SymId *) (gpointer) model.ids->data,
                                  model.ids->len, model.n_results);
  for (guint i = 0; i < model.n_results; i++)
    sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, i));
  model.model = sym_model_builder_end (builder);
  return model;
}

static inline void
lower_case_check_type (const LowerCase *self,
                       const SymInference *inference,
                       SymId value,
                       const SymArray *array)
{
  SymType type = sym_inference_get_type (inference, value);

  if (sym_problems_get_n (sym_inference_get_problems (inference)) > 0)
    g_error ("%s (%s) %s: %s", self->op, self->attributes, self->operands,
             sym_problems_get (sym_inference_get_problems (inference), 0)->message);
  if (type.dtype != SYM_DTYPE_UNKNOWN && type.dtype != array->dtype)
    g_error ("%s (%s) %s: the result is %s, and inferred is %s", self->op, self->attributes,
             self->operands, sym_dtype_to_string (array->dtype), sym_dtype_to_string (type.dtype));
  if (type.shape.rank < 0)
    return;
  g_assert_cmpint (type.shape.rank, ==, array->shape.rank);
  for (int i = 0; i < array->shape.rank; i++)
    if (type.shape.dims[i] >= 0)
      g_assert_cmpint (type.shape.dims[i], ==, array->shape.dims[i]);
}

static inline void
lower_case_check (const LowerCase *self,
                  const LowerModel *model,
                  SymRun *run,
                  const SymInference *inference)
{
  g_auto (GStrv) results = g_strsplit (self->results == NULL ? "-" : self->results, ";", -1);
  SymIds outputs = sym_model_get_outputs (model->model);

  for (guint i = 0; i < model->n_results; i++)
    {
      SymDatum *expected = kernel_case_read (results[i]);
      const SymArray *array = sym_datum_get_array (sym_run_get (run, outputs.ids[i]));

      if (expected == NULL)
        continue;
      lower_case_check_type (self, inference, outputs.ids[i], array);
      kernel_case_compare (self, array, sym_datum_get_array (expected));
      sym_datum_unref (expected);
    }
}

static inline void
lower_case_try (const LowerCase *self,
                const LowerModel *model,
                SymPlanOptions *options,
                const SymInference *inference)
{
  g_autoptr (SymPlan) plan = sym_plan_new (model->model, options, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);

  for (guint i = 0; i < model->ids->len; i++)
    if (model->inputs->pdata[i] != NULL)
      g_assert_true (
          sym_run_feed (run, g_array_index (model->ids, SymId, i), model->inputs->pdata[i], NULL));
  /* Twice: the second time in the memory of the first. */
  for (int round = 0; round < 2; round++)
    {
      g_autoptr (GError) error = NULL;
      gboolean done = sym_run_execute (run, NULL, &error);

      if (self->error == NULL && !done)
        g_error ("%s (%s) %s: %s", self->op, self->attributes, self->operands, error->message);
      if (self->error != NULL && (done || strstr (error->message, self->error) == NULL))
        g_error ("%s (%s): “%s” does not tell “%s”", self->op, self->attributes,
                 done ? "nothing" : error->message, self->error);
      if (done)
        lower_case_check (self, model, run, inference);
    }
}

/* The same layer in an ONNX file, where it can be said there: a model of its own, with the inputs
 * and outputs of @model in their order. */
static inline void
lower_case_try_written (const LowerCase *self,
                        const LowerModel *model,
                        const SymInference *inference)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "case.onnx", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) outputs = NULL;
  g_auto (GStrv) results = g_strsplit (self->results == NULL ? "-" : self->results, ";", -1);

  if (!sym_io_write (sym_io_find_format ("onnx"), model->model, inference, path, NULL, &error))
    {
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
      g_test_message ("%s", error->message);
      g_assert_cmpint (g_rmdir (folder), ==, 0);
      return;
    }
  again = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < sym_model_get_inputs (again).n; i++)
    {
      const char *name = sym_model_get_value_name (again, sym_model_get_inputs (again).ids[i]);

      g_ptr_array_add (inputs, model->inputs->pdata[g_ascii_strtoull (name + 1, NULL, 10)]);
    }
  outputs = sym_model_call (again, (SymDatum *const *) inputs->pdata, inputs->len, NULL, &error);
  if (outputs == NULL)
    g_error ("%s (%s) %s, written: %s", self->op, self->attributes, self->operands, error->message);
  for (guint i = 0; i < model->n_results; i++)
    {
      SymDatum *expected = kernel_case_read (results[i]);

      if (expected == NULL)
        continue;
      kernel_case_compare (self, sym_datum_get_array (outputs->pdata[i]),
                           sym_datum_get_array (expected));
      sym_datum_unref (expected);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static inline void
lower_case_clear (LowerModel *model)
{
  for (guint i = 0; i < model->inputs->len; i++)
    if (model->inputs->pdata[i] != NULL)
      sym_datum_unref (model->inputs->pdata[i]);
  g_ptr_array_unref (model->inputs);
  g_array_unref (model->ids);
  sym_model_unref (model->model);
}

static inline void
lower_case_run_layer (const LowerCase *self, SymLayer *layer)
{
  LowerModel model = lower_case_build (self, layer);
  g_autoptr (SymInference) inference = sym_infer (model.model, NULL, 0, NULL, NULL);
  SymPlanOptions compiled = { .inference = inference };

  lower_case_try (self, &model, NULL, inference);
  lower_case_try (self, &model, &compiled, inference);
  if (self->error == NULL && strncmp (self->op, "com.microsoft", 13) != 0)
    lower_case_try_written (self, &model, inference);
  lower_case_clear (&model);
}

static inline void
lower_case_run (gconstpointer data)
{
  g_autoptr (SymLayer) layer = lower_case_new_layer (data);

  lower_case_run_layer (data, layer);
}

/* A test "/run/<group>/<number>-<operator>" for each case; @cases end with one without op. */
static inline void
lower_case_add_all (const char *group, const LowerCase *cases)
{
  for (guint i = 0; cases[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/%s/%02u-%s", group, i, cases[i].op);

      g_test_add_data_func (path, &cases[i], lower_case_run);
    }
}

static inline void
lower_case_run_constants (gconstpointer data)
{
  lower_case_has_constants = TRUE;
  lower_case_run (data);
  lower_case_has_constants = FALSE;
}

/* The same, and each case once more with its integers as constants, which shape rules know. */
static inline void
lower_case_add_constants (const char *group, const LowerCase *cases)
{
  lower_case_add_all (group, cases);
  for (guint i = 0; cases[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/%s/%02u-%s/constants", group, i, cases[i].op);

      g_test_add_data_func (path, &cases[i], lower_case_run_constants);
    }
}
