/* SPDX-License-Identifier: MIT */
#include "io/sym-execution-trace-private.h"
#include "io/sym-net-tell.h"

#include "io/sym-json-private.h"
#include "io/sym-proto-json.h"

/* Chakra's execution traces (et_def.proto): messages with their length before each, the trace's
 * metadata first and then its nodes.  They become one message of both, of that its JSON, and that
 * is read as the trace it is. */

#define END                                 \
  {                                         \
    0, NULL, SYM_PROTO_INT32, 0, NULL, NULL \
  }
#define FIELD(number_, name_, kind_, flags_)              \
  {                                                       \
    number_, name_, SYM_PROTO_##kind_, flags_, NULL, NULL \
  }
#define MESSAGE(number_, name_, flags_, type_)              \
  {                                                         \
    number_, name_, SYM_PROTO_MESSAGE, flags_, &type_, NULL \
  }
#define MANY (SYM_PROTO_REPEATED | SYM_PROTO_PACKED)

static const SymProtoField floats_fields[] = { FIELD (1, "values", FLOAT, MANY), END };
static const SymProtoField doubles_fields[] = { FIELD (1, "values", DOUBLE, MANY), END };
static const SymProtoField integers_fields[] = { FIELD (1, "values", INT64, MANY), END };
static const SymProtoField naturals_fields[] = { FIELD (1, "values", UINT64, MANY), END };
static const SymProtoField truths_fields[] = { FIELD (1, "values", INT32, MANY | SYM_PROTO_TRUTH),
                                               END };
static const SymProtoField strings_fields[] = { FIELD (1, "values", STRING, SYM_PROTO_REPEATED),
                                                END };

static const SymProtoType floats_type = { "FloatList", floats_fields };
static const SymProtoType doubles_type = { "DoubleList", doubles_fields };
static const SymProtoType integers_type = { "Int64List", integers_fields };
static const SymProtoType naturals_type = { "Uint64List", naturals_fields };
static const SymProtoType truths_type = { "BoolList", truths_fields };
static const SymProtoType strings_type = { "StringList", strings_fields };

/* Zigzag and fixed numbers, which no converter writes, are left out. */
static const SymProtoField attribute_fields[] = {
  FIELD (1, "name", STRING, 0),
  FIELD (2, "doc_string", STRING, 0),
  FIELD (3, "double_val", DOUBLE, 0),
  MESSAGE (4, "double_list", 0, doubles_type),
  FIELD (5, "float_val", FLOAT, 0),
  MESSAGE (6, "float_list", 0, floats_type),
  FIELD (7, "int32_val", INT32, 0),
  MESSAGE (8, "int32_list", 0, integers_type),
  FIELD (9, "int64_val", INT64, 0),
  MESSAGE (10, "int64_list", 0, integers_type),
  FIELD (11, "uint32_val", UINT64, 0),
  MESSAGE (12, "uint32_list", 0, naturals_type),
  FIELD (13, "uint64_val", UINT64, 0),
  MESSAGE (14, "uint64_list", 0, naturals_type),
  FIELD (27, "bool_val", INT32, SYM_PROTO_TRUTH),
  MESSAGE (28, "bool_list", 0, truths_type),
  FIELD (29, "string_val", STRING, 0),
  MESSAGE (30, "string_list", 0, strings_type),
  END,
};
static const SymProtoType attribute_type = { "AttributeProto", attribute_fields };

static const SymProtoField metadata_fields[] = {
  FIELD (1, "version", STRING, 0),
  MESSAGE (2, "attr", SYM_PROTO_REPEATED, attribute_type),
  END,
};
static const SymProtoType metadata_type = { "GlobalMetadata", metadata_fields };

static const SymProtoField passed_fields[] = {
  FIELD (1, "values", STRING, 0),
  FIELD (2, "shapes", STRING, 0),
  FIELD (3, "types", STRING, 0),
  END,
};
static const SymProtoType passed_type = { "IOInfo", passed_fields };

static const SymProtoName node_types[] = {
  { 0, "INVALID_NODE" },   { 1, "METADATA_NODE" },  { 2, "MEM_LOAD_NODE" },
  { 3, "MEM_STORE_NODE" }, { 4, "COMP_NODE" },      { 5, "COMM_SEND_NODE" },
  { 6, "COMM_RECV_NODE" }, { 7, "COMM_COLL_NODE" }, { 0, NULL },
};

static const SymProtoField node_fields[] = {
  FIELD (1, "id", UINT64, 0),
  FIELD (2, "name", STRING, 0),
  { 3, "type", SYM_PROTO_INT32, SYM_PROTO_NAMED, NULL, node_types },
  FIELD (4, "ctrl_deps", UINT64, MANY),
  FIELD (5, "data_deps", UINT64, MANY),
  FIELD (6, "start_time_micros", UINT64, 0),
  FIELD (7, "duration_micros", UINT64, 0),
  MESSAGE (8, "inputs", 0, passed_type),
  MESSAGE (9, "outputs", 0, passed_type),
  MESSAGE (10, "attr", SYM_PROTO_REPEATED, attribute_type),
  END,
};
static const SymProtoType node_type = { "Node", node_fields };

/* Ours, for all of a file. */
static const SymProtoField trace_fields[] = {
  MESSAGE (1, "metadata", 0, metadata_type),
  MESSAGE (2, "nodes", SYM_PROTO_REPEATED, node_type),
  END,
};
static const SymProtoType trace_type = { "Trace", trace_fields };

#define TAG_METADATA 0x0a
#define TAG_NODE 0x12

/* A length, and steps over it; FALSE where none is, or what it tells is not all there. */
static gboolean
read_length (const guint8 **at, const guint8 *end, gsize *length)
{
  *length = 0;
  for (guint shift = 0; *at < end && shift < 35; shift += 7)
    {
      guint8 byte = *(*at)++;

      *length |= (gsize) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return *length <= (gsize) (end - *at);
    }
  return FALSE;
}

static gboolean
is_name (const guint8 *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '.' && text[i] != '-' && text[i] != '_')
      return FALSE;
  return length > 0;
}

/* A version of the schema, "0.0.4", and attributes, which begin with their names: nothing else, and
 * not nothing. */
static gboolean
is_metadata (const guint8 *at, const guint8 *end)
{
  gboolean is_one = at < end;

  while (is_one && at < end)
    {
      gboolean is_version = *at == 0x0a;
      gsize length, name_length;

      is_one = (is_version || *at == 0x12) && (at++, read_length (&at, end, &length));
      if (is_one && is_version)
        is_one = is_name (at, length) && g_ascii_isdigit (*at);
      else if (is_one)
        {
          const guint8 *name = at + 1;

          is_one = length > 2 && *at == 0x0a && read_length (&name, at + length, &name_length) &&
                   is_name (name, name_length);
        }
      if (is_one)
        at += length;
    }
  return is_one;
}

/* Metadata, and the number or name of a node after them.  Metadata that tell nothing are no mark.
 */
static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  const guint8 *at = start, *end = start + n;
  gsize length;

  if (!read_length (&at, end, &length) || !is_metadata (at, at + length))
    return 0;
  at += length;
  if (at == end)
    return size == n ? 50 : 0;
  /* The node may be longer than what is looked at. */
  while (at < end && *at >= 0x80)
    at++;
  return end - at > 2 && (at[1] == 0x08 || at[1] == 0x12) ? 90 : 0;
}

/* All messages as fields of one. */
static GBytes *
join_messages (const guint8 *start, gsize size, GError **error)
{
  const guint8 *at = start, *end = start + size;
  g_autoptr (GByteArray) out = g_byte_array_sized_new ((guint) size);
  guint8 tag = TAG_METADATA;

  while (at < end)
    {
      const guint8 *message = at;
      gsize length;

      if (!read_length (&at, end, &length))
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
                       "byte %" G_GSIZE_FORMAT ": the message that begins here is cut off",
                       (gsize) (message - start));
          return NULL;
        }
      at += length;
      g_byte_array_append (out, &tag, 1);
      g_byte_array_append (out, message, (guint) (at - message));
      tag = TAG_NODE;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

static gboolean
append (gpointer out, const void *bytes, gsize size, GError **error)
{
  GString *text = out;

  if (size > SYM_IO_MAX_GRAPH_SIZE - text->len)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "the trace takes more than 512 MiB");
      return FALSE;
    }
  g_string_append_len (text, bytes, (gssize) size);
  return TRUE;
}

static SymJson *
make_json (GBytes *messages, const SymIoSource *source, GError **error)
{
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (messages);
  SymProtoMessage *root;
  g_autoptr (SymProto) document =
      sym_proto_read (blob, &trace_type, &root, source->cancellable, error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  SymJson *json;

  if (document == NULL || !sym_proto_write_json (root, 0, append, text, NULL, error))
    return NULL;
  bytes = g_string_free_to_bytes (g_steal_pointer (&text));
  json = sym_json_parse_bounded (bytes, SYM_JSON_MAX_VALUES, source->problems, source->cancellable,
                                 error);
  if (json != NULL)
    sym_json_hide_lines (json);
  return json;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_autofree char *all = sym_io_read_text (blob, error);
  g_autoptr (GBytes) messages =
      all == NULL ? NULL : join_messages ((const guint8 *) all, (gsize) blob->size, error);
  g_autoptr (SymJson) json = messages == NULL ? NULL : make_json (messages, source, error);

  return json == NULL ? NULL : sym_execution_trace_read (json, source, "chakra", error);
}

const SymIoFormat sym_chakra_format = {
  .name = "chakra",
  .title = "Chakra execution trace",
  .versions = "0.0.4 (protocol buffers)",
  .limits = "a record without numbers, at most 512 MiB; does not run",
  .suffix = ".et",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .tell = sym_net_tell,
};
