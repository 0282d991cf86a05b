/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-decimal.h"
#include "core/sym-element.h"
#include "core/sym-tensor.h"
#include "core/sym-value-private.h"

#define MAX_PRINTED 12 /* elements of a tensor that is printed whole */
#define N_BEGINNING 6  /* of one that is not */
#define MAX_STRING 64  /* bytes of a string among them */
#define MAX_DIGITS 17  /* that tell every double */
#define MAX_ELEMENT_BYTES 16

/* Whether @value becomes the same element, so that no more digits are needed.  Floats of a byte are
 * so coarse that half of a digit would tell them: 448 is better told by 448 than by 4.5e+02. */
static gboolean
becomes (SymDType dtype, double value, double wanted)
{
  guint8 element[MAX_ELEMENT_BYTES] = { 0 };

  if (sym_dtype_get_bits (dtype) <= 8)
    dtype = SYM_DTYPE_FLOAT32;
  sym_element_set_double (dtype, element, 0, value);
  return sym_element_get_double (dtype, element, 0) == wanted;
}

/* @dtype says how many digits tell @value. */
static void
append_float (GString *out, SymDType dtype, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      g_string_append (out, isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
      return;
    }
  for (int n = 1; n <= MAX_DIGITS; n++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", n);
      g_ascii_formatd (digits, sizeof digits, format, value);
      if (becomes (dtype, g_ascii_strtod (digits, NULL), value))
        break;
    }
  /* The shortest of them may be 1e+02; without an exponent 100 is as short. */
  if (strchr (digits, 'e') != NULL && fabs (value) >= 1 && fabs (value) < 1e6 &&
      value == floor (value))
    g_ascii_formatd (digits, sizeof digits, "%.0f", value);
  g_string_append (out, digits);
}

static void
append_complex (GString *out, SymDType dtype, const void *elements, gsize i)
{
  double imaginary = sym_element_get_imaginary (dtype, elements, i);

  g_string_append_c (out, '(');
  append_float (out, dtype, sym_element_get_double (dtype, elements, i));
  if (!signbit (imaginary) || isnan (imaginary))
    g_string_append_c (out, '+');
  append_float (out, dtype, imaginary);
  g_string_append (out, "j)");
}

void
sym_element_append_text (GString *out, SymDType dtype, const void *elements, gsize i)
{
  g_return_if_fail (sym_dtype_is_numeric (dtype));

  if (dtype == SYM_DTYPE_BOOL)
    g_string_append (out, sym_element_get_int (dtype, elements, i) != 0 ? "True" : "False");
  else if (dtype == SYM_DTYPE_UINT64)
    sym_decimal_append_unsigned (out, (guint64) sym_element_get_int (dtype, elements, i));
  else if (sym_dtype_is_integer (dtype))
    sym_decimal_append (out, sym_element_get_int (dtype, elements, i));
  else if (sym_dtype_is_floating (dtype))
    append_float (out, dtype, sym_element_get_double (dtype, elements, i));
  else
    append_complex (out, dtype, elements, i);
}

static void
append_string (GString *out, const SymTensor *tensor, guint64 i)
{
  gsize length;
  const char *text = sym_tensor_get_string (tensor, i, &length);

  sym_value_print_string (out, text, MIN (length, MAX_STRING));
  if (length > MAX_STRING)
    g_string_append (out, "...");
}

/* The brackets that open before element @i, or close after it: one for each dimension of which it
 * is the first or the last. */
static void
append_brackets (GString *out, const SymShape *shape, guint64 i, char bracket)
{
  guint64 size = 1;

  for (int dim = shape->rank - 1; dim >= 0; dim--)
    {
      size *= (guint64) shape->dims[dim];
      if (i % size == 0)
        g_string_append_c (out, bracket);
    }
}

static void
append_elements (GString *out, SymTensor *self, const guint8 *elements, guint64 n, guint n_printed)
{
  const SymShape *shape = sym_tensor_get_shape (self);
  gboolean is_whole = n_printed == n;

  if (n == 0 || !is_whole)
    g_string_append_c (out, '[');
  for (guint i = 0; i < n_printed; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      if (is_whole)
        append_brackets (out, shape, i, '[');
      if (elements == NULL)
        append_string (out, self, i);
      else
        sym_element_append_text (out, sym_tensor_get_dtype (self), elements, i);
      if (is_whole)
        append_brackets (out, shape, i + 1, ']');
    }
  if (n == 0 || !is_whole)
    g_string_append (out, is_whole ? "]" : ", ...]");
}

char *
sym_tensor_to_string (SymTensor *self)
{
  SymDType dtype = sym_tensor_get_dtype (self);
  const SymShape *shape = sym_tensor_get_shape (self);
  guint8 elements[MAX_PRINTED * MAX_ELEMENT_BYTES];
  GString *out = g_string_new (NULL);
  guint64 n = 0, size = 0;
  guint n_printed;

  g_string_append_printf (out, "tensor(%s, [", sym_dtype_to_string (dtype));
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", shape->dims[i]);
  g_string_append (out, "], ");

  sym_shape_get_n_elements (shape, &n);
  n_printed = n <= MAX_PRINTED ? (guint) n : N_BEGINNING;
  if (dtype == SYM_DTYPE_STRING)
    append_elements (out, self, NULL, n, n_printed);
  else if (sym_dtype_get_size (dtype, n_printed, &size) &&
           sym_tensor_read (self, 0, size, elements, NULL))
    append_elements (out, self, elements, n, n_printed);
  else
    g_string_append (out, "unreadable");

  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}
