/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

#define MAX_OPERANDS 8

/* A formula is part of an operator's table, so one that is no formula is a bug. */
typedef struct {
  SymOpLower *lower;
  const char *at;
  SymDType dtype;  /* of numbers */
  SymDType result; /* of the result; where its rule says nothing, float32 of what is no float */
} Reader;

static SymId read_expression (Reader *self);

static void
skip_blanks (Reader *self)
{
  while (*self->at == ' ')
    self->at++;
}

static gboolean
take (Reader *self, char c)
{
  skip_blanks (self);
  if (*self->at != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static char *
take_name (Reader *self)
{
  const char *start = self->at;

  while (isalnum ((guchar) *self->at) || *self->at == '_')
    self->at++;
  g_assert (self->at > start);
  return g_strndup (start, (gsize) (self->at - start));
}

static SymId
read_number (Reader *self)
{
  char *end;
  double number = g_ascii_strtod (self->at, &end);

  g_assert (end > self->at);
  self->at = end;
  return sym_op_lower_number (self->lower, self->dtype, number);
}

/* An attribute that is absent has its default from the operator's table. */
static SymId
read_attribute (Reader *self)
{
  g_autofree char *name = take_name (self);
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self->lower));
  const SymAttributeSpec *spec = sym_op_find_attribute (op, name);
  double number = 0;

  g_assert (spec != NULL);
  if (spec->fallback != NULL)
    number = g_ascii_strtod (spec->fallback, NULL);
  number = sym_op_lower_get_float (self->lower, name, number);
  /* Operators of numpy's kind do not cut a number off to the data's dtype. */
  if (!sym_dtype_is_floating (self->dtype) && number != trunc (number) &&
      g_str_has_prefix (sym_op_lower_get_type (self->lower), "_np"))
    sym_op_lower_refuse (self->lower, "%s: %s %g with data of %s is not lowered",
                         sym_op_lower_get_type (self->lower), name, number,
                         sym_dtype_to_string (self->dtype));
  return sym_op_lower_number (self->lower, self->dtype, number);
}

static SymId
read_operand (Reader *self, char letter)
{
  guint i = (guint) (g_ascii_tolower (letter) - 'a');
  SymId x = sym_op_lower_input (self->lower, i);

  if (!sym_op_lower_need_tensor (self->lower, i))
    return SYM_NO_ID;
  return islower ((guchar) letter)
             ? x
             : sym_op_lower_cast_from (self->lower, x,
                                       sym_op_lower_get_input_dtype (self->lower, i), self->result);
}

/* "axis=-1": the value is what Python would read. */
static gboolean
try_named (Reader *self, SymAttributes *attributes)
{
  gsize length, n;

  skip_blanks (self);
  length = strspn (self->at, "abcdefghijklmnopqrstuvwxyz_");
  if (length == 0 || self->at[length] != '=')
    return FALSE;
  n = strcspn (self->at + length + 1, ",)");
  {
    g_autofree char *name = g_strndup (self->at, length);
    g_autofree char *literal = g_strndup (self->at + length + 1, n);

    sym_attributes_set (attributes, name, sym_value_parse (literal), NULL);
  }
  self->at += length + 1 + n;
  return TRUE;
}

static gboolean
is_idle (const Reader *self, const char *name)
{
  static const char *const rounding[] = { "Floor", "Ceil", "Round", NULL };

  return !sym_dtype_is_floating (self->dtype) && g_strv_contains (rounding, name);
}

/* Of the divisor's sign, as Python has it; of floats ONNX's Mod has that of the dividend. */
static SymId
apply_remainder (Reader *self, SymId a, SymId b)
{
  SymId quotient;

  if (!sym_dtype_is_floating (self->dtype))
    return sym_op_lower_binary (self->lower, "Mod", a, b);
  quotient =
      sym_op_lower_unary (self->lower, "Floor", sym_op_lower_binary (self->lower, "Div", a, b));
  return sym_op_lower_binary (self->lower, "Sub", a,
                              sym_op_lower_binary (self->lower, "Mul", quotient, b));
}

/* ONNX cuts quotients of integers off towards zero: what is left is taken away before. */
static SymId
apply_floor_divide (Reader *self, SymId a, SymId b)
{
  SymId left = a;

  if (!sym_dtype_is_floating (self->dtype))
    left = sym_op_lower_binary (self->lower, "Sub", a, apply_remainder (self, a, b));
  left = sym_op_lower_binary (self->lower, "Div", left, b);
  return sym_dtype_is_floating (self->dtype) ? sym_op_lower_unary (self->lower, "Floor", left)
                                             : left;
}

static SymId
apply (Reader *self, const char *name, SymIds operands, SymAttributes *attributes)
{
  const SymOperator *op;

  if (strcmp (name, "Remainder") == 0 && operands.n == 2)
    return apply_remainder (self, operands.ids[0], operands.ids[1]);
  if (strcmp (name, "FloorDivide") == 0 && operands.n == 2)
    return apply_floor_divide (self, operands.ids[0], operands.ids[1]);

  if (strcmp (name, "Cast") == 0 && operands.n == 1)
    return sym_op_lower_cast (self->lower, operands.ids[0], self->result);
  if (is_idle (self, name))
    return operands.ids[0];
  op = sym_op_find ("", name, SYM_OP_LOWER_VERSION);
  g_assert (op != NULL);
  return sym_op_lower_apply (self->lower, op, operands, attributes);
}

static SymId
read_call (Reader *self)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autofree char *name = take_name (self);
  SymId operands[MAX_OPERANDS];
  guint n = 0;

  if (name[1] == '\0')
    return read_operand (self, name[0]);
  if (!take (self, '('))
    g_assert_not_reached ();
  do
    if (!try_named (self, attributes))
      {
        g_assert (n < MAX_OPERANDS);
        operands[n++] = read_expression (self);
      }
  while (take (self, ','));
  if (!take (self, ')'))
    g_assert_not_reached ();
  return apply (self, name, (SymIds){ operands, n }, attributes);
}

/* Formulas are short, so are their depths. */
static SymId
read_expression (Reader *self)
{
  skip_blanks (self);
  if (take (self, '$'))
    return read_attribute (self);
  return isalpha ((guchar) *self->at) ? read_call (self) : read_number (self);
}

/* Whether one of the capitals A to D stands alone. */
static gboolean
has_capitals (const char *formula)
{
  for (const char *c = formula; *c != '\0'; c++)
    if (*c >= 'A' && *c <= 'D' && (c == formula || !isalnum ((guchar) c[-1])) &&
        !isalnum ((guchar) c[1]))
      return TRUE;
  return FALSE;
}

static SymDType
find_result (SymOpLower *self)
{
  SymDType result = sym_op_lower_get_output_dtype (self, 0);
  SymDType given = sym_op_lower_get_input_dtype (self, 0);

  if (result != SYM_DTYPE_UNKNOWN)
    return result;
  return sym_dtype_is_floating (given) ? given : SYM_DTYPE_FLOAT32;
}

SymId
sym_op_lower_formula (SymOpLower *self, const char *formula)
{
  SymDType result = find_result (self);
  Reader reader = { self, formula,
                    has_capitals (formula) ? result : sym_op_lower_get_input_dtype (self, 0),
                    result };

  if (sym_op_lower_has_failed (self) || !sym_op_lower_need_tensor (self, 0))
    return SYM_NO_ID;
  return read_expression (&reader);
}
