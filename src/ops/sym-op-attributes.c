/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op.h"

/* "True" and "1", as Python and dmlc's parameter parser write and read booleans. */
static SymValue *
type_bool (const char *literal)
{
  if (g_ascii_strcasecmp (literal, "true") == 0 || strcmp (literal, "1") == 0)
    return sym_value_new_bool (TRUE);
  if (g_ascii_strcasecmp (literal, "false") == 0 || strcmp (literal, "0") == 0)
    return sym_value_new_bool (FALSE);
  return NULL;
}

/* Whole numbers written with a fraction ("2.0") stand for integers in files of old scripts. */
static SymValue *
type_int (const char *literal)
{
  g_autoptr (SymValue) value = sym_value_parse (literal);
  double number;

  if (value == NULL)
    return NULL;
  if (sym_value_get_kind (value) == SYM_VALUE_BOOL)
    return sym_value_new_int (strcmp (literal, "True") == 0 || strcmp (literal, "true") == 0);
  if (sym_value_get_kind (value) == SYM_VALUE_INT)
    return g_steal_pointer (&value);
  if (!sym_value_get_float (value, &number) || !(number >= -0x1p53 && number <= 0x1p53) ||
      number != (double) (gint64) number)
    return NULL;
  return sym_value_new_int ((gint64) number);
}

static SymValue *
type_float (const char *literal)
{
  char *end;
  double number;

  if (literal[0] == '\0')
    return NULL;
  number = g_ascii_strtod (literal, &end);
  if (*end == 'f' || *end == 'L')
    end++;
  return *end == '\0' ? sym_value_new_float (number) : NULL;
}

/* Whether each child is a number (an integer unless @fractions), or None. */
static gboolean
has_numbers (const SymValue *value, gboolean fractions)
{
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      const SymValue *child = sym_value_get_child (value, i);
      SymValueKind kind = sym_value_get_kind (child);

      if (kind != SYM_VALUE_NONE && kind != SYM_VALUE_INT &&
          !(fractions && kind == SYM_VALUE_FLOAT))
        return FALSE;
    }
  return TRUE;
}

static SymValue *
type_numbers (const char *literal, gboolean fractions)
{
  g_autoptr (SymValue) value = sym_value_parse (literal);
  SymValueKind kind;

  if (value == NULL)
    return NULL;
  kind = sym_value_get_kind (value);
  if (kind == SYM_VALUE_INT || (fractions && kind == SYM_VALUE_FLOAT))
    return sym_value_new_tuple ((SymValue *[]){ g_steal_pointer (&value) }, 1);
  if ((kind != SYM_VALUE_TUPLE && kind != SYM_VALUE_LIST) || !has_numbers (value, fractions))
    return NULL;
  return g_steal_pointer (&value);
}

static SymValue *
type_dtype (const char *literal)
{
  SymDType dtype;

  return sym_dtype_from_string (literal, &dtype) ? sym_value_new_dtype (dtype) : NULL;
}

static SymValue *
type_any (const char *literal)
{
  SymValue *value = sym_value_parse (literal);

  return value != NULL ? value : sym_value_new_string (literal);
}

SymValue *
sym_op_type_literal (SymAttributeKind kind, const char *literal)
{
  if (strcmp (literal, "None") == 0)
    return sym_value_new_none ();
  switch (kind)
    {
    case SYM_ATTRIBUTE_INT:
      return type_int (literal);
    case SYM_ATTRIBUTE_FLOAT:
      return type_float (literal);
    case SYM_ATTRIBUTE_BOOL:
      return type_bool (literal);
    case SYM_ATTRIBUTE_STRING:
      return sym_value_new_string (literal);
    case SYM_ATTRIBUTE_INTS:
      return type_numbers (literal, FALSE);
    case SYM_ATTRIBUTE_FLOATS:
      return type_numbers (literal, TRUE);
    case SYM_ATTRIBUTE_DTYPE:
      return type_dtype (literal);
    case SYM_ATTRIBUTE_ANY:
    default:
      return type_any (literal);
    }
}

static const char *
describe_kind (SymAttributeKind kind)
{
  static const char *const descriptions[] = {
    [SYM_ATTRIBUTE_INT] = "an integer",     [SYM_ATTRIBUTE_FLOAT] = "a number",
    [SYM_ATTRIBUTE_BOOL] = "True or False", [SYM_ATTRIBUTE_STRING] = "a text",
    [SYM_ATTRIBUTE_INTS] = "integers",      [SYM_ATTRIBUTE_FLOATS] = "numbers",
    [SYM_ATTRIBUTE_DTYPE] = "a dtype",      [SYM_ATTRIBUTE_ANY] = "a value",
  };

  return descriptions[kind];
}

const SymAttributeSpec *
sym_op_find_attribute (const SymOperator *op, const char *name)
{
  if (op == NULL || op->attributes == NULL)
    return NULL;
  for (const SymAttributeSpec *spec = op->attributes; spec->name != NULL; spec++)
    if (strcmp (spec->name, name) == 0)
      return spec;
  return NULL;
}

static void
warn_of_missing (const SymOperator *op,
                 const SymAttributes *attributes,
                 SymProblems *problems,
                 guint line,
                 SymId call)
{
  if (op == NULL || op->attributes == NULL || problems == NULL)
    return;
  for (const SymAttributeSpec *spec = op->attributes; spec->name != NULL; spec++)
    if (spec->fallback == NULL && sym_attributes_find (attributes, spec->name) == NULL)
      sym_problems_add (problems, SYM_SEVERITY_WARNING, line, SYM_NO_ID, call,
                        "%s needs the attribute %s (%s)", op->name, spec->name, spec->meaning);
}

SymAttributes *
sym_op_type_attributes (const SymOperator *op,
                        const char *const *names,
                        const char *const *literals,
                        guint n,
                        SymProblems *problems,
                        guint line,
                        SymId call)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (guint i = 0; i < n; i++)
    {
      const SymAttributeSpec *spec = sym_op_find_attribute (op, names[i]);
      SymValue *value =
          sym_op_type_literal (spec != NULL ? spec->kind : SYM_ATTRIBUTE_ANY, literals[i]);

      if (value == NULL)
        {
          value = sym_value_new_string (literals[i]);
          if (problems != NULL)
            sym_problems_add (problems, SYM_SEVERITY_WARNING, line, SYM_NO_ID, call,
                              "%s of %s is %s, which should be %s", names[i], op->name, literals[i],
                              describe_kind (spec->kind));
        }
      sym_attributes_set (attributes, names[i], value, literals[i]);
    }
  warn_of_missing (op, attributes, problems, line, call);
  return attributes;
}

SymAttributes *
sym_op_complete_attributes (const SymOperator *op, const SymAttributes *attributes)
{
  SymAttributes *complete = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    sym_attributes_set (complete, sym_attributes_get_name (attributes, i),
                        sym_value_ref ((SymValue *) sym_attributes_get_value (attributes, i)),
                        sym_attributes_get_literal (attributes, i));
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

char *
sym_op_format_output_name (const SymOperator *op, guint i, guint n_outputs)
{
  guint n_names = 0;

  while (op != NULL && op->output_names != NULL && op->output_names[n_names] != NULL)
    n_names++;
  if (i < n_names)
    return g_strdup (op->output_names[i]);
  return n_outputs > 1 ? g_strdup_printf ("output%u", i) : g_strdup ("output");
}
