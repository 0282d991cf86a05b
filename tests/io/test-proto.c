/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"
#include "io/sym-onnx-messages.h"
#include "io/sym-proto-text.h"

#include <string.h>

static gboolean
add_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  g_byte_array_append (out, bytes, (guint) size);
  return TRUE;
}

static SymProto *
read_bytes (const void *bytes,
            gsize size,
            const SymProtoType *type,
            SymProtoMessage **root,
            GError **error)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (all);

  return sym_proto_read (blob, type, root, NULL, error);
}

static GByteArray *
write_bytes (const SymProtoMessage *message)
{
  GByteArray *out = g_byte_array_new ();

  g_assert_true (sym_proto_write (message, add_bytes, out, NULL));
  return out;
}

static void
assert_written (const SymProtoMessage *message, const void *bytes, gsize size)
{
  g_autoptr (GByteArray) out = write_bytes (message);

  g_assert_cmpmem (out->data, out->len, bytes, size);
}

static void
test_empty (void)
{
  g_autoptr (GError) error = NULL;
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes ("", 0, &sym_onnx_model_type, &root, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (root->n, ==, 0);
  g_assert_null (sym_proto_get_text (root, ONNX_MODEL_PRODUCER_NAME));
  g_assert_null (sym_proto_get_message (root, ONNX_MODEL_GRAPH));
  g_assert_cmpint (sym_proto_get_int (root, ONNX_MODEL_IR_VERSION, -1), ==, -1);
  assert_written (root, "", 0);
}

static void
test_values (void)
{
  static const char bytes[] = "\x08\x08"                                     /* ir_version 8 */
                              "\x12\x02me"                                   /* producer_name */
                              "\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" /* model_version -1 */
                              "\x3a\x05\x12\x03net"                          /* graph { name } */
                              "\x42\x04\x0a\x00\x10\x11"; /* opset_import { "", 17 } */
  SymProtoMessage *root;
  g_autoptr (SymProto) document =
      read_bytes (bytes, sizeof bytes - 1, &sym_onnx_model_type, &root, NULL);
  const SymProtoMessage *opset;

  g_assert_nonnull (document);
  g_assert_cmpint (sym_proto_get_int (root, ONNX_MODEL_IR_VERSION, 0), ==, 8);
  g_assert_cmpint (sym_proto_get_int (root, ONNX_MODEL_MODEL_VERSION, 0), ==, -1);
  g_assert_cmpstr (sym_proto_get_text (root, ONNX_MODEL_PRODUCER_NAME), ==, "me");
  g_assert_cmpstr (
      sym_proto_get_text (sym_proto_get_message (root, ONNX_MODEL_GRAPH), ONNX_GRAPH_NAME), ==,
      "net");
  opset = sym_proto_get_message (root, ONNX_MODEL_OPSET_IMPORT);
  g_assert_cmpstr (sym_proto_get_text (opset, ONNX_OPSET_DOMAIN), ==, "");
  g_assert_cmpint (sym_proto_get_int (opset, ONNX_OPSET_VERSION, 0), ==, 17);
  assert_written (root, bytes, sizeof bytes - 1);
}

static void
test_last_wins (void)
{
  static const char bytes[] = "\x08\x03\x08\x07";
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes (bytes, 4, &sym_onnx_model_type, &root, NULL);

  g_assert_cmpint (sym_proto_get_int (root, ONNX_MODEL_IR_VERSION, 0), ==, 7);
  assert_written (root, bytes, 4);
}

static void
test_merges_messages (void)
{
  static const char bytes[] = "\x3a\x03\x12\x01"
                              "a"
                              "\x3a\x03\x12\x01"
                              "b";
  static const char merged[] = "\x3a\x06\x12\x01"
                               "a"
                               "\x12\x01"
                               "b";
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes (bytes, 10, &sym_onnx_model_type, &root, NULL);

  g_assert_cmpuint (root->n, ==, 1);
  g_assert_cmpstr (
      sym_proto_get_text (sym_proto_get_message (root, ONNX_MODEL_GRAPH), ONNX_GRAPH_NAME), ==,
      "b");
  assert_written (root, merged, sizeof merged - 1);
}

/* Packed or not, in one field: [1, 2] 3 [] [300]. */
static void
test_packed (void)
{
  static const char bytes[] = "\x0a\x02\x01\x02\x08\x03\x0a\x00\x0a\x02\xac\x02";
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes (bytes, sizeof bytes - 1, &sym_onnx_tensor_type, &root, NULL);
  g_autoptr (GArray) dims = sym_proto_get_numbers (root, ONNX_TENSOR_DIMS);

  g_assert_cmpuint (dims->len, ==, 4);
  g_assert_cmpuint (g_array_index (dims, guint64, 2), ==, 3);
  g_assert_cmpuint (g_array_index (dims, guint64, 3), ==, 300);
  assert_written (root, bytes, sizeof bytes - 1);
}

static void
test_leaves_weights_in_file (void)
{
  static const char bytes[] = "\x4a\x04wxyz";
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes (bytes, 6, &sym_onnx_tensor_type, &root, NULL);
  const SymProtoEntry *entry = sym_proto_find (root, ONNX_TENSOR_RAW_DATA);

  g_assert_cmpint (entry->held, ==, SYM_PROTO_RANGE);
  g_assert_cmpuint (entry->value, ==, 2);
  g_assert_cmpuint (entry->size, ==, 4);
  assert_written (root, bytes, 6);
}

/* A varint, eight bytes, text and four bytes of fields that there are not, and a known one as
 * text. */
static void
test_keeps_unknown_fields (void)
{
  static const char bytes[] = "\xc0\x3e\x05\xc1\x3e"
                              "12345678"
                              "\xc2\x3e\x02hi\xc5\x3e"
                              "1234"
                              "\x0a\x01x";
  SymProtoMessage *root;
  g_autoptr (SymProto) document =
      read_bytes (bytes, sizeof bytes - 1, &sym_onnx_model_type, &root, NULL);

  g_assert_nonnull (document);
  g_assert_cmpint (sym_proto_get_int (root, ONNX_MODEL_IR_VERSION, -1), ==, -1);
  assert_written (root, bytes, sizeof bytes - 1);
}

static void
test_skips_groups (void)
{
  static const char bytes[] = "\x08\x01\x2b\x08\x01\x12\x01x\x33\x34\x2c\x10\x02";
  static const char kept[] = "\x08\x01\x10\x02";
  SymProtoMessage *root;
  g_autoptr (SymProto) document =
      read_bytes (bytes, sizeof bytes - 1, &sym_onnx_opset_type, &root, NULL);

  g_assert_nonnull (document);
  assert_written (root, kept, 4);
}

static void
test_shows_what_is_no_text (void)
{
  static const char bytes[] = "\x12\x03"
                              "a\0\xff";
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes (bytes, 5, &sym_onnx_model_type, &root, NULL);

  g_assert_cmpstr (sym_proto_get_text (root, ONNX_MODEL_PRODUCER_NAME), ==,
                   "a\xef\xbf\xbd\xef\xbf\xbd");
  assert_written (root, bytes, 5);
}

static void
test_replaces_in_place (void)
{
  static const char bytes[] = "\x12\x01"
                              "a"
                              "\x08\x01\x12\x01"
                              "b\x08\x02";
  SymProtoMessage *root, *copy;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_bytes (bytes, sizeof bytes - 1, &sym_onnx_model_type, &root, NULL);
  g_autoptr (SymProto) other = sym_proto_new (NULL);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));

  for (guint i = 0; i < 3; i++)
    {
      SymProtoEntry entry = { .number = 1, .held = SYM_PROTO_NUMBER, .value = 5 + i };

      g_array_append_val (entries, entry);
    }
  copy = sym_proto_copy (other, root);
  sym_proto_replace (copy, 1, entries);
  assert_written (copy,
                  "\x12\x01"
                  "a"
                  "\x08\x05\x12\x01"
                  "b\x08\x06\x08\x07",
                  12);
  g_array_set_size (entries, 1);
  sym_proto_replace (copy, 1, entries);
  assert_written (copy,
                  "\x12\x01"
                  "a"
                  "\x08\x05\x12\x01"
                  "b",
                  8);
  sym_proto_remove (copy, 1);
  sym_proto_replace (copy, 1, entries);
  assert_written (copy,
                  "\x08\x05\x12\x01"
                  "a"
                  "\x12\x01"
                  "b",
                  8);
  assert_written (root, bytes, sizeof bytes - 1);
}

typedef struct {
  const char *bytes;
  gsize size;
  const char *message;
} Refusal;

static void
test_refuses (void)
{
  static const Refusal refusals[] = {
    { "\x08", 1, "byte 1, in ModelProto: it ends within a number" },
    { "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11,
      "byte 1, in ModelProto: a number goes on beyond ten bytes" },
    { "\x12\x05hi", 4,
      "byte 2, in ModelProto: 'producer_name' is to have 5 bytes, but only 2 follow: the file may "
      "be cut short" },
    { "\x3a\x04\x12\x09"
      "ab",
      6,
      "byte 4, in GraphProto: 'name' is to have 9 bytes, but only 2 follow: the file may be cut "
      "short" },
    { "\x3a\x01\x12\x01"
      "a",
      5, "byte 3, in GraphProto: it ends within a number" },
    { "\x00\x01", 2, "byte 1, in ModelProto: there is no field number 0" },
    { "\x0c", 1,
      "byte 1, in ModelProto: field 1 has wire type 4, which ends a group that has not "
      "begun" },
    { "\x0e", 1, "byte 1, in ModelProto: field 1 has wire type 6, which there is not" },
    { "\x0b\x08", 2, "byte 2, in ModelProto: it ends within a number" },
    { "\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10,
      "byte 10, in ModelProto: 'producer_name' is to have 9223372036854775807 bytes, but only 0 "
      "follow: the file may be cut short" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autoptr (GError) error = NULL;
      SymProtoMessage *root = NULL;

      g_assert_null (
          read_bytes (refusals[i].bytes, refusals[i].size, &sym_onnx_model_type, &root, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_cmpstr (error->message, ==, refusals[i].message);
    }
}

/* type { sequence_type { elem_type { sequence_type ... */
static GByteArray *
nest_types (guint depth)
{
  g_autoptr (SymProto) document = sym_proto_new (NULL);
  const SymProtoMessage *inner = sym_proto_add (document, &sym_onnx_type_type);

  for (guint i = 1; i < depth; i++)
    {
      gboolean is_type = inner->type == &sym_onnx_type_type;
      SymProtoMessage *outer =
          sym_proto_add (document, is_type ? &sym_onnx_sequence_kind_type : &sym_onnx_type_type);

      sym_proto_append_message (outer, is_type ? 1 : ONNX_TYPE_SEQUENCE_TYPE, inner);
      inner = outer;
    }
  return write_bytes (inner);
}

static void
test_limits_depth (void)
{
  g_autoptr (GByteArray) most = nest_types (SYM_PROTO_MAX_DEPTH - 1);
  g_autoptr (GByteArray) more = nest_types (SYM_PROTO_MAX_DEPTH + 1);
  g_autoptr (SymProto) document = NULL;
  g_autoptr (GError) error = NULL;
  SymProtoMessage *root;

  document = read_bytes (most->data, most->len, &sym_onnx_type_type, &root, &error);
  g_assert_no_error (error);
  assert_written (root, most->data, most->len);
  g_assert_null (read_bytes (more->data, more->len, &sym_onnx_type_type, &root, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT);
}

static void
test_compares (void)
{
  static const char *const cases[] = { "\x3a\x03\x12\x01"
                                       "a",
                                       "\x3a\x03\x12\x01"
                                       "b",
                                       "\x08\x01", "\x08\x02", "\x3a\x00\x08\x01" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
      {
        static const gsize sizes[] = { 5, 5, 2, 2, 4 };
        SymProtoMessage *a, *b;
        G_GNUC_UNUSED g_autoptr (SymProto) x =
            read_bytes (cases[i], sizes[i], &sym_onnx_model_type, &a, NULL);
        G_GNUC_UNUSED g_autoptr (SymProto) y =
            read_bytes (cases[k], sizes[k], &sym_onnx_model_type, &b, NULL);

        g_assert_true (sym_proto_equal (a, b) == (i == k));
      }
}

/* ---- Text ---- */

static SymProto *
read_text (const char *text,
           gsize size,
           const SymProtoType *type,
           SymProtoMessage **root,
           GError **error)
{
  g_autoptr (GBytes) all = g_bytes_new (text, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (all);

  return sym_proto_read_text (blob, type, root, NULL, NULL, error);
}

/* The bytes are those of google.protobuf.text_format and SerializeToString. */
static void
test_text (void)
{
  static const char text[] =
      "dims: [2, 0x10] # two sizes\n dims: 010, data_type: 7; name: 'a\\n' \"b\\x41\\303\\251\"\n"
      "raw_data: '\\000\\200?\\'' segment < begin: 1 > external_data { key: \"k\" } "
      "external_data: { value: 'v' }";
  static const guint8 expected[] = { 0x08, 0x02, 0x08, 0x10, 0x08, 0x08, 0x10, 0x07, 0x1a,
                                     0x02, 0x08, 0x01, 0x42, 0x06, 0x61, 0x0a, 0x62, 0x41,
                                     0xc3, 0xa9, 0x4a, 0x04, 0x00, 0x80, 0x3f, 0x27, 0x6a,
                                     0x03, 0x0a, 0x01, 0x6b, 0x6a, 0x03, 0x12, 0x01, 0x76 };
  g_autoptr (GError) error = NULL;
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_text (text, strlen (text), &sym_onnx_tensor_type, &root, &error);

  g_assert_no_error (error);
  assert_written (root, expected, sizeof expected);
}

/* Numbers of both signs and widths, and those that have names. */
static void
test_text_numbers (void)
{
  static const char text[] =
      "data_type: BFLOAT16 int64_data: -3 int64_data: [9223372036854775807, -9223372036854775808] "
      "float_data: 1.5F float_data: -inf double_data: 1e-300 uint64_data: 18446744073709551615";
  static const gint64 integers[] = { -3, G_MAXINT64, G_MININT64 };
  static const guint32 floats[] = { 0x3fc00000, 0xff800000 };
  g_autoptr (GError) error = NULL;
  SymProtoMessage *root;
  G_GNUC_UNUSED g_autoptr (SymProto) document =
      read_text (text, strlen (text), &sym_onnx_tensor_type, &root, &error);
  guint at = 0;
  double real;

  g_assert_no_error (error);
  g_assert_cmpint (sym_proto_get_int (root, ONNX_TENSOR_DATA_TYPE, -1), ==, 16);
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++)
    g_assert_cmpint ((gint64) sym_proto_next (root, ONNX_TENSOR_INT64_DATA, &at)->value, ==,
                     integers[i]);
  at = 0;
  for (guint i = 0; i < G_N_ELEMENTS (floats); i++)
    g_assert_cmphex (sym_proto_next (root, ONNX_TENSOR_FLOAT_DATA, &at)->value, ==, floats[i]);
  memcpy (&real, &sym_proto_find (root, ONNX_TENSOR_DOUBLE_DATA)->value, sizeof real);
  g_assert_cmpfloat (real, ==, 1e-300);
  g_assert_cmphex (sym_proto_find (root, ONNX_TENSOR_UINT64_DATA)->value, ==, G_MAXUINT64);
}

/* Cut anywhere it is refused, and too deep it is refused. */
static void
test_damaged_text (void)
{
  static const char text[] =
      "graph { node { attribute { g < name: 'a\\101' > f: 1e5 ints: [1, 2] } } odd { x: [1] } }";
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  SymProtoMessage *root;

  for (gsize n = 1; n < strlen (text); n++)
    {
      g_autoptr (GError) cause = NULL;

      g_assert_null (read_text (text, n, &sym_onnx_model_type, &root, &cause));
      g_assert_error (cause, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_true (g_str_has_prefix (cause->message, "line 1, column "));
    }
  for (guint i = 0; i < 200; i++)
    g_string_append (deep, "odd {");
  g_assert_null (read_text (deep->str, deep->len, &sym_onnx_model_type, &root, &error));
  g_assert_nonnull (strstr (error->message, "deeper than 100"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/proto/reads-an-empty-message", test_empty);
  g_test_add_func ("/io/proto/reads-values", test_values);
  g_test_add_func ("/io/proto/lets-the-last-value-win", test_last_wins);
  g_test_add_func ("/io/proto/merges-messages", test_merges_messages);
  g_test_add_func ("/io/proto/reads-packed-numbers", test_packed);
  g_test_add_func ("/io/proto/leaves-weights-in-their-file", test_leaves_weights_in_file);
  g_test_add_func ("/io/proto/keeps-unknown-fields", test_keeps_unknown_fields);
  g_test_add_func ("/io/proto/skips-groups", test_skips_groups);
  g_test_add_func ("/io/proto/shows-what-is-no-text", test_shows_what_is_no_text);
  g_test_add_func ("/io/proto/replaces-entries-in-their-places", test_replaces_in_place);
  g_test_add_func ("/io/proto/refuses-what-is-damaged", test_refuses);
  g_test_add_func ("/io/proto/limits-the-depth", test_limits_depth);
  g_test_add_func ("/io/proto/compares-messages", test_compares);
  g_test_add_func ("/io/proto/text-is-what-google-reads", test_text);
  g_test_add_func ("/io/proto/text-has-all-numbers", test_text_numbers);
  g_test_add_func ("/io/proto/damaged-text-is-refused", test_damaged_text);
  return g_test_run ();
}
