/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-flexbuffer.h"
#include "io/sym-json-private.h"
#include "io/sym-proto-json.h"
#include "io/sym-tensorflow-messages.h"
#include "io/sym-tfjs-private.h"
#include "io/sym-tflite.h"
#include "ops/sym-op.h"

/* Options of operators that are not built in: a FlexBuffer, by convention.  Those called Flex...
 * are TensorFlow's own, whose options are a name and a NodeDef.  Those of MediaPipe have structs of
 * C. */

#define FLEX "Flex"

static GBytes *
read_options (const SymJson *json, guint list)
{
  GByteArray *bytes = g_byte_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      gint64 number = -1;
      guint8 byte;

      if (!sym_json_get_int (json, i.value, &number) || number < 0 || number > G_MAXUINT8)
        break;
      byte = (guint8) number;
      g_byte_array_append (bytes, &byte, 1);
    }
  return g_byte_array_free_to_bytes (bytes);
}

/* Of a map each member, of anything else the whole. */
static void
set_options (const SymValue *options, SymAttributes *attributes)
{
  if (sym_value_get_kind (options) != SYM_VALUE_DICT)
    {
      sym_attributes_set (attributes, "custom_options", sym_value_ref ((SymValue *) options), NULL);
      return;
    }
  for (guint i = 0; i < sym_value_get_n_children (options); i++)
    sym_attributes_set (attributes, sym_value_get_key (options, i),
                        sym_value_ref ((SymValue *) sym_value_get_child (options, i)), NULL);
}

/* ---- TensorFlow's operators ---- */

/* A NodeDef is text where its bytes happen to be some, else a list of them. */
static GBytes *
get_node (const SymValue *options)
{
  const SymValue *node;
  const char *text;
  gint64 *bytes;
  guint8 *node_bytes;
  int n;

  if (sym_value_get_kind (options) != SYM_VALUE_LIST || sym_value_get_n_children (options) != 2)
    return NULL;
  node = sym_value_get_child (options, 1);
  if (sym_value_get_kind (node) == SYM_VALUE_OPAQUE)
    return NULL;
  text = sym_value_get_string (node);
  if (text != NULL)
    return g_bytes_new (text, strlen (text));
  n = sym_value_get_ints (node, NULL, 0);
  if (n < 0)
    return NULL;
  bytes = g_new (gint64, (gsize) n + 1);
  node_bytes = g_new (guint8, (gsize) n + 1);
  sym_value_get_ints (node, bytes, n);
  for (int i = 0; i < n; i++)
    node_bytes[i] = (guint8) bytes[i];
  g_free (bytes);
  return g_bytes_new_take (node_bytes, (gsize) n);
}

static gboolean
append (gpointer out, const void *bytes, gsize size, GError **error)
{
  (void) error;
  g_string_append_len (out, bytes, (gssize) size);
  return TRUE;
}

static gboolean
read_node (GBytes *bytes, SymAttributes *attributes, GError **error)
{
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymProtoMessage *root;
  g_autoptr (SymProto) node = sym_proto_read (blob, &sym_tensorflow_node_type, &root, NULL, error);
  g_autoptr (GBytes) text = NULL;
  g_autoptr (SymJson) json = NULL;
  g_autoptr (SymAttributes) read = NULL;
  GString *out;

  if (node == NULL)
    return FALSE;
  out = g_string_new (NULL);
  sym_proto_write_json (root, 0, append, out, NULL, NULL);
  text = g_string_free_to_bytes (out);
  json = sym_json_parse_bounded (text, SYM_JSON_MAX_VALUES, NULL, NULL, error);
  if (json == NULL)
    return FALSE;
  read = sym_tfjs_read_attributes (json, sym_json_get_member (json, 0, "attr"));
  for (guint i = 0; i < sym_attributes_get_n (read); i++)
    sym_attributes_set_same (attributes, read, i);
  return TRUE;
}

/* ---- MediaPipe's ---- */

/* Integers of 32 bits: padding, of which 1 is SAME, and the steps to the right and down, with which
 * TfLiteTransposeConvParams begins, then what TfLitePoolParams goes on with: the window and an
 * activation. */
static const struct {
  const char *type;
  guint n;
} structs[] = {
  { "Convolution2DTransposeBias", 3 },
  { "MaxPoolingWithArgmax2D", 6 },
  { "MaxUnpooling2D", 6 },
};

/* How many integers the struct of a type has; 0 for those that have none. */
static guint
count_integers (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (structs); i++)
    if (strcmp (type, structs[i].type) == 0)
      return structs[i].n;
  return 0;
}

static gboolean
read_struct (const guint8 *bytes, gsize size, guint n, SymAttributes *attributes, GError **error)
{
  static const char *const names[] = { "stride_w", "stride_h", "filter_width", "filter_height" };
  static const char *const activations[] = { "RELU", "RELU_N1_TO_1", "RELU6" };
  gint32 numbers[6] = { 0 };

  if (size < n * sizeof *numbers)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "%s take %u bytes, and %" G_GSIZE_FORMAT " are there",
                   n == 3 ? "padding and steps" : "padding, steps, window and activation",
                   n * (guint) sizeof *numbers, size);
      return FALSE;
    }
  memcpy (numbers, bytes, n * sizeof *numbers);
  for (guint i = 0; i < n; i++)
    numbers[i] = GINT32_FROM_LE (numbers[i]);
  sym_attributes_set (attributes, "padding",
                      sym_value_new_string (numbers[0] == 1 ? "SAME" : "VALID"), NULL);
  for (guint i = 1; i < MIN (n, 5); i++)
    sym_attributes_set (attributes, names[i - 1], sym_value_new_int (numbers[i]), NULL);
  if (numbers[5] >= 1 && numbers[5] <= (gint32) G_N_ELEMENTS (activations))
    sym_attributes_set (attributes, "fused_activation_function",
                        sym_value_new_string (activations[numbers[5] - 1]), NULL);
  return TRUE;
}

gboolean
sym_tflite_is_flex (const char *type)
{
  return g_str_has_prefix (type, FLEX) && type[strlen (FLEX)] != '\0';
}

const SymOperator *
sym_tflite_find_operator (const char *type)
{
  return sym_tflite_is_flex (type) ? sym_op_find ("tf", type + strlen (FLEX), 0)
                                   : sym_op_find ("tflite", type, 0);
}

/* What a FlexBuffer holds. */
static gboolean
read_flexible (const guint8 *bytes,
               gsize size,
               const char *type,
               SymAttributes *attributes,
               GError **error)
{
  g_autoptr (SymValue) options = sym_flexbuffer_read (bytes, size, error);
  g_autoptr (GBytes) node = NULL;

  if (options == NULL)
    return FALSE;
  if (!sym_tflite_is_flex (type))
    {
      set_options (options, attributes);
      return TRUE;
    }
  node = get_node (options);
  if (node != NULL)
    return read_node (node, attributes, error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "they hold no NodeDef");
  return FALSE;
}

gboolean
sym_tflite_read_custom (SymNet *net, guint op, const char *type, SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GBytes) bytes = read_options (json, sym_json_get_member (json, op, "custom_options"));
  g_autoptr (GError) error = NULL;
  guint n = count_integers (type);
  gsize size;
  const guint8 *start = g_bytes_get_data (bytes, &size);

  if (size == 0 && n == 0)
    return TRUE;
  if (n > 0 ? read_struct (start, size, n, attributes, &error)
            : read_flexible (start, size, type, attributes, &error))
    return TRUE;
  sym_net_warn (net, op, "the options of a layer of type %s are not read: %s", type,
                error->message);
  return FALSE;
}
