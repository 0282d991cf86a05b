/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "io/sym-io.h"
#include "io/sym-keras-write-arrays.h"
#include "io/sym-keras-write-private.h"

/* What was read, with zeros for its weights, is written as Keras has it, but for the files: the
 * config is read again, and each array has a place of its own among those of its layer. */

/* Larger weights stay without numbers. */
#define MAX_ELEMENTS 4096

static void
give_weight (SymParameter *parameter, SymType type)
{
  g_autofree char *zeros = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (SymTensor) tensor = NULL;
  guint64 n, size;

  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = SYM_DTYPE_FLOAT32;
  if (sym_parameter_get_tensor (parameter) != NULL || !sym_shape_get_n_elements (&type.shape, &n) ||
      n > MAX_ELEMENTS || !sym_dtype_get_size (type.dtype, n, &size))
    return;
  zeros = g_malloc0 (size + 1);
  bytes = g_bytes_new_take (g_steal_pointer (&zeros), size);
  blob = sym_blob_new_bytes (bytes);
  tensor = sym_tensor_new (type.dtype, &type.shape, blob, 0, NULL);
  if (tensor != NULL)
    sym_parameter_set_tensor (parameter, tensor);
}

static void
give_weights (SymModel *model, GHashTable *seen)
{
  if (!g_hash_table_add (seen, model))
    return;
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_get_layer (model, call);

      for (guint i = 0; i < sym_layer_get_n_parameters (layer); i++)
        {
          const SymType *type;
          SymParameter *parameter = sym_layer_get_parameter (layer, i, NULL, &type);

          give_weight (parameter, type == NULL ? SYM_TYPE_UNKNOWN : *type);
        }
      for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
        give_weights (sym_layer_get_body (layer, i, NULL), seen);
    }
}

static void
check_arrays (const SymKerasArrays *arrays)
{
  guint n = 0;

  g_assert_cmpuint (arrays->names->len, ==, arrays->tensors->len);
  for (guint i = 0; i < arrays->groups->len; i++)
    {
      const SymKerasGroup *group = &g_array_index (arrays->groups, SymKerasGroup, i);
      g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

      g_assert_cmpuint (group->n, >, 0);
      g_assert_cmpuint (group->first, ==, n);
      for (; n < group->first + group->n; n++)
        g_assert_true (g_hash_table_add (names, arrays->names->pdata[n]));
    }
  g_assert_cmpuint (n, ==, arrays->names->len);
}

static gboolean
finish (SymModel *model,
        const SymKerasOrigin *origin,
        const GString *config,
        const char *path,
        SymProblems *notes,
        GError **error)
{
  g_autoptr (GBytes) text = g_bytes_new (config->str, config->len);
  g_autoptr (SymKerasArrays) arrays =
      sym_keras_arrays_new (model, origin == NULL ? 3 : origin->major);
  g_autoptr (SymModel) again = sym_io_read_bytes (text, path, error);

  g_assert_nonnull (again);
  check_arrays (arrays);
  sym_keras_arrays_tell_lost (arrays, notes);
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) text = g_bytes_new (bytes, size);
  g_autoptr (SymModel) model = sym_io_read_bytes (text, "fuzz", NULL);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) error = NULL;

  if (model == NULL)
    return 0;
  give_weights (model, seen);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_true (sym_keras_write_with (model, inference, "fuzz", notes, finish, &error) ==
                 (error == NULL));
  return 0;
}
