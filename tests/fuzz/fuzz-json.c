/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "io/sym-mxnet-layout.h"

/* Whatever is accepted can be walked, decoded and written so that it reads back as the same values.
 */
static void
walk (const SymJson *json)
{
  guint end = sym_json_get_end (json, 0);

  for (guint value = 0; value < end; value++)
    {
      g_autofree char *string = sym_json_dup_string (json, value);
      double number;
      gint64 whole;

      g_assert_true (string == NULL || g_utf8_validate (string, -1, NULL));
      g_assert_cmpuint (sym_json_get_end (json, value), <=, end);
      if (sym_json_get_int (json, value, &whole))
        g_assert_true (sym_json_get_double (json, value, &number));
      g_assert_cmpuint (sym_json_count (json, value), <, end);
    }
}

static void
rewrite (const SymJson *json)
{
  g_autoptr (SymMxnetLayout) layout = sym_mxnet_layout_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymJson) again = NULL;
  const GString *text;

  sym_mxnet_layout_value (layout, json, 0);
  text = sym_mxnet_layout_get_text (layout);
  bytes = g_bytes_new_static (text->str, text->len);
  again = sym_json_parse (bytes, NULL, NULL);
  g_assert_nonnull (again);
  g_assert_cmpuint (sym_json_get_end (json, 0), ==, sym_json_get_end (again, 0));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes, size);
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymJson) json = sym_json_parse (copy, problems, &error);

  g_assert_true ((json == NULL) == (error != NULL));
  if (json != NULL)
    {
      walk (json);
      rewrite (json);
    }
  return 0;
}
