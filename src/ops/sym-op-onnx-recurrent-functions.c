/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-onnx-recurrent.h"

/* Activations of recurrent layers, by the names that ONNX gives them. */

#define FUNCTION(name, dtype, type, expression)                                 \
  static void name##_##dtype (void *data, gsize n, double alpha_, double beta_) \
  {                                                                             \
    type *y = data;                                                             \
    const type alpha = (type) alpha_, beta = (type) beta_;                      \
                                                                                \
    (void) alpha;                                                               \
    (void) beta;                                                                \
    for (gsize i = 0; i < n; i++)                                               \
      {                                                                         \
        const type x = y[i];                                                    \
                                                                                \
        y[i] = (expression);                                                    \
      }                                                                         \
  }

/* @e, @t and @l are exp, tanh and log1p of the type. */
#define FUNCTIONS(dtype, type, e, t, l)                               \
  FUNCTION (relu, dtype, type, x < 0 ? 0 : x)                         \
  FUNCTION (tanh, dtype, type, t (x))                                 \
  FUNCTION (sigmoid, dtype, type, 1 / (1 + e (-x)))                   \
  FUNCTION (affine, dtype, type, alpha *x + beta)                     \
  FUNCTION (leaky_relu, dtype, type, x < 0 ? alpha * x : x)           \
  FUNCTION (thresholded_relu, dtype, type, x < alpha ? 0 : x)         \
  FUNCTION (scaled_tanh, dtype, type, alpha *t (beta *x))             \
  FUNCTION (hard_sigmoid, dtype, type, CLAMP (alpha *x + beta, 0, 1)) \
  FUNCTION (elu, dtype, type, x < 0 ? alpha * (e (x) - 1) : x)        \
  FUNCTION (softsign, dtype, type, x / (1 + (x < 0 ? -x : x)))        \
  FUNCTION (softplus, dtype, type, MAX (x, 0) + l (e (x < 0 ? x : -x)))

FUNCTIONS (FLOAT32, float, expf, tanhf, log1pf)
FUNCTIONS (FLOAT64, double, exp, tanh, log1p)

static const struct {
  const char *name;
  gboolean has_alpha, has_beta;
  SymOpRecurrentFunction function;
} functions[] = {
#define ENTRY(name_, function_, has_alpha_, alpha_, has_beta_, beta_)                             \
  {                                                                                               \
    name_, has_alpha_, has_beta_, { { function_##_FLOAT32, function_##_FLOAT64 }, alpha_, beta_ } \
  }
  ENTRY ("Relu", relu, FALSE, 0, FALSE, 0),
  ENTRY ("Tanh", tanh, FALSE, 0, FALSE, 0),
  ENTRY ("Sigmoid", sigmoid, FALSE, 0, FALSE, 0),
  ENTRY ("Affine", affine, TRUE, 1, TRUE, 0),
  ENTRY ("LeakyRelu", leaky_relu, TRUE, 0.01, FALSE, 0),
  ENTRY ("ThresholdedRelu", thresholded_relu, TRUE, 1, FALSE, 0),
  ENTRY ("ScaledTanh", scaled_tanh, TRUE, 1, TRUE, 1),
  ENTRY ("HardSigmoid", hard_sigmoid, TRUE, 0.2, TRUE, 0.5),
  ENTRY ("Elu", elu, TRUE, 1, FALSE, 0),
  ENTRY ("Softsign", softsign, FALSE, 0, FALSE, 0),
  ENTRY ("Softplus", softplus, FALSE, 0, FALSE, 0),
#undef ENTRY
};

/* Where the list of numbers of activations has got to. */
static double
take_number (SymKernel *kernel, const char *name, int *place, double fallback)
{
  double numbers[2 * SYM_OP_RECURRENT_FUNCTIONS];
  int n = sym_kernel_get_floats (kernel, name, numbers, G_N_ELEMENTS (numbers));

  if (*place >= MIN (n, (int) G_N_ELEMENTS (numbers)))
    return fallback;
  return numbers[(*place)++];
}

/* The name of activation @i of all directions. */
static const char *
get_function_name (SymOpRecurrent *self, const SymValue *names, int i)
{
  if (names == NULL || sym_value_get_n_children (names) == 0)
    return self->klass->functions[i % self->klass->n_functions];
  return sym_value_get_string (sym_value_get_child (names, (guint) i));
}

static gboolean
find_function (SymOpRecurrent *self,
               const char *name,
               int places[2],
               SymOpRecurrentFunction *function,
               GError **error)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (functions); i++)
    if (g_ascii_strcasecmp (functions[i].name, name) == 0)
      {
        *function = functions[i].function;
        if (functions[i].has_alpha)
          function->alpha =
              take_number (self->kernel, "activation_alpha", &places[0], function->alpha);
        if (functions[i].has_beta)
          function->beta =
              take_number (self->kernel, "activation_beta", &places[1], function->beta);
        return TRUE;
      }
  return sym_kernel_fail (error, "there is no activation %s", name == NULL ? "without name" : name);
}

/* Numbers are taken in the order of the activations that have some. */
gboolean
sym_op_recurrent_find_functions (SymOpRecurrent *self, GError **error)
{
  const SymValue *names =
      sym_attributes_find (sym_kernel_get_attributes (self->kernel), "activations");
  int n = self->klass->n_functions, n_all = n * (int) self->n_directions, places[2] = { 0 };
  int n_names = names == NULL ? 0 : (int) sym_value_get_n_children (names);

  if (n_names != 0 && n_names != n_all)
    return sym_kernel_fail (error, "there are %d activations; there should be %d", n_names, n_all);
  for (int i = 0; i < n * (int) (self->direction + 1); i++)
    if (!find_function (self, get_function_name (self, names, i), places, &self->functions[i % n],
                        error))
      return FALSE;
  return TRUE;
}
