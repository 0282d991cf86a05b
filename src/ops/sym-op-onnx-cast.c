/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Cast, CastLike and BitCast: the same numbers, or the same bits, of another dtype. */

/* Elements between two questions whether the run was cancelled; whole bytes of any dtype. */
#define PIECE ((gsize) 1 << 16)

/* ---- Texts ---- */

/* One number, written as in C whatever the locale is; Inf and NaN in any case. */
static gboolean
cast_from_string (GBytes *bytes, SymArray *y, gsize i, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *copy = g_strndup (data == NULL ? "" : data, size);
  char *text = g_strstrip (copy), *end;
  gint64 integer;
  double number;

  errno = 0;
  integer = g_ascii_strtoll (text, &end, 10);
  if (end != text && *end == '\0' && errno == 0 && sym_dtype_is_integer (y->dtype))
    {
      sym_element_set_int (y->dtype, y->data, i, integer);
      return TRUE;
    }
  number = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || (size > 0 && memchr (data, '\0', size) != NULL))
    return sym_kernel_fail (error, "element %" G_GSIZE_FORMAT ", \"%s\", is no number", i, text);
  sym_element_set_double (y->dtype, y->data, i, number);
  return TRUE;
}

static void
cast_to_string (const SymArray *x, SymArray *y, gsize i)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;

  sym_element_append_text (text, x->dtype, x->data, i);
  bytes = g_bytes_new (text->str, text->len);
  sym_array_set_string (y, i, bytes);
}

static gboolean
cast_texts (SymKernel *kernel, const SymArray *x, SymArray *y, GError **error)
{
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      if (i % 4096 == 0 && sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      if (x->dtype == SYM_DTYPE_STRING && y->dtype == SYM_DTYPE_STRING)
        sym_op_move (y, i, x, i, 1);
      else if (y->dtype == SYM_DTYPE_STRING)
        cast_to_string (x, y, i);
      else if (!cast_from_string (((GBytes *const *) x->data)[i], y, i, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Numbers ---- */

/* Floats of 8 bits are told how they go out of range. */
static gboolean
read_flags (SymKernel *kernel, SymCastFlags *flags, GError **error)
{
  const char *mode = sym_kernel_get_string (kernel, "round_mode", "up");

  *flags = sym_kernel_get_bool (kernel, "saturate", TRUE) ? SYM_CAST_DEFAULT : SYM_CAST_UNSATURATED;
  if (g_str_equal (mode, "down"))
    *flags |= SYM_CAST_E8M0_DOWN;
  else if (g_str_equal (mode, "nearest"))
    *flags |= SYM_CAST_E8M0_NEAREST;
  else if (!g_str_equal (mode, "up"))
    return sym_kernel_fail (error, "round_mode is \"%s\"; it should be up, down or nearest", mode);
  return TRUE;
}

static gboolean
cast (SymKernel *kernel, SymDType dtype, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymCastFlags flags;
  SymArray *y;
  gsize n;

  if (x == NULL || !read_flags (kernel, &flags, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  if (y == NULL)
    return FALSE;
  if (x->dtype == SYM_DTYPE_STRING || dtype == SYM_DTYPE_STRING)
    return cast_texts (kernel, x, y, error);
  n = sym_array_get_n_elements (x);
  for (gsize i = 0; i < n; i += PIECE)
    {
      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      sym_cast_elements (x->dtype, (const guint8 *) x->data + i / 8 * sym_dtype_get_bits (x->dtype),
                         dtype, (guint8 *) y->data + i / 8 * sym_dtype_get_bits (dtype),
                         MIN (n - i, PIECE), flags);
    }
  return TRUE;
}

/* The attribute `to`, by name or by number. */
static gboolean
read_target (SymKernel *kernel, SymDType *dtype, GError **error)
{
  *dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "to");
  if (*dtype != SYM_DTYPE_UNKNOWN)
    return TRUE;
  return sym_kernel_fail (error, "the attribute to is no dtype that is known");
}

static gboolean
run_cast (SymKernel *kernel, GError **error)
{
  SymDType dtype;

  return read_target (kernel, &dtype, error) && cast (kernel, dtype, error);
}

static gboolean
run_cast_like (SymKernel *kernel, GError **error)
{
  const SymArray *like = sym_kernel_need_input (kernel, 1, error);

  return like != NULL && cast (kernel, like->dtype, error);
}

static gboolean
run_bit_cast (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray bits, *y;
  SymDType dtype;
  gsize done = 0;

  if (x == NULL || !read_target (kernel, &dtype, error))
    return FALSE;
  if (sym_dtype_get_bits (x->dtype) == 0 ||
      sym_dtype_get_bits (dtype) != sym_dtype_get_bits (x->dtype))
    return sym_kernel_fail (error, "the bits of %s are not those of %s",
                            sym_dtype_to_string (x->dtype), sym_dtype_to_string (dtype));
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  if (y == NULL)
    return FALSE;
  bits = *x;
  bits.dtype = dtype;
  return sym_op_move_on (kernel, &done, y, 0, &bits, 0, sym_array_get_n_elements (x), error);
}

/* ---- Rules ---- */

/* Small integers that are known stay so where they become integers. */
static gboolean
infer_to (SymRule *rule, SymDType dtype, GError **error)
{
  gint64 values[64];
  int n = sym_rule_get_input_ints (rule, 0, values, G_N_ELEMENTS (values));

  if (!sym_op_pass_shape (rule, 0, 0, error) || !sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (dtype != SYM_DTYPE_INT64 && dtype != SYM_DTYPE_INT32)
    return TRUE;
  for (int i = 0; i < n; i++)
    if (dtype == SYM_DTYPE_INT32 && values[i] != (gint32) values[i])
      return TRUE;
  if (n >= 0)
    sym_rule_set_output_ints (rule, 0, values, n);
  else
    sym_op_pass_values (rule, 0, 0);
  return TRUE;
}

static gboolean
infer_cast (SymRule *rule, GError **error)
{
  return infer_to (rule, sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "to"), error);
}

static gboolean
infer_cast_like (SymRule *rule, GError **error)
{
  return infer_to (rule, sym_rule_get_input_dtype (rule, 1), error) &&
         sym_rule_set_input_dtype (rule, 1, sym_rule_get_output_dtype (rule, 0), error);
}

static gboolean
infer_bit_cast (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (
             rule, 0, sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "to"), error);
}

/* ---- Table ---- */

#define TO                                                 \
  {                                                        \
    "to", SYM_ATTRIBUTE_DTYPE, NULL, "dtype of the result" \
  }
#define SATURATE                                                                            \
  {                                                                                         \
    "saturate", SYM_ATTRIBUTE_INT, "1", "whether floats of 8 bits stop at the greatest one" \
  }
#define ROUND_MODE                                                                            \
  {                                                                                           \
    "round_mode", SYM_ATTRIBUTE_STRING, "up", "where float8e8m0 rounds to", "up down nearest" \
  }
#define ATTRIBUTES(...)      \
  (const SymAttributeSpec[]) \
  {                          \
    __VA_ARGS__, { NULL }    \
  }

static const SymSlotSpec like_slots[] = { { "input" }, { "target_type" }, { NULL } };

#define CAST(version_, ...)                                                                      \
  {                                                                                              \
    SYM_OP_ONNX ("Cast", version_),                                                              \
        .summary = "the same numbers of another dtype", .category = SYM_CATEGORY_SHAPE,          \
        .attributes = ATTRIBUTES (__VA_ARGS__), .slots = sym_op_onnx_input, .infer = infer_cast, \
        .run = run_cast                                                                          \
  }

#define CAST_LIKE(version_, attributes_)                                                           \
  {                                                                                                \
    SYM_OP_ONNX ("CastLike", version_), .summary = "the same numbers of another tensor's dtype",   \
                                        .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, \
                                        .slots = like_slots, .infer = infer_cast_like,             \
                                        .run = run_cast_like                                       \
  }

const SymOperator sym_op_onnx_cast[] = {
  CAST (1, { "to", SYM_ATTRIBUTE_STRING, NULL, "name of the result's dtype in TensorProto" }),
  CAST (6, TO),
  CAST (19, TO, SATURATE),
  CAST (24, TO, SATURATE, ROUND_MODE),
  CAST_LIKE (15, NULL),
  CAST_LIKE (19, ATTRIBUTES (SATURATE)),
  CAST_LIKE (24, ATTRIBUTES (SATURATE, ROUND_MODE)),
  { SYM_OP_ONNX ("BitCast", 26), .summary = "the same bits as another dtype",
    .category = SYM_CATEGORY_SHAPE, .attributes = ATTRIBUTES (TO), .slots = sym_op_onnx_input,
    .infer = infer_bit_cast, .run = run_bit_cast },
  { 0 },
};
