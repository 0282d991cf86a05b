/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-decimal.h"
#include "core/sym-text.h"
#include "ops/sym-op-tflite.h"

/* What layers of any operator of a dialect may have. */
static const struct {
  const char *domain;
  const SymAttributeSpec *attributes;
} of_all[] = {
  { "tflite", sym_op_tflite_quantized_attributes },
};

const SymAttributeSpec *
sym_op_find_attribute (const SymOperator *op, const char *name)
{
  const SymAttributeSpec *spec =
      op == NULL ? NULL : sym_attribute_specs_find (op->attributes, name);

  for (guint i = 0; op != NULL && spec == NULL && i < G_N_ELEMENTS (of_all); i++)
    if (strcmp (op->domain, of_all[i].domain) == 0)
      spec = sym_attribute_specs_find (of_all[i].attributes, name);
  return spec;
}

void
sym_op_check_attributes (const SymOperator *op,
                         const SymAttributes *attributes,
                         SymProblems *problems,
                         guint line,
                         SymId call)
{
  if (op == NULL || op->attributes == NULL)
    return;
  for (const SymAttributeSpec *spec = op->attributes; spec->name != NULL; spec++)
    if (spec->fallback == NULL && sym_attributes_find (attributes, spec->name) == NULL)
      sym_problems_add (problems, SYM_SEVERITY_WARNING, line, SYM_NO_ID, call,
                        "%s needs the attribute %s (%s)", op->name, spec->name, spec->meaning);
}

SymAttributes *
sym_op_complete_attributes (const SymOperator *op, const SymAttributes *attributes)
{
  SymAttributes *complete = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    sym_attributes_set_same (complete, attributes, i);
  if (op->attributes == NULL)
    return complete;
  for (const SymAttributeSpec *spec = op->attributes; spec->name != NULL; spec++)
    {
      SymValue *value;

      if (spec->fallback == NULL || sym_attributes_find (attributes, spec->name) != NULL)
        continue;
      value = sym_op_type_literal (spec->kind, spec->fallback);
      if (value != NULL)
        sym_attributes_set (complete, spec->name, value, NULL);
    }
  return complete;
}

static guint
count_slots (const SymOperator *op)
{
  guint n = 0;

  while (op->slots != NULL && op->slots[n].name != NULL)
    n++;
  return n;
}

const SymSlotSpec *
sym_op_get_slot (const SymOperator *op, guint i)
{
  guint n = count_slots (op);

  if (i < n)
    return &op->slots[i];
  return n > 0 && op->get_n_operands != NULL ? &op->slots[n - 1] : NULL;
}

gboolean
sym_op_needs_operand (const SymOperator *op, guint i)
{
  const SymSlotSpec *slot = op == NULL ? NULL : sym_op_get_slot (op, i);

  return slot == NULL || !slot->idle;
}

int
sym_op_get_n_operands (const SymOperator *op, const SymAttributes *attributes)
{
  return op->get_n_operands != NULL ? op->get_n_operands (attributes) : (int) count_slots (op);
}

int
sym_op_get_n_outputs (const SymOperator *op, const SymAttributes *attributes, int *n_visible)
{
  int ignored;

  if (n_visible == NULL)
    n_visible = &ignored;
  *n_visible = 1;
  return op->get_n_outputs != NULL ? op->get_n_outputs (attributes, n_visible) : 1;
}

void
sym_op_append_output_name (const SymOperator *op, guint i, guint n_outputs, GString *out)
{
  guint n_names = 0;
  const char *name;

  while (op != NULL && op->output_names != NULL && op->output_names[n_names] != NULL)
    n_names++;
  name = i < n_names ? op->output_names[i] : "output";
  sym_text_append (out, name, strlen (name));
  if (i >= n_names && n_outputs > 1)
    sym_decimal_append_unsigned (out, i);
}

char *
sym_op_format_output_name (const SymOperator *op, guint i, guint n_outputs)
{
  GString *name = g_string_new (NULL);

  sym_op_append_output_name (op, i, n_outputs, name);
  return g_string_free (name, FALSE);
}
