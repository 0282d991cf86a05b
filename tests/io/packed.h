/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "io/sym-io.h"

/* Archives that are made byte by byte, and the graph in them. */

static const char graph[] =
    "{\"engine_kind\": \"cpu\", \"fpmath_mode\": \"strict\", \"graph\": [{\"id\": 0, \"name\": "
    "\"a\","
    " \"kind\": \"ReLU\", \"inputs\": [{\"id\": 0, \"dtype\": \"f32\", \"shape\": [2, 3]}],"
    " \"outputs\": [{\"id\": 1, \"dtype\": \"f32\", \"shape\": [2, 3]}]}]}";

static inline GByteArray *
compress (GByteArray *bytes, GZlibCompressorFormat format)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (format, 9);
  GByteArray *out = g_byte_array_sized_new (bytes->len + 1024);
  gsize n_read, n_written;
  GConverterResult result;

  g_byte_array_set_size (out, bytes->len + 1024);
  result = g_converter_convert (G_CONVERTER (compressor), bytes->data, bytes->len, out->data,
                                out->len, G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
  g_assert_cmpint (result, ==, G_CONVERTER_FINISHED);
  g_byte_array_set_size (out, (guint) n_written);
  return out;
}

static inline void
append_text (GByteArray *out, const char *text)
{
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
}

/* A record of 512 bytes for the name, and the contents in as many as they take. */
static inline void
add_tar_bytes (GByteArray *out, const char *name, char kind, const void *contents, gsize size)
{
  guint8 header[512] = { 0 };
  static const guint8 zeros[512];

  memcpy (header, name, MIN (strlen (name), 100));
  g_snprintf ((char *) header + 124, 12, "%011o", (guint) size);
  header[156] = (guint8) kind;
  memcpy (header + 257, "ustar", 6);
  memcpy (header + 263, "00", 2);
  g_byte_array_append (out, header, 512);
  g_byte_array_append (out, contents, (guint) size);
  g_byte_array_append (out, zeros, (512 - size % 512) % 512);
}

static inline void
add_tar_file (GByteArray *out, const char *name, char kind, const char *contents)
{
  add_tar_bytes (out, name, kind, contents, strlen (contents));
}

static inline void
append_number (GByteArray *out, gsize n, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++, n >>= 8)
    {
      guint8 byte = (guint8) n;

      g_byte_array_append (out, &byte, 1);
    }
}

/* CRC-32 of ISO 3309. */
static inline guint32
sum_up (const GByteArray *plain)
{
  guint32 sum = ~(guint32) 0;

  for (guint i = 0; i < plain->len; i++)
    {
      sum ^= plain->data[i];
      for (guint bit = 0; bit < 8; bit++)
        sum = (sum & 1) != 0 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
  return ~sum;
}

/* What the header of a file and its entry in the directory have in common: PKWARE APPNOTE 4.3.7. */
static inline void
append_zip_facts (GByteArray *out, const GByteArray *packed, gsize size, guint32 sum)
{
  append_number (out, 20, 2);
  append_number (out, 0, 2);
  append_number (out, 8, 2);
  append_number (out, 0, 4);
  append_number (out, sum, 4);
  append_number (out, packed->len, 4);
  append_number (out, size, 4);
  append_number (out, 6, 2); /* of the name */
  append_number (out, 0, 2);
}

/* Files that all lie in the same bytes. */
static inline GByteArray *
make_zip_of_one (const GByteArray *packed, const GByteArray *plain, guint n)
{
  GByteArray *out = g_byte_array_new ();
  guint32 sum = sum_up (plain);
  gsize directory, end;

  append_text (out, "PK\003\004");
  append_zip_facts (out, packed, plain->len, sum);
  append_text (out, "0.json");
  g_byte_array_append (out, packed->data, packed->len);
  directory = out->len;
  for (guint i = 0; i < n; i++)
    {
      char name[] = { (char) ('0' + i), '.', 'j', 's', 'o', 'n', '\0' };

      append_text (out, "PK\001\002");
      append_number (out, 20, 2);
      append_zip_facts (out, packed, plain->len, sum);
      append_number (out, 0, 14); /* no comment, on disk 0, without attributes, at 0 */
      append_text (out, name);
    }
  end = out->len;
  append_text (out, "PK\005\006");
  append_number (out, 0, 4);
  append_number (out, n, 2);
  append_number (out, n, 2);
  append_number (out, end - directory, 4);
  append_number (out, directory, 4);
  append_number (out, 0, 2);
  return out;
}

static inline SymModel *
read_array (const GByteArray *array, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);

  return sym_io_read_bytes (bytes, "archive", error);
}

static inline void
assert_is_the_graph (const SymModel *model)
{
  g_assert_cmpstr (sym_model_get_format (model), ==, "onednn");
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 1);
}
