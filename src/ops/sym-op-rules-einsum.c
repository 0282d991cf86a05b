/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-layer.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op.h"

/* Sums of products, told by a letter for each axis: "ij,jk->ik". */

#define N_LETTERS 128

/* What is known of each letter, and of the axes that the dots stand for. */
typedef struct {
  SymRule *rule;
  SymDim sizes[N_LETTERS];
  int counts[N_LETTERS];
  SymShape dots;
} Letters;

static gboolean
is_letter (char c)
{
  return g_ascii_isalpha (c);
}

static int
count_letters (const char *text)
{
  int n = 0;

  for (; *text != '\0'; text++)
    n += is_letter (*text) ? 1 : 0;
  return n;
}

/* The axes of dots broadcast, last axes met; a size of 1 gives way. */
static void
meet_dots (Letters *self, const SymDim *dims, int n)
{
  if (n > self->dots.rank)
    {
      SymShape wider = sym_shape_new_unknown (n);

      for (int i = 0; i < n; i++)
        wider.dims[i] = i < n - self->dots.rank ? 1 : self->dots.dims[i - (n - self->dots.rank)];
      self->dots = wider;
    }
  for (int i = 0; i < n; i++)
    {
      SymDim *meeting = &self->dots.dims[self->dots.rank - n + i];

      if (*meeting == 1)
        *meeting = dims[i];
      else if (dims[i] != 1 && dims[i] != *meeting && *meeting < 0)
        *meeting = dims[i] >= 0 ? dims[i] : SYM_DIM_UNKNOWN;
    }
}

/* Reads one operand's letters.  A size of 1 broadcasts, so it tells nothing of its letter. */
static gboolean
read_operand (Letters *self, guint i, const char *text, GError **error)
{
  SymShape shape = sym_rule_get_input (self->rule, i);
  int n_dots = shape.rank - count_letters (text), axis = 0;
  gboolean has_dots = strstr (text, "...") != NULL;

  if (shape.rank >= 0 && (n_dots < 0 || (n_dots > 0 && !has_dots)))
    return sym_rule_fail (error, "\"%s\" is not for an operand of %d axes", text, shape.rank);
  for (; *text != '\0'; text++)
    {
      if (strncmp (text, "...", 3) == 0)
        {
          if (shape.rank >= 0)
            meet_dots (self, shape.dims + axis, n_dots);
          axis += n_dots;
          text += 2;
        }
      else if (is_letter (*text))
        {
          SymDim *size = &self->sizes[(guchar) *text];
          SymDim dim = shape.rank >= 0 ? shape.dims[axis++] : SYM_DIM_UNKNOWN;

          self->counts[(guchar) *text]++;
          if (*size == SYM_DIM_UNKNOWN || *size == 1)
            *size = dim;
          else if (dim != 1 &&
                   !sym_rule_unify (self->rule, dim, *size, "axes of one letter", error))
            return FALSE;
        }
      else if (*text != ' ')
        {
          return sym_rule_fail (
              error, "subscripts has '%c'; letters, dots, commas and -> are known", *text);
        }
    }
  return TRUE;
}

static gboolean
append (SymShape *out, SymDim dim)
{
  if (out->rank == SYM_MAX_RANK)
    return FALSE;
  out->dims[out->rank++] = dim;
  return TRUE;
}

static gboolean
append_dots (SymShape *out, const SymShape *dots)
{
  for (int i = 0; i < dots->rank; i++)
    if (!append (out, dots->dims[i]))
      return FALSE;
  return TRUE;
}

/* The result as @text says, or, where there is none, dots and each letter that came once. */
static gboolean
set_result (Letters *self, const char *text, GError **error)
{
  SymShape out = { .rank = 0 };
  gboolean fits = TRUE;

  if (text == NULL)
    {
      fits = append_dots (&out, &self->dots);
      for (int c = 0; c < N_LETTERS; c++)
        if (self->counts[c] == 1)
          fits = fits && append (&out, self->sizes[c]);
    }
  for (; text != NULL && *text != '\0'; text++)
    {
      if (strncmp (text, "...", 3) == 0)
        {
          fits = fits && append_dots (&out, &self->dots);
          text += 2;
        }
      else if (is_letter (*text))
        {
          if (self->counts[(guchar) *text] == 0)
            return sym_rule_fail (error, "'%c' of the result is no axis of an operand", *text);
          fits = fits && append (&out, self->sizes[(guchar) *text]);
        }
    }
  if (!fits)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  return sym_rule_set_output (self->rule, 0, &out, error);
}

static gboolean
are_dots_known (SymRule *rule, char **operands)
{
  for (guint i = 0; operands[i] != NULL; i++)
    if (strstr (operands[i], "...") != NULL && sym_rule_get_input (rule, i).rank < 0)
      return FALSE;
  return TRUE;
}

/* How many are multiplied: not a parameter that need not be there, such as a bias. */
static guint
count_operands (SymRule *rule)
{
  const SymOperator *op = sym_layer_get_operator (sym_rule_get_layer (rule));
  guint n = 0;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      const SymSlotSpec *slot = sym_op_get_slot (op, i);

      n += slot == NULL || slot->kind == SYM_SLOT_DATA || !slot->optional;
    }
  return n;
}

/* No letters at all are those of one operand: a scalar. */
static char **
split_operands (const char *text)
{
  static const char *const scalar[] = { "", NULL };

  return text == NULL || *text == '\0' ? g_strdupv ((char **) scalar) : g_strsplit (text, ",", -1);
}

gboolean
sym_op_infer_einsum (SymRule *rule, const char *subscripts, GError **error)
{
  g_auto (GStrv) sides = g_strsplit (subscripts, "->", 2);
  g_auto (GStrv) operands = split_operands (sides[0]);
  guint n = g_strv_length (operands);
  Letters letters = { .rule = rule, .dots = { .rank = 0 } };

  if (n != count_operands (rule))
    return sym_rule_fail (error, "subscripts are for %u operands, there are %u", n,
                          count_operands (rule));
  for (int c = 0; c < N_LETTERS; c++)
    letters.sizes[c] = SYM_DIM_UNKNOWN;
  for (guint i = 0; i < n; i++)
    if (!read_operand (&letters, i, operands[i], error))
      return FALSE;
  return !are_dots_known (rule, operands) ||
         set_result (&letters, sides[0] != NULL ? sides[1] : NULL, error);
}
