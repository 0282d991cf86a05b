/* SPDX-License-Identifier: MIT */
#include "io/sym-tflite.h"
#include "io/sym-net-tell.h"

#include "io/sym-json-private.h"

/* TensorFlow Lite's models (.tflite) and Circle's.  What they hold but weights becomes the JSON
 * that flatc would write, and is read as such. */

#define SCORE 100

extern const SymIoFormat sym_tflite_format;

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  return sym_flatbuffer_has_mark (start, n, "TFL3") || sym_flatbuffer_has_mark (start, n, "CIR0")
             ? SCORE
             : 0;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_autoptr (GBytes) text =
      sym_flatbuffer_to_json (blob, sym_tflite_schema, "Model", source->cancellable, error);
  g_autoptr (SymJson) json = NULL;

  if (text == NULL)
    return NULL;
  json = sym_json_parse_bounded (text, SYM_JSON_MAX_VALUES, source->problems, source->cancellable,
                                 error);
  if (json == NULL)
    return NULL;
  sym_json_hide_lines (json);
  return sym_tflite_read_document (json, blob, source, sym_tflite_format.name, error);
}

const SymIoFormat sym_tflite_format = {
  .name = "tflite",
  .title = "TensorFlow Lite or Circle model",
  .versions = "schema 3, with its weights",
  .limits = "custom layers do not run, but detection, TensorFlow's and MediaPipe's",
  .suffix = ".tflite",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .tell = sym_net_tell,
};
