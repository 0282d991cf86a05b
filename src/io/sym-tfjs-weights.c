/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-weights.h"

#include <string.h>

#include "core/sym-problem-lack.h"
#include "io/sym-net-constants.h"
#include "io/sym-net-keys.h"
#include "store/sym-store-blobs.h"
#include "store/sym-store-external.h"

typedef struct {
  SymType type;
  SymTensor *tensor;
  GRefString *lack; /* why there is no tensor, interned; NULL when not known */
  guint64 end;      /* of its bytes within those of its group */
} Weight;

/* Whatever a file seems to have. */
#define MOST_EXPECTED 16384

struct _SymTfjsWeights {
  GArray *weights;   /* of Weight */
  SymNetKeys *names; /* @first: the place of the last that has it */
};

static void
clear_weight (gpointer data)
{
  Weight *self = data;

  g_clear_pointer (&self->tensor, sym_tensor_unref);
  g_clear_pointer (&self->lack, g_ref_string_release);
}

void
sym_tfjs_weights_free (SymTfjsWeights *self)
{
  g_array_unref (self->weights);
  sym_net_keys_free (self->names);
  g_free (self);
}

gboolean
sym_tfjs_weights_find (const SymTfjsWeights *self,
                       const char *name,
                       SymType *type,
                       SymTensor **tensor,
                       const char **lack)
{
  const SymNetKey *key = sym_net_keys_find (self->names, name, strlen (name));
  const Weight *weight;

  if (key == NULL)
    return FALSE;
  weight = &g_array_index (self->weights, Weight, key->first);
  *type = weight->type;
  *tensor = weight->tensor;
  *lack = weight->tensor != NULL ? NULL : weight->lack;
  return TRUE;
}

static void
warn (const SymJson *json, const SymIoSource *source, guint token, const char *message)
{
  sym_problems_add (source->problems, SYM_SEVERITY_WARNING, sym_json_get_line (json, token),
                    SYM_NO_ID, SYM_NO_ID, "%s", message);
}

/* What leaves weights without numbers. */
static void
warn_of_lack (const SymJson *json, const SymIoSource *source, guint token, const char *message)
{
  sym_problems_add_lack (source->problems, SYM_SEVERITY_WARNING, sym_json_get_line (json, token),
                         "%s", message);
}

/* ---- Files ---- */

/* Beside what the user chose, which is one of the files or their folder; else beside the graph. */
static SymBlob *
open_part (const SymIoSource *source, const char *path, GError **error)
{
  g_autofree char *folder = NULL;

  if (source->weights == NULL)
    return sym_net_open_file (source, path, error);
  folder = g_file_test (source->weights, G_FILE_TEST_IS_DIR) ? g_strdup (source->weights)
                                                             : g_path_get_dirname (source->weights);
  return sym_store_open_beside (folder, path, error);
}

gboolean
sym_tfjs_weights_check (const SymIoSource *source, GError **error)
{
  if (source->weights == NULL || g_file_test (source->weights, G_FILE_TEST_EXISTS))
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE,
               "the weights cannot be read: there is no such file or folder");
  return FALSE;
}

/* The files of a group up to the first that is missing, of which *@lack tells: where the rest would
 * begin nobody knows. */
static GPtrArray *
open_group (const SymJson *json, guint group, const SymIoSource *source, char **lack)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_blob_unref);
  guint paths = sym_json_get_member (json, group, "paths");

  for (SymJsonIter i = sym_json_iterate (json, paths); sym_json_iter_next (json, &i);)
    {
      g_autofree char *path = sym_json_dup_string (json, i.value);
      g_autoptr (GError) error = NULL;
      SymBlob *part = path == NULL ? NULL : open_part (source, path, &error);

      if (part == NULL)
        {
          *lack = g_strdup_printf ("weights in '%s' are missing: %s", path == NULL ? "" : path,
                                   error == NULL ? "its name is no string" : error->message);
          warn_of_lack (json, source, i.value, *lack);
          break;
        }
      g_ptr_array_add (parts, part);
    }
  if (parts->len == 0 && *lack == NULL &&
      sym_json_count (json, sym_json_get_member (json, group, "weights")) > 0)
    {
      *lack = g_strdup ("a group of weights has no list of its files, 'paths'");
      warn_of_lack (json, source, group, *lack);
    }
  return parts;
}

/* Files of a group are of one size but for the last, which is smaller: of those that are too short
 * together, the first that is smaller than the next is cut off, or the last.  Gives where it
 * ends. */
static guint64
find_cut (const GPtrArray *parts, guint *place)
{
  guint64 end = 0;

  for (*place = 0; *place < parts->len; (*place)++)
    {
      const SymBlob *part = g_ptr_array_index (parts, *place);

      end += part->size;
      if (*place + 1 == parts->len ||
          part->size < ((const SymBlob *) g_ptr_array_index (parts, *place + 1))->size)
        break;
    }
  return end;
}

/* ---- Weights ---- */

typedef struct {
  SymDType stored;
  double scale, minimum;
  gboolean is_whole; /* both are there, or not needed */
} Quantization;

/* {"dtype": "uint8", "scale": 0.1, "min": -3.2}; with float16 neither scale nor min. */
static Quantization
read_quantization (const SymJson *json, guint quantization, SymDType dtype)
{
  g_autofree char *stored =
      sym_json_dup_string (json, sym_json_get_member (json, quantization, "dtype"));
  Quantization result = { dtype, 1, 0, TRUE };
  gboolean has_scale, has_minimum;

  if (stored == NULL)
    return result;
  result.stored = sym_net_parse_dtype (stored);
  has_scale =
      sym_json_get_double (json, sym_json_get_member (json, quantization, "scale"), &result.scale);
  has_minimum =
      sym_json_get_double (json, sym_json_get_member (json, quantization, "min"), &result.minimum);
  result.is_whole =
      result.stored == SYM_DTYPE_FLOAT16 || result.stored == dtype || (has_scale && has_minimum);
  return result;
}

static gboolean
can_scale (const Quantization *quantization, SymDType dtype)
{
  return (quantization->stored == SYM_DTYPE_UINT8 || quantization->stored == SYM_DTYPE_UINT16 ||
          quantization->stored == SYM_DTYPE_FLOAT16) &&
         (dtype == SYM_DTYPE_FLOAT32 || dtype == SYM_DTYPE_INT32);
}

/* What is wrong with a weight, so that its place and those of the following cannot be told; NULL
 * for nothing. */
static const char *
find_fault (const Quantization *quantization, const Weight *weight, guint64 *n, guint64 *size)
{
  if (weight->type.shape.rank < 0)
    return "its shape is no list of sizes";
  if (!sym_shape_get_n_elements (&weight->type.shape, n))
    return "its shape is too large";
  if (weight->type.dtype == SYM_DTYPE_STRING)
    return NULL;
  if (!quantization->is_whole)
    return "its quantization needs 'scale' and 'min', both numbers";
  return sym_dtype_get_size (quantization->stored, *n, size) &&
                 (quantization->stored == weight->type.dtype ||
                  can_scale (quantization, weight->type.dtype))
             ? NULL
             : "its dtype or its quantization is not known";
}

/* FALSE when the size of what is stored cannot be told. */
static gboolean
make_tensor (SymBlob *bytes,
             guint64 *at,
             const Quantization *quantization,
             Weight *weight,
             GCancellable *cancellable,
             GError **error)
{
  gboolean is_scaled = quantization->stored != weight->type.dtype;
  guint64 n = 0, size = 0, start = *at;
  const char *fault = find_fault (quantization, weight, &n, &size);
  g_autoptr (SymBlob) scaled = NULL;

  if (fault != NULL)
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED, fault);
      return FALSE;
    }
  if (weight->type.dtype == SYM_DTYPE_STRING)
    return sym_store_skip_texts (bytes, n, at, cancellable, error);
  *at = size > G_MAXUINT64 - start ? G_MAXUINT64 : start + size;
  if (*at > bytes->size)
    return TRUE;
  if (is_scaled)
    scaled = sym_store_scale_blob (bytes, start, n, quantization->stored, weight->type.dtype,
                                   quantization->scale, quantization->minimum);
  weight->tensor = sym_tensor_new (weight->type.dtype, &weight->type.shape,
                                   is_scaled ? scaled : bytes, is_scaled ? 0 : start, error);
  return weight->tensor != NULL;
}

static SymShape
read_shape (const SymJson *json, guint array)
{
  SymShape shape = { .rank = 0 };

  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
    {
      gint64 size = -1;

      if (shape.rank == SYM_MAX_RANK || !sym_json_get_int (json, i.value, &size) || size < 0)
        return SYM_SHAPE_UNKNOWN;
      shape.dims[shape.rank++] = size;
    }
  return shape;
}

/* What ends behind @end has no numbers, of those from @first on: of a group. */
static void
drop_behind (SymTfjsWeights *self, guint first, guint64 end, const char *why)
{
  GRefString *lack = g_ref_string_new_intern (why);

  for (guint i = first; i < self->weights->len; i++)
    {
      Weight *weight = &g_array_index (self->weights, Weight, i);

      if (weight->end <= end)
        continue;
      g_clear_pointer (&weight->tensor, sym_tensor_unref);
      if (weight->lack == NULL)
        weight->lack = g_ref_string_acquire (lack);
    }
  g_ref_string_release (lack);
}

static void
drop_cut (SymTfjsWeights *self,
          guint first,
          const SymJson *json,
          guint group,
          const SymIoSource *source,
          const GPtrArray *parts,
          guint64 needed)
{
  guint place;
  guint64 cut = find_cut (parts, &place), n = 0;
  g_autofree char *path = sym_json_dup_string (
      json, sym_json_get_element (json, sym_json_get_member (json, group, "paths"), place));
  g_autofree char *message = NULL;

  for (guint i = 0; i < parts->len; i++)
    n += ((const SymBlob *) g_ptr_array_index (parts, i))->size;
  message = g_strdup_printf ("the files of these weights have %" G_GUINT64_FORMAT
                             " bytes and need %" G_GUINT64_FORMAT ": '%s' seems to be cut off",
                             n, needed, path == NULL ? "" : path);
  drop_behind (self, first, cut, message);
  warn_of_lack (json, source, group, message);
}

/* Gives where the bytes of all weights end, G_MAXUINT64 when nobody knows. */
static guint64
place_weights (SymTfjsWeights *self,
               const SymJson *json,
               guint weights,
               const SymIoSource *source,
               SymBlob *bytes)
{
  g_autofree char *lost = NULL; /* why the places of weights are no longer known */
  guint64 at = 0;

  for (SymJsonIter i = sym_json_iterate (json, weights); sym_json_iter_next (json, &i);)
    {
      static const char *const names[] = { "name", "shape", "dtype", "quantization", NULL };
      guint members[G_N_ELEMENTS (names) - 1];
      g_autoptr (GError) error = NULL;
      Quantization quantization;
      SymNetKey *name;
      Weight *weight;

      sym_json_get_members (json, i.value, names, members);
      name = sym_net_keys_enter_string (self->names, json, members[0]);
      if (name == NULL)
        continue;
      g_array_set_size (self->weights, self->weights->len + 1);
      weight = &g_array_index (self->weights, Weight, self->weights->len - 1);
      weight->type =
          sym_type_tensor (sym_net_read_dtype (json, members[2]), read_shape (json, members[1]));
      quantization = read_quantization (json, members[3], weight->type.dtype);
      if (lost == NULL &&
          !make_tensor (bytes, &at, &quantization, weight, source->cancellable, &error))
        {
          lost = g_strdup_printf ("the numbers of '%s' and of what follows cannot be read: %s",
                                  name->text, error->message);
          warn_of_lack (json, source, i.value, lost);
        }
      if (lost != NULL)
        weight->lack = g_ref_string_new_intern (lost);
      else if (weight->type.dtype == SYM_DTYPE_STRING)
        weight->lack = g_ref_string_new_intern ("strings of TensorFlow.js are not read");
      weight->end = at;
      name->first = self->weights->len - 1;
    }
  return lost != NULL ? G_MAXUINT64 : at;
}

static void
add_group (SymTfjsWeights *self, const SymJson *json, guint group, const SymIoSource *source)
{
  g_autofree char *lack = NULL;
  g_autoptr (GPtrArray) parts = open_group (json, group, source, &lack);
  g_autoptr (SymBlob) bytes = sym_store_join_blobs ((SymBlob *const *) parts->pdata, parts->len);
  guint first = self->weights->len;
  guint64 end =
      place_weights (self, json, sym_json_get_member (json, group, "weights"), source, bytes);

  if (lack != NULL)
    drop_behind (self, first, bytes->size, lack);
  if (end == G_MAXUINT64)
    return;
  if (end < bytes->size)
    warn (json, source, group, "the files of the weights are longer than the weights");
  else if (end > bytes->size && lack == NULL && parts->len > 0)
    drop_cut (self, first, json, group, source, parts, end);
}

SymTfjsWeights *
sym_tfjs_weights_new (const SymJson *json, guint manifest, const SymIoSource *source)
{
  SymTfjsWeights *self = g_new0 (SymTfjsWeights, 1);
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, manifest); sym_json_iter_next (json, &i);)
    n += sym_json_count (json, sym_json_get_member (json, i.value, "weights"));
  self->weights = g_array_sized_new (FALSE, TRUE, sizeof (Weight), MIN (n, MOST_EXPECTED));
  g_array_set_clear_func (self->weights, clear_weight);
  self->names = sym_net_keys_new ();
  sym_net_keys_expect (self->names, MIN (n, MOST_EXPECTED));
  for (SymJsonIter i = sym_json_iterate (json, manifest); sym_json_iter_next (json, &i);)
    add_group (self, json, i.value, source);
  return self;
}
