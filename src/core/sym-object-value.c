/* SPDX-License-Identifier: MIT */
#include "core/sym-object.h"

#include <math.h>
#include <string.h>

#include "core/sym-datum-private.h"
#include "core/sym-error.h"

/* Literals as Python's objects: numbers have its operators, texts and lists can be joined. */

/* ---- Numbers ---- */

typedef struct {
  gboolean is_int;
  gint64 integer;
  double number;
} Number;

static gboolean
read_number (const SymValue *value, Number *number)
{
  number->is_int = value != NULL && sym_value_get_int (value, &number->integer) &&
                   sym_value_get_kind (value) != SYM_VALUE_OPERAND;
  return value != NULL && sym_value_get_kind (value) != SYM_VALUE_OPERAND &&
         sym_value_get_float (value, &number->number);
}

static gboolean
refuse_zero (GError **error)
{
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "division by zero");
  return FALSE;
}

static gboolean
check_fit (gboolean fits, GError **error)
{
  if (!fits)
    g_set_error_literal (error, SYM_ERROR, SYM_ERROR_LIMIT,
                         "the integer does not fit into 64 bits");
  return fits;
}

/* Towards minus infinity, the remainder with the divisor's sign; @b is not 0. */
static gint64
divide (gint64 a, gint64 b)
{
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

static gboolean
raise_to (gint64 base, gint64 exponent, gint64 *result)
{
  *result = 1;
  for (; exponent > 0; exponent /= 2)
    {
      if (exponent % 2 == 1 && __builtin_mul_overflow (*result, base, result))
        return FALSE;
      if (exponent > 1 && __builtin_mul_overflow (base, base, &base))
        return FALSE;
    }
  return TRUE;
}

/* FALSE without an error when Python has no such operator. */
static gboolean
combine_ints (const char *op, gint64 a, gint64 b, gint64 *result, GError **error)
{
  if (g_str_equal (op, "add"))
    return check_fit (!__builtin_add_overflow (a, b, result), error);
  if (g_str_equal (op, "sub"))
    return check_fit (!__builtin_sub_overflow (a, b, result), error);
  if (g_str_equal (op, "mul"))
    return check_fit (!__builtin_mul_overflow (a, b, result), error);
  if (g_str_equal (op, "pow"))
    return check_fit (raise_to (a, b, result), error);
  if (g_str_equal (op, "and") || g_str_equal (op, "or") || g_str_equal (op, "xor"))
    {
      *result = *op == 'a' ? a & b : *op == 'o' ? a | b : a ^ b;
      return TRUE;
    }
  if (!g_str_equal (op, "floordiv") && !g_str_equal (op, "mod"))
    return FALSE;
  if (b == 0)
    return refuse_zero (error);
  if (b == -1)
    {
      *result = 0;
      return *op == 'm' || check_fit (!__builtin_sub_overflow (0, a, result), error);
    }
  *result = *op == 'm' ? a - divide (a, b) * b : divide (a, b);
  return TRUE;
}

static gboolean
combine_floats (const char *op, double a, double b, double *result, GError **error)
{
  if (g_str_equal (op, "add"))
    *result = a + b;
  else if (g_str_equal (op, "sub"))
    *result = a - b;
  else if (g_str_equal (op, "mul"))
    *result = a * b;
  else if (g_str_equal (op, "pow"))
    *result = pow (a, b);
  else if (!g_str_equal (op, "truediv") && !g_str_equal (op, "floordiv") &&
           !g_str_equal (op, "mod"))
    return FALSE;
  else if (b == 0)
    return refuse_zero (error);
  else if (*op == 't')
    *result = a / b;
  else
    *result = *op == 'f' ? floor (a / b) : a - floor (a / b) * b;
  return TRUE;
}

static SymDatum *
take_value (SymValue *take_value, GError **error)
{
  g_autoptr (SymValue) value = take_value;

  return sym_datum_new_value (value, error);
}

static SymDatum *
combine_numbers (const char *op, const Number *a, const Number *b, GError **error)
{
  gint64 integer;
  double number;

  if (a->is_int && b->is_int && !g_str_equal (op, "truediv") &&
      !(g_str_equal (op, "pow") && b->integer < 0))
    {
      if (combine_ints (op, a->integer, b->integer, &integer, error))
        return take_value (sym_value_new_int (integer), error);
      return NULL;
    }
  if (combine_floats (op, a->number, b->number, &number, error))
    return take_value (sym_value_new_float (number), error);
  return NULL;
}

static SymDatum *
change_number (const char *op, const Number *a, GError **error)
{
  gint64 integer;

  if (!g_str_equal (op, "neg") && !g_str_equal (op, "abs") && !g_str_equal (op, "pos"))
    return NULL;
  if (*op == 'p' || (*op == 'a' && a->number >= 0))
    return take_value (a->is_int ? sym_value_new_int (a->integer) : sym_value_new_float (a->number),
                       error);
  if (!a->is_int)
    return take_value (sym_value_new_float (-a->number), error);
  return combine_ints ("sub", 0, a->integer, &integer, error)
             ? take_value (sym_value_new_int (integer), error)
             : NULL;
}

/* ---- Texts and lists ---- */

static SymDatum *
join (const SymValue *a, const SymValue *b, GError **error)
{
  guint n = sym_value_get_n_children (a), m = sym_value_get_n_children (b);
  g_autofree SymValue **children = NULL;
  g_autofree char *text = NULL;

  if (sym_value_get_kind (a) != sym_value_get_kind (b))
    return NULL;
  if (sym_value_get_kind (a) == SYM_VALUE_STRING)
    {
      text = g_strconcat (sym_value_get_string (a), sym_value_get_string (b), NULL);
      return take_value (sym_value_new_string (text), error);
    }
  if (sym_value_get_kind (a) != SYM_VALUE_LIST)
    return NULL;
  children = g_new (SymValue *, n + m + 1);
  for (guint i = 0; i < n + m; i++)
    children[i] = sym_value_ref (
        (SymValue *) (i < n ? sym_value_get_child (a, i) : sym_value_get_child (b, i - n)));
  return take_value (sym_value_new_list (children, n + m), error);
}

/* ---- The class ---- */

static SymDatum *
call_method (gpointer object, const char *method, const SymHostCall *call, GError **error)
{
  const SymValue *self = object, *value;
  g_autoptr (SymDatum) other = NULL;
  g_autofree char *op = NULL;
  gsize length = strlen (method);
  gboolean reflected;
  Number a, b;

  if (length < 5 || !g_str_has_prefix (method, "__") || !g_str_has_suffix (method, "__"))
    return NULL;
  op = g_strndup (method + 2, length - 4);
  if (sym_host_call_get_n_positional (call) < 2)
    return read_number (self, &a) ? change_number (op, &a, error) : NULL;

  /* Argument 0 is the method itself. */
  other = sym_host_call_get (call, 1, NULL, error);
  if (other == NULL)
    return NULL;
  value = sym_datum_get_value (other);
  reflected = *op == 'r' && !g_str_equal (op, "rshift");
  if (reflected)
    memmove (op, op + 1, strlen (op));
  if (read_number (self, &a) && read_number (value, &b))
    return reflected ? combine_numbers (op, &b, &a, error) : combine_numbers (op, &a, &b, error);
  if (value == NULL || !g_str_equal (op, "add"))
    return NULL;
  return reflected ? join (value, self, error) : join (self, value, error);
}

static gint64
get_length (gpointer object)
{
  const SymValue *self = object;

  return sym_value_get_kind (self) == SYM_VALUE_STRING
             ? g_utf8_strlen (sym_value_get_string (self), -1)
             : sym_value_get_n_children (self);
}

static SymDatum *
get_item (gpointer object, gint64 i, GError **error)
{
  const SymValue *self = object;
  g_autofree char *text = NULL;

  if (sym_value_get_kind (self) == SYM_VALUE_LIST)
    return sym_datum_new_value (sym_value_get_child (self, (guint) i), error);
  text = sym_value_get_kind (self) == SYM_VALUE_DICT
             ? g_strdup (sym_value_get_key (self, (guint) i))
             : g_utf8_substring (sym_value_get_string (self), i, i + 1);
  return take_value (sym_value_new_string (text), error);
}

static void
free_value (gpointer object)
{
  sym_value_unref (object);
}

#define PLAIN(type_name)                                       \
  {                                                            \
    .name = type_name, .free = free_value, .call = call_method \
  }
#define HOLDER(type_name)                                                                 \
  {                                                                                       \
    .name = type_name, .free = free_value, .call = call_method, .get_length = get_length, \
    .get_item = get_item                                                                  \
  }

/* By SymValueKind; tensors and tuples are data of their own. */
static const SymObjectClass classes[] = {
  [SYM_VALUE_NONE] = PLAIN ("NoneType"),     [SYM_VALUE_BOOL] = PLAIN ("bool"),
  [SYM_VALUE_INT] = PLAIN ("int"),           [SYM_VALUE_FLOAT] = PLAIN ("float"),
  [SYM_VALUE_STRING] = HOLDER ("str"),       [SYM_VALUE_DTYPE] = PLAIN ("dtype"),
  [SYM_VALUE_ELLIPSIS] = PLAIN ("ellipsis"), [SYM_VALUE_SLICE] = PLAIN ("slice"),
  [SYM_VALUE_LIST] = HOLDER ("list"),        [SYM_VALUE_TUPLE] = HOLDER ("tuple"),
  [SYM_VALUE_DICT] = HOLDER ("dict"),        [SYM_VALUE_OPERAND] = PLAIN ("object"),
  [SYM_VALUE_OPAQUE] = PLAIN ("object"),     [SYM_VALUE_TENSOR] = PLAIN ("Tensor"),
};

static SymDatum *
new_tuple (const SymValue *value, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);

  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      SymDatum *item = sym_datum_new_value (sym_value_get_child (value, i), error);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  return sym_datum_new_tuple ((SymDatum *const *) items->pdata, items->len);
}

SymDatum *
sym_datum_new_value (const SymValue *value, GError **error)
{
  SymValueKind kind;
  const char *name;

  g_return_val_if_fail (value != NULL, NULL);

  kind = sym_value_get_kind (value);
  if (kind == SYM_VALUE_TENSOR)
    return sym_datum_new_read (sym_value_get_tensor (value), error);
  if (kind == SYM_VALUE_TUPLE)
    return new_tuple (value, error);
  name = kind == SYM_VALUE_OPAQUE ? g_intern_string (sym_value_get_string (value))
                                  : classes[kind].name;
  return sym_datum_new_opaque (name, &classes[kind], sym_value_ref ((SymValue *) value),
                               free_value);
}

const SymValue *
sym_datum_get_value (const SymDatum *self)
{
  gconstpointer klass;

  g_return_val_if_fail (self != NULL, NULL);

  klass = sym_datum_get_class (self);
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (klass == &classes[i])
      return sym_datum_get_opaque (self);
  return NULL;
}
