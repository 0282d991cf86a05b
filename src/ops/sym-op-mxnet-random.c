/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-random.h"

#include <math.h>
#include <string.h>

#include "ops/sym-op.h"

/* Distributions by the end of the operator's name, and what their parameters are called. */
static const struct {
  const char *name, *distribution;
  const char *first[3], *second[3]; /* among the attributes: any of these */
  double fallback[2];
} families[] = {
  { "generalized_negative_binomial", NULL, { "mu" }, { "alpha" }, { 1, 1 } },
  { "negative_binomial", NULL, { "k" }, { "p" }, { 1, 1 } },
  { "binomial", NULL, { "n" }, { "p" }, { 1, 1 } },
  { "uniform", NULL, { "low" }, { "high" }, { 0, 1 } },
  { "normal", NULL, { "loc" }, { "scale" }, { 0, 1 } },
  { "gamma", NULL, { "alpha", "shape" }, { "beta", "scale" }, { 1, 1 } },
  { "exponential", "rate", { "lam" }, { NULL }, { 1, 0 } },
  { "poisson", NULL, { "lam" }, { NULL }, { 1, 0 } },
  { "randint", NULL, { "low" }, { "high" }, { 0, 1 } },
  { "gumbel", NULL, { "loc" }, { "scale" }, { 0, 1 } },
  { "logistic", NULL, { "loc" }, { "scale" }, { 0, 1 } },
  { "laplace", NULL, { "loc" }, { "scale" }, { 0, 1 } },
  { "rayleigh", NULL, { "scale" }, { NULL }, { 1, 0 } },
  { "pareto", NULL, { "a" }, { NULL }, { 1, 0 } },
  { "weibull", NULL, { "a" }, { NULL }, { 1, 0 } },
  { "powerd", NULL, { "a" }, { NULL }, { 1, 0 } },
  { "bernoulli", NULL, { "prob", "logit" }, { NULL }, { 0.5, 0 } },
};

/* The name between "_npi_", "_random_" or "_sample_" and "_n" or "_like". */
static guint
find_family (const char *name)
{
  const char *start = strchr (name + 1, '_') + 1;

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      gsize length = strlen (families[i].name);

      if (strncmp (start, families[i].name, length) == 0 &&
          (start[length] == '\0' || strcmp (start + length, "_n") == 0 ||
           strcmp (start + length, "_like") == 0))
        return i;
    }
  g_assert_not_reached ();
}

typedef struct {
  SymOpLower *lower;
  const char *name;
  SymShape shape;
  guint next;       /* operand */
  gboolean samples; /* several for each element of the operands, which come first then */
  gboolean like;
} Draw;

/* A parameter that is a tensor: [rows...] as [rows..., 1, ...] where samples follow them. */
static SymId
take_tensor (Draw *self)
{
  guint i = self->next++;
  SymShape shape = *sym_op_lower_get_input_shape (self->lower, i);

  if (!sym_op_lower_need_tensor (self->lower, i))
    return SYM_NO_ID;
  if (!self->samples)
    return sym_op_lower_input (self->lower, i);
  while (shape.rank < self->shape.rank)
    shape.dims[shape.rank++] = 1;
  return sym_op_lower_reshape (self->lower, sym_op_lower_input (self->lower, i), &shape);
}

static SymId
take_parameter (Draw *self, const char *const *names, double fallback)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self->lower));
  double number;

  for (guint i = 0; i < 3 && names[i] != NULL; i++)
    {
      const SymValue *value = sym_attributes_find (attributes, names[i]);

      if (value != NULL && sym_value_get_float (value, &number))
        return sym_op_lower_number (self->lower, SYM_DTYPE_FLOAT64, number);
    }
  if (names[0] != NULL && !self->like && self->next < sym_op_lower_get_n_inputs (self->lower))
    return take_tensor (self);
  return sym_op_lower_number (self->lower, SYM_DTYPE_FLOAT64, fallback);
}

static const char *
find_distribution (Draw *self, guint family)
{
  if (strcmp (families[family].name, "bernoulli") == 0 &&
      sym_op_lower_get_bool (self->lower, "is_logit", FALSE))
    return "logit";
  /* numpy's is told by its scale, the other one by its rate. */
  if (families[family].distribution != NULL && !g_str_has_prefix (self->name, "_npi_"))
    return families[family].distribution;
  return families[family].name;
}

void
sym_op_mxnet_lower_random (SymOpLower *lower)
{
  Draw self = { .lower = lower,
                .name = sym_layer_get_operator (sym_op_lower_get_layer (lower))->name };
  guint family = find_family (self.name);
  SymDType dtype = sym_op_lower_get_output_dtype (lower, 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  static const char *const scale[] = { "scale", NULL, NULL };
  gboolean by_scale;
  SymId a, b;

  self.samples = g_str_has_prefix (self.name, "_sample_");
  self.like = g_str_has_suffix (self.name, "_like");
  if (!sym_op_mxnet_lower_get_shape (lower, 0, &self.shape))
    return;
  by_scale = strcmp (self.name, "_npi_exponential") == 0;
  a = take_parameter (&self, by_scale ? scale : families[family].first,
                      families[family].fallback[0]);
  b = take_parameter (&self, families[family].second, families[family].fallback[1]);
  sym_attributes_set (attributes, "distribution",
                      sym_value_new_string (find_distribution (&self, family)), NULL);
  sym_attributes_set (attributes, "shape", sym_op_lower_list (self.shape.dims, self.shape.rank),
                      NULL);
  sym_attributes_set (attributes, "dtype",
                      sym_value_new_dtype (dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype),
                      NULL);
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_apply (lower, sym_op_find ("symscope", "Draw", 0), SYM_IDS (a, b), attributes));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1,
                             sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &self.shape, 0));
}
