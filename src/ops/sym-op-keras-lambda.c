/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* A function of the program that made the model, which is in the file as its byte code, if at all:
 * what it does is not known, but its result may have been told, and mere arithmetic keeps the
 * shape. */

/* ---- Byte code ---- */

/* The bytes of the code: as Keras 1 has them, a character each, which are below U+0100, or U+FFFD
 * for a zero byte, which no text has here; or in base64, as Keras 2, or, inside a dictionary, as
 * Keras 3.  NULL when it is none of them. */
static GBytes *
read_code (const SymValue *value)
{
  const char *text;
  g_autoptr (GByteArray) bytes = NULL;
  guchar *decoded;
  gsize n;

  while (value != NULL && sym_value_get_n_children (value) > 0)
    {
      gboolean is_dict = sym_value_get_kind (value) == SYM_VALUE_DICT;
      guint at = 0;

      for (guint i = 0; is_dict && i < sym_value_get_n_children (value); i++)
        if (strcmp (sym_value_get_key (value, i), "config") == 0 ||
            strcmp (sym_value_get_key (value, i), "code") == 0)
          at = i;
      value = sym_value_get_child (value, at);
    }
  text = value == NULL ? NULL : sym_value_get_string (value);
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    return NULL;
  if (g_utf8_get_char (text) != 0xe3 && strncmp (text, "c\xef\xbf\xbd", 4) != 0 &&
      !g_str_has_prefix (text, "c\001"))
    {
      decoded = g_base64_decode (text, &n);
      return g_bytes_new_take (decoded, n);
    }
  bytes = g_byte_array_new ();
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar letter = g_utf8_get_char (text);
      guint8 byte = letter == 0xfffd ? 0 : (guint8) letter;

      if (letter > 0xff && letter != 0xfffd)
        return NULL;
      g_byte_array_append (bytes, &byte, 1);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static guint32
read_int (const guint8 *at)
{
  return (guint32) at[0] | (guint32) at[1] << 8 | (guint32) at[2] << 16 | (guint32) at[3] << 24;
}

/* Whether @n bytes of instructions, each of two bytes or (before Python 3.6) of one or three,
 * compute with numbers and the first argument alone: Python 2.7 to 3.12 have these by one number.
 * What is computed so has the argument's shape. */
static gboolean
is_arithmetic (const guint8 *code, gsize n, gboolean is_wide)
{
  enum {
    CACHE = 0,
    NEGATIVE = 11,
    RETURN = 83,
    CONSTANT = 100,
    OPERATION = 122, /* of 3.11 */
    ARGUMENT = 124,
    RESUME = 151,
  };
  static const guint8 pairs[] = { 19, 20, 21, 23, 24, 26, 27 }; /* ** * / + - // / */
  gboolean uses = FALSE;
  gsize at = 0;
  guint8 last = 0;

  while (at < n)
    {
      gsize length = is_wide ? 2 : code[at] < 90 ? 1 : 3;

      if (n - at < length)
        return FALSE;
      last = code[at];
      if (last == ARGUMENT && code[at + 1] != 0)
        return FALSE;
      uses = uses || last == ARGUMENT;
      if (last != ARGUMENT && last != CONSTANT && last != NEGATIVE && last != RETURN &&
          memchr (pairs, last, sizeof pairs) == NULL &&
          !(is_wide && (last == CACHE || last == OPERATION || last == RESUME)))
        return FALSE;
      at += length;
    }
  return uses && last == RETURN;
}

/* A function of one argument, `lambda x: x / 255 - 0.5`, as `marshal` of Python 2.7 to 3.12 writes
 * it: a letter, four to six numbers, which are counts, and the instructions as a string. */
static gboolean
keeps_shape (const SymValue *function)
{
  g_autoptr (GBytes) bytes = read_code (function);
  gsize size = 0;
  const guint8 *start = bytes == NULL ? NULL : g_bytes_get_data (bytes, &size);

  if (size < 5 || (start[0] & 0x7f) != 'c' || read_int (start + 1) != 1)
    return FALSE;
  for (gsize n = 4; n <= 6; n++)
    {
      gsize at = 1 + 4 * n;
      guint32 length;

      if (size < at + 5 || (start[at] & 0x7f) != 's')
        continue;
      length = read_int (start + at + 1);
      if (length <= size - at - 5)
        return is_arithmetic (start + at + 5, length, TRUE) ||
               is_arithmetic (start + at + 5, length, FALSE);
    }
  return FALSE;
}

/* ---- The rule ---- */

/* Sizes without the batch, which is that of the first operand; but not those that another function
 * would compute. */
static gboolean
infer_lambda (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  const SymValue *value = sym_op_keras_find (attributes, "output_shape");
  const char *type = sym_op_keras_get_string (attributes, "output_shape_type", "raw");
  SymShape data = sym_rule_get_input (rule, 0), shape = SYM_SHAPE (SYM_DIM_UNKNOWN);
  int n = value == NULL ? -1 : sym_value_get_ints (value, shape.dims + 1, SYM_MAX_RANK - 1);

  if (value == NULL && sym_rule_get_n_inputs (rule) == 1 &&
      keeps_shape (sym_op_keras_find (attributes, "function")))
    return sym_op_pass_shape (rule, 0, 0, error);
  if (n < 0 || n > SYM_MAX_RANK - 1 || strcmp (type, "raw") != 0)
    return TRUE;
  shape.rank = n + 1;
  if (data.rank > 0)
    shape.dims[0] = data.dims[0];
  for (int i = 1; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      shape.dims[i] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &shape, error);
}

static const SymAttributeSpec attributes[] = {
  { "function", SYM_ATTRIBUTE_ANY, "None", "what is computed, as byte code or by its name" },
  { "output_shape", SYM_ATTRIBUTE_ANY, "None", "sizes of the output without the batch" },
  { "arguments", SYM_ATTRIBUTE_ANY, "None", "more arguments of the function" },
  { NULL },
};

const SymOperator sym_op_keras_lambda[] = {
  {
      SYM_OP_KERAS,
      .name = "Lambda",
      .summary = "A function of the program that made the model",
      .reference = "keras.layers.Lambda",
      .category = SYM_CATEGORY_OTHER,
      .attributes = attributes,
      .slots = sym_op_keras_many,
      .infer = infer_lambda,
  },
  { NULL },
};
