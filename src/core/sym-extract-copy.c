/* SPDX-License-Identifier: MIT */
#include "core/sym-extract-private.h"
#include "core/sym-model-private.h"

/* How often a part is looked at for what it has lost; after the last time all of it is declared. */
#define MAX_ROUNDS 6

typedef struct {
  const SymSelection *selection;
  const SymInference *inference; /* may be NULL */
  const guint8 *pinned;          /* per value: give it its inferred type */
  SymModelBuilder *builder;
  SymId *values, *calls; /* old id -> new id */
  GHashTable *terms;
} Copy;

static SymShape
translate (Copy *self, const SymShape *shape)
{
  const SymTerms *terms = self->inference == NULL ? sym_model_get_terms (self->selection->model)
                                                  : sym_inference_get_terms (self->inference);

  return sym_terms_translate_shape (terms, shape, sym_model_builder_get_terms (self->builder),
                                    self->terms);
}

static void
copy_type (Copy *self, SymId old, SymId new)
{
  const SymModel *model = self->selection->model;
  gboolean is_pinned = self->selection->chosen[old] || self->pinned[old];
  SymType type = self->inference != NULL && is_pinned
                     ? sym_inference_get_type (self->inference, old)
                     : sym_model_get_declared_type (model, old);
  g_autofree SymType *elements = NULL;

  type.shape = translate (self, &type.shape);
  elements = g_memdup2 (type.elements, sizeof (SymType) * type.n_elements);
  for (guint i = 0; i < type.n_elements; i++)
    elements[i].shape = translate (self, &elements[i].shape);
  type.elements = elements;
  sym_model_builder_set_type (self->builder, new, &type);
}

static void
copy_value_rows (Copy *self, SymId old, SymId new)
{
  const SymModel *model = self->selection->model;
  SymParameter *parameter = sym_model_get_parameter (model, old);
  SymTensor *tensor = sym_column_get (model->data->tensors, old);
  const SymAttributes *attributes = sym_model_get_value_attributes (model, old);

  self->values[old] = new;
  sym_model_builder_set_value_name (self->builder, new, sym_model_get_value_name (model, old));
  sym_model_builder_set_variable (self->builder, new, sym_model_get_variable (model, old));
  if (parameter != NULL)
    sym_model_builder_set_parameter (self->builder, new, sym_parameter_ref (parameter));
  if (tensor != NULL)
    sym_model_builder_set_tensor (self->builder, new, sym_tensor_ref (tensor));
  if (attributes != NULL)
    sym_model_builder_set_value_attributes (self->builder, new,
                                            sym_attributes_ref ((SymAttributes *) attributes));
  sym_model_builder_set_lack (self->builder, new, sym_model_get_lack (model, old));
  copy_type (self, old, new);
}

static void
copy_source (Copy *self, SymId old)
{
  const SymModel *model = self->selection->model;
  SymRole role = sym_model_get_role (model, old);
  SymId new;

  if (sym_model_get_producer (model, old) != SYM_NO_ID)
    role = SYM_ROLE_INPUT;
  new = sym_model_builder_add_value (self->builder, "", role, NULL);
  copy_value_rows (self, old, new);
}

static void
copy_call (Copy *self, SymId old)
{
  const SymModel *model = self->selection->model;
  SymIds operands = sym_model_get_operands (model, old);
  SymIds results = sym_model_get_results (model, old);
  const SymValue *arguments = sym_model_get_arguments (model, old);
  const SymAttributes *attributes = sym_model_get_call_attributes (model, old);
  g_autofree SymId *empty = g_new (SymId, operands.n + 1);
  SymId new;

  for (guint i = 0; i < operands.n; i++)
    empty[i] = SYM_NO_ID;
  new = sym_model_builder_add_call (self->builder, sym_model_get_call_name (model, old),
                                    sym_model_get_layer (model, old), empty, operands.n, results.n);
  self->calls[old] = new;
  if (arguments != NULL)
    sym_model_builder_set_arguments (self->builder, new, sym_value_ref ((SymValue *) arguments));
  if (attributes != NULL)
    sym_model_builder_set_call_attributes (self->builder, new,
                                           sym_attributes_ref ((SymAttributes *) attributes));
  for (guint i = 0; i < results.n; i++)
    {
      SymId value = sym_model_builder_get_result (self->builder, new, i);

      if (self->values[results.ids[i]] == SYM_NO_ID)
        copy_value_rows (self, results.ids[i], value);
      sym_model_builder_set_role (self->builder, value, sym_model_get_role (model, results.ids[i]));
    }
}

/* A chosen inner value takes the place of the call that made it. */
static void
copy_entry (Copy *self, SymEntry entry)
{
  const SymSelection *selection = self->selection;
  SymIds results;

  if (!entry.is_call)
    {
      if (selection->values[entry.id])
        copy_source (self, entry.id);
      return;
    }
  results = sym_model_get_results (selection->model, entry.id);
  for (guint i = 0; i < results.n; i++)
    if (selection->chosen[results.ids[i]])
      copy_source (self, results.ids[i]);
  if (selection->calls[entry.id])
    copy_call (self, entry.id);
}

static void
connect_call (Copy *self, SymId old)
{
  const SymModel *model = self->selection->model;
  SymIds operands = sym_model_get_operands (model, old);
  SymIds controls = sym_model_get_controls (model, old);

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID)
      sym_model_builder_set_operand (self->builder, self->calls[old], i,
                                     self->values[operands.ids[i]]);
  for (guint i = 0; i < controls.n; i++)
    if (self->calls[controls.ids[i]] != SYM_NO_ID)
      sym_model_builder_add_control (self->builder, self->calls[old], self->calls[controls.ids[i]]);
}

static SymModel *
copy_selection (const SymSelection *selection,
                const SymInference *inference,
                const guint8 *pinned,
                SymId *values)
{
  const SymModel *model = selection->model;
  guint n_calls = sym_model_get_n_calls (model);
  g_autofree SymId *calls = g_new (SymId, n_calls + 1);
  g_autoptr (GHashTable) terms = g_hash_table_new (NULL, NULL);
  Copy copy = { selection, inference, pinned, NULL, values, calls, terms };

  copy.builder = sym_model_builder_new (sym_model_get_dialect (model));
  memset (calls, 0xff, sizeof (SymId) * (n_calls + 1));
  memset (values, 0xff, sizeof (SymId) * (sym_model_get_n_values (model) + 1));
  sym_model_builder_set_name (copy.builder, sym_model_get_name (model));
  sym_model_builder_share_origin (copy.builder, model);
  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    copy_entry (&copy, sym_model_get_entry (model, i));
  for (SymId call = 0; call < n_calls; call++)
    if (calls[call] != SYM_NO_ID)
      connect_call (&copy, call);
  for (guint i = 0; i < selection->inputs->len; i++)
    sym_model_builder_add_input (copy.builder, values[g_array_index (selection->inputs, SymId, i)]);
  for (guint i = 0; i < selection->outputs->len; i++)
    sym_model_builder_add_output (copy.builder,
                                  values[g_array_index (selection->outputs, SymId, i)]);
  return sym_model_builder_end (copy.builder);
}

static guint
count_known (const SymType *type)
{
  guint known = type->dtype != SYM_DTYPE_UNKNOWN;

  for (int i = 0; i < type->shape.rank; i++)
    known += 1 + (type->shape.dims[i] >= 0);
  return known;
}

static gboolean
is_lost (const SymInference *before, SymId value, const SymInference *after, SymId part_value)
{
  SymType old = sym_inference_get_type (before, value);
  SymType new = sym_inference_get_type (after, part_value);

  return count_known (&new) < count_known (&old);
}

/* A loss that no other loss explains: of a value that nothing makes, or whose parents have none. */
static gboolean
is_first_loss (const SymModel *model, const guint8 *lost, SymId value)
{
  SymId producer = sym_model_get_producer (model, value);
  SymIds operands;

  if (producer == SYM_NO_ID)
    return TRUE;
  operands = sym_model_get_operands (model, producer);
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && lost[operands.ids[i]])
      return FALSE;
  return TRUE;
}

/* Which values of the part are known less than before; NULL for none. */
static guint8 *
find_losses (const SymSelection *self,
             const SymInference *inference,
             SymModel *part,
             const SymId *values,
             gboolean *has_sources)
{
  g_autoptr (SymInference) again = sym_infer (part, NULL, 0, NULL, NULL);
  guint n = sym_model_get_n_values (self->model);
  g_autofree guint8 *lost = g_new0 (guint8, n + 1);
  gboolean any = FALSE;

  *has_sources = FALSE;
  for (SymId value = 0; value < n; value++)
    {
      if (values[value] == SYM_NO_ID || !is_lost (inference, value, again, values[value]))
        continue;
      lost[value] = any = TRUE;
      if (sym_model_get_producer (part, values[value]) == SYM_NO_ID)
        *has_sources = TRUE;
    }
  return any ? g_steal_pointer (&lost) : NULL;
}

/* What was known only because of parts that are cut away would be lost: it is declared instead, of
 * inputs and parameters where that is enough, else of inner values too, as few as will do.  FALSE
 * when there is nothing more to declare. */
static gboolean
pin_losses (const SymSelection *self,
            const SymInference *inference,
            SymModel *part,
            const SymId *values,
            gboolean all,
            guint8 *pinned)
{
  gboolean has_sources, any = FALSE;
  g_autofree guint8 *lost = find_losses (self, inference, part, values, &has_sources);

  for (SymId value = 0; lost != NULL && value < sym_model_get_n_values (self->model); value++)
    {
      gboolean is_source =
          values[value] != SYM_NO_ID && sym_model_get_producer (part, values[value]) == SYM_NO_ID;

      if (!lost[value] || pinned[value] ||
          (!all && !is_source && (has_sources || !is_first_loss (self->model, lost, value))))
        continue;
      pinned[value] = any = TRUE;
    }
  return any;
}

SymModel *
sym_selection_extract (const SymSelection *self, const SymInference *inference)
{
  guint n = sym_model_get_n_values (self->model);
  g_autofree SymId *values = g_new (SymId, n + 1);
  g_autofree guint8 *pinned = g_new0 (guint8, n + 1);
  SymModel *part;

  g_return_val_if_fail (inference == NULL || sym_inference_get_model (inference) == self->model,
                        NULL);

  part = copy_selection (self, inference, pinned, values);
  for (guint i = 0; inference != NULL && i < MAX_ROUNDS; i++)
    {
      if (!pin_losses (self, inference, part, values, i + 1 == MAX_ROUNDS, pinned))
        break;
      sym_model_unref (part);
      part = copy_selection (self, inference, pinned, values);
    }
  return part;
}
