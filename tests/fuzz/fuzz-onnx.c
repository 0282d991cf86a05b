/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "io/sym-onnx-text-private.h"
#include "io/sym-proto-json.h"

#include <string.h>

/* What was read is inferred, and its small weights are looked at. */
static void
read_weights (const SymModel *model)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymTensor *tensor = sym_model_get_tensor (model, value);
      guint8 byte;

      if (tensor == NULL || sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING ||
          sym_tensor_get_n_bytes (tensor) == 0)
        continue;
      g_assert_true (
          sym_tensor_read (tensor, sym_tensor_get_n_bytes (tensor) - 1, 1, &byte, NULL) ||
          sym_tensor_get_n_bytes (tensor) > 65536);
    }
}

static gboolean
add_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  g_byte_array_append (out, bytes, (guint) size);
  return TRUE;
}

/* The model as a file; NULL when ONNX cannot express it. */
static GBytes *
write_model (SymModel *model, const SymInference *inference)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (SymProto) document = NULL;
  g_autoptr (GError) error = NULL;
  const SymProtoMessage *message = sym_onnx_make_model (model, inference, NULL, &document, &error);

  g_assert_true ((message == NULL) == (error != NULL));
  if (message == NULL)
    return NULL;
  g_assert_true (sym_proto_write (message, add_bytes, out, NULL));
  return g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

/* What is written reads as the same model, and is written so again. */
static void
write_twice (SymModel *model, const SymInference *inference)
{
  g_autoptr (GBytes) first = write_model (model, inference);
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GBytes) second = NULL;

  if (first == NULL)
    return;
  again = sym_io_read_bytes (first, "fuzz", NULL);
  if (again == NULL) /* nothing by which it could be recognised was left of it */
    return;
  g_assert_cmpuint (sym_model_get_n_values (model), ==, sym_model_get_n_values (again));
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, sym_model_get_n_calls (again));
  second = write_model (again, NULL);
  g_assert_true (second != NULL && g_bytes_equal (first, second));
}

static gboolean
add_text (gpointer out, const void *bytes, gsize size, GError **error)
{
  g_string_append_len (out, bytes, (gssize) size);
  return TRUE;
}

static char *
write_json (const SymProtoMessage *message)
{
  g_autoptr (GString) out = g_string_new (NULL);

  return sym_proto_write_json (message, 0, add_text, out, NULL, NULL)
             ? g_string_free (g_steal_pointer (&out), FALSE)
             : NULL;
}

/* What JSON says of the message it says again of what it is read as. */
static void
go_through_json (const SymProtoMessage *message)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autofree char *first = write_json (message);
  g_autofree char *second = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymJson) json = NULL;
  g_autoptr (SymProto) document = NULL;
  SymProtoMessage *root;

  if (first == NULL)
    return;
  bytes = g_bytes_new (first, strlen (first));
  json = sym_json_parse (bytes, NULL, NULL);
  g_assert_nonnull (json);
  document = sym_proto_read_json (json, 0, message->type, &root, problems, NULL);
  g_assert_nonnull (document);
  second = write_json (root);
  g_assert_cmpstr (first, ==, second);
}

static GString *
write_text (const SymProtoMessage *message)
{
  g_autoptr (SymOnnxFile) file =
      sym_onnx_file_new (message->document, message, SYM_ONNX_TEXT, NULL);
  g_autoptr (GString) out = g_string_new (NULL);
  SymOnnxPrinter printer = { .out = out, .file = file };

  return sym_onnx_text_print_model (&printer, message, NULL) ? g_steal_pointer (&out) : NULL;
}

/* The same with text, where it has words for all. */
static void
go_through_text (const SymProtoMessage *message)
{
  g_autoptr (GString) first = write_text (message);
  g_autoptr (GString) second = NULL;
  g_autoptr (SymProto) document = sym_proto_new (NULL);
  SymOnnxText text = { .document = document, .line = 1 };
  SymProtoMessage *root;

  if (first == NULL)
    return;
  text.at = text.start = text.line_at = first->str;
  text.end = first->str + first->len;
  root = sym_onnx_text_read_model (&text, NULL);
  g_assert_nonnull (root);
  sym_proto_sort (document);
  second = write_text (root);
  g_assert_true (second != NULL && g_string_equal (first, second));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (all, "fuzz", &error);
  g_autoptr (SymInference) inference = NULL;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL || !g_str_has_prefix (sym_model_get_format (model), "onnx"))
    return 0;

  read_weights (model);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  write_twice (model, inference);
  go_through_json (sym_onnx_get_origin (model)->file->model);
  go_through_text (sym_onnx_get_origin (model)->file->model);
  return 0;
}
