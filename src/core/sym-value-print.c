/* SPDX-License-Identifier: MIT */
#include "core/sym-value-private.h"

#include <math.h>
#include <string.h>

/* Python's repr of a float: the fewest digits that read back as the same number, an exponent below
 * 1e-4 and from 1e16 on, and always something that tells it from an integer. */
static void
print_float (GString *out, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  char *exponent_text;
  int exponent;
  int n_digits;

  if (!isfinite (value))
    {
      g_string_append (out, isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
      return;
    }

  for (int precision = 0; precision <= 16; precision++)
    {
      char format[] = "%.00e";

      format[2] = (char) ('0' + precision / 10);
      format[3] = (char) ('0' + precision % 10);
      g_ascii_formatd (digits, sizeof digits, format, value);
      if (g_ascii_strtod (digits, NULL) == value)
        break;
    }

  exponent_text = strchr (digits, 'e');
  *exponent_text = '\0';
  exponent = (int) g_ascii_strtoll (exponent_text + 1, NULL, 10);
  if (digits[0] == '-')
    g_string_append_c (out, '-');
  if (digits[0] == '-')
    memmove (digits, digits + 1, strlen (digits));
  if (digits[1] == '.')
    memmove (digits + 1, digits + 2, strlen (digits + 1));
  n_digits = (int) strlen (digits);

  if (exponent < -4 || exponent >= 16)
    {
      g_string_append_c (out, digits[0]);
      if (n_digits > 1)
        g_string_append_printf (out, ".%s", digits + 1);
      g_string_append_printf (out, "e%c%02d", exponent < 0 ? '-' : '+', ABS (exponent));
    }
  else if (exponent < 0)
    {
      g_string_append (out, "0.");
      for (int i = -1; i > exponent; i--)
        g_string_append_c (out, '0');
      g_string_append (out, digits);
    }
  else
    {
      for (int i = 0; i <= exponent; i++)
        g_string_append_c (out, i < n_digits ? digits[i] : '0');
      g_string_append_printf (out, ".%s", n_digits > exponent + 1 ? digits + exponent + 1 : "0");
    }
}

void
sym_value_print_string (GString *out, const char *text, gsize length)
{
  gboolean has_single = memchr (text, '\'', length) != NULL;
  char quote = has_single && memchr (text, '"', length) == NULL ? '"' : '\'';

  g_string_append_c (out, quote);
  for (const char *p = text; p < text + length; p++)
    {
      guchar byte = (guchar) *p;

      if (*p == quote || *p == '\\')
        g_string_append_printf (out, "\\%c", *p);
      else if (*p == '\n')
        g_string_append (out, "\\n");
      else if (*p == '\r')
        g_string_append (out, "\\r");
      else if (*p == '\t')
        g_string_append (out, "\\t");
      else if (byte < 0x20 || byte == 0x7f)
        g_string_append_printf (out, "\\x%02x", byte);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, quote);
}

static void
print_string (GString *out, const char *text)
{
  sym_value_print_string (out, text, strlen (text));
}

static void
print_tensor (GString *out, SymTensor *tensor)
{
  g_autofree char *text = sym_tensor_to_string (tensor);

  g_string_append (out, text);
}

static void
print_leaf (GString *out, const SymValue *value)
{
  gint64 integer = 0;
  double number = 0;
  gboolean truth = FALSE;

  sym_value_get_int (value, &integer);
  switch (sym_value_get_kind (value))
    {
    case SYM_VALUE_BOOL:
      sym_value_get_bool (value, &truth);
      g_string_append (out, truth ? "True" : "False");
      break;
    case SYM_VALUE_INT:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, integer);
      break;
    case SYM_VALUE_FLOAT:
      sym_value_get_float (value, &number);
      print_float (out, number);
      break;
    case SYM_VALUE_STRING:
      print_string (out, sym_value_get_string (value));
      break;
    case SYM_VALUE_DTYPE:
      g_string_append (out, sym_value_get_string (value));
      break;
    case SYM_VALUE_OPAQUE:
      g_string_append_printf (out, "<%s>", sym_value_get_string (value));
      break;
    case SYM_VALUE_OPERAND:
      g_string_append_printf (out, "%%%" G_GINT64_FORMAT, integer);
      break;
    case SYM_VALUE_ELLIPSIS:
      g_string_append (out, "Ellipsis");
      break;
    case SYM_VALUE_TENSOR:
      print_tensor (out, sym_value_get_tensor (value));
      break;
    case SYM_VALUE_NONE:
    case SYM_VALUE_SLICE:
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
    case SYM_VALUE_DICT:
    default:
      g_string_append (out, "None");
      break;
    }
}

/* A container that is being printed, and how far that has come. */
typedef struct {
  const SymValue *value;
  guint next;
} Frame;

static const char *
get_opening (const SymValue *value)
{
  switch ((int) sym_value_get_kind (value))
    {
    case SYM_VALUE_LIST:
      return "[";
    case SYM_VALUE_DICT:
      return "{";
    case SYM_VALUE_SLICE:
      return "slice(";
    case SYM_VALUE_TUPLE:
      return "(";
    default:
      return NULL;
    }
}

static const char *
get_closing (const SymValue *value)
{
  switch ((int) sym_value_get_kind (value))
    {
    case SYM_VALUE_LIST:
      return "]";
    case SYM_VALUE_DICT:
      return "}";
    case SYM_VALUE_TUPLE:
      return sym_value_get_n_children (value) == 1 ? ",)" : ")";
    default:
      return ")";
    }
}

/* Prints a leaf, or opens a container. */
static void
print_value (GString *out, GArray *frames, const SymValue *value)
{
  const char *opening = get_opening (value);
  Frame frame = { value, 0 };

  if (opening == NULL)
    {
      print_leaf (out, value);
      return;
    }
  g_string_append (out, opening);
  g_array_append_val (frames, frame);
}

char *
sym_value_to_string (const SymValue *self)
{
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  GString *out = g_string_new (NULL);

  print_value (out, frames, self);
  while (frames->len > 0)
    {
      Frame *frame = &g_array_index (frames, Frame, frames->len - 1);
      const SymValue *value = frame->value;
      guint i = frame->next++;

      if (i == sym_value_get_n_children (value))
        {
          g_string_append (out, get_closing (value));
          g_array_set_size (frames, frames->len - 1);
          continue;
        }
      if (i > 0)
        g_string_append (out, ", ");
      if (sym_value_get_kind (value) == SYM_VALUE_DICT)
        {
          print_string (out, sym_value_get_key (value, i));
          g_string_append (out, ": ");
        }
      print_value (out, frames, sym_value_get_child (value, i));
    }

  return g_string_free (out, FALSE);
}
