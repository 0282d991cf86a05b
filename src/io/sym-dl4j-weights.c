/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-problem-lack.h"
#include "io/sym-dl4j.h"
#include "io/sym-net-constants.h"
#include "store/sym-store-external.h"
#include "store/sym-store-nd4j.h"

/* All parameters lie in one array, layer after layer: in a graph in the order in which
 * Deeplearning4j computes its vertices.  Matrices are in Fortran order behind each other; of
 * convolutions the bias comes first, and their weights are in C order (the classes of
 * org.deeplearning4j.nn.params). */

#define FILE_NAME "coefficients.bin"

/* ---- The file ---- */

/* NULL without one, and one that is wrong is told. */
static SymStoreNd4j *
open_beside (SymNet *net, const SymIoSource *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymBlob) blob = sym_net_open_file (source, FILE_NAME, NULL);
  SymStoreNd4j *array = blob == NULL ? NULL : sym_store_nd4j_open (blob, FILE_NAME, &error);

  if (error != NULL)
    sym_problems_add_lack (source->problems, SYM_SEVERITY_ERROR, 0,
                           "the parameters beside the graph cannot be read: %s", error->message);
  return array;
}

gboolean
sym_dl4j_open_weights (SymNet *net,
                       const SymIoSource *source,
                       SymStoreNd4j **weights,
                       GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymBlob) blob = NULL;

  if (source->weights == NULL)
    {
      *weights = open_beside (net, source);
      return TRUE;
    }
  blob = sym_store_open_file (source->weights, &cause);
  *weights = blob == NULL ? NULL : sym_store_nd4j_open (blob, source->weights, &cause);
  if (*weights != NULL)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be read: %s",
               cause->message);
  return FALSE;
}

/* ---- Layers ---- */

static gboolean
is_convolution (const SymDl4jLayer *layer)
{
  static const char *const names[] = {
    "Convolution1DLayer", "Convolution3D",          "ConvolutionLayer",
    "Deconvolution2D",    "DepthwiseConvolution2D", "SeparableConvolution2D",
  };

  for (guint i = 0; layer->op != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (layer->op->name, names[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Numbers that only training has: the centres of classes. */
static guint64
count_hidden (const SymDl4jLayer *layer, const SymOpDl4jParameter *list)
{
  guint64 n = 0;

  if (layer->op == NULL || strcmp (layer->op->name, "CenterLossOutputLayer") != 0)
    return 0;
  sym_shape_get_n_elements (&list[0].shape, &n);
  return n;
}

/* How many numbers the layer has; FALSE where a size is not known. */
static gboolean
count_numbers (const SymDl4jLayer *layer, guint64 *n)
{
  SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS];
  guint n_list = sym_op_dl4j_list_parameters (layer->op, layer->attributes, list);
  guint64 part;

  if (n_list != layer->n_parameters)
    return FALSE;
  *n = n_list == 0 ? 0 : count_hidden (layer, list);
  for (guint i = 0; i < n_list; i++)
    {
      if (!sym_shape_is_known (&list[i].shape) ||
          !sym_shape_get_n_elements (&list[i].shape, &part) || !g_uint64_checked_add (n, *n, part))
        return FALSE;
    }
  return TRUE;
}

static gboolean
give (SymNet *net,
      const SymDl4jLayer *layer,
      guint i,
      const SymOpDl4jParameter *parameter,
      const SymStoreNd4j *weights,
      guint64 *at,
      GError **error)
{
  SymModelBuilder *builder = sym_net_get_builder (net);
  SymType type = sym_type_tensor (sym_store_nd4j_get_dtype (weights), parameter->shape);
  g_autoptr (SymTensor) tensor =
      sym_store_nd4j_get (weights, *at, &parameter->shape, !is_convolution (layer), error);
  guint64 n = 0;

  if (tensor == NULL)
    return FALSE;
  sym_shape_get_n_elements (&parameter->shape, &n);
  *at += n;
  sym_model_builder_set_type (builder, layer->parameters[i], &type);
  sym_model_builder_set_parameter (
      builder, layer->parameters[i],
      sym_parameter_new (!layer->is_frozen && !parameter->is_auxiliary, tensor));
  return TRUE;
}

static gboolean
give_all (SymNet *net,
          const SymDl4jLayer *layer,
          const SymStoreNd4j *weights,
          guint64 *at,
          GError **error)
{
  SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS];
  guint n = sym_op_dl4j_list_parameters (layer->op, layer->attributes, list);
  guint first = n > 0 && is_convolution (layer) && strcmp (list[n - 1].name, "b") == 0 ? n - 1 : 0;

  for (guint i = 0; i < n; i++)
    {
      guint which = (first + i) % n;

      if (!give (net, layer, which, &list[which], weights, at, error))
        return FALSE;
    }
  if (n > 0)
    *at += count_hidden (layer, list);
  return TRUE;
}

gboolean
sym_dl4j_bind_weights (SymNet *net,
                       SymDl4jLayer *const *layers,
                       guint n,
                       const SymStoreNd4j *weights)
{
  guint64 all = 0, at = 0, part;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    if (!count_numbers (layers[i], &part) || !g_uint64_checked_add (&all, all, part))
      {
        sym_net_warn_of_lack (net, layers[i]->token,
                              "the weights are not used: how many numbers '%s' has is not known",
                              layers[i]->name);
        return FALSE;
      }
  if (all != sym_store_nd4j_get_n (weights))
    {
      sym_net_warn_of_lack (net, 0,
                            "the weights are not used: there are %" G_GUINT64_FORMAT
                            " numbers, and the layers have %" G_GUINT64_FORMAT,
                            sym_store_nd4j_get_n (weights), all);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (!give_all (net, layers[i], weights, &at, &error))
      {
        sym_net_warn_of_lack (net, layers[i]->token, "the weights are not used: %s",
                              error->message);
        return FALSE;
      }
  return TRUE;
}
