/* SPDX-License-Identifier: MIT */
#include "io/sym-io-kinds.h"

#include <string.h>

#include "io/sym-io-private.h"

/* What @path leads to from @object. */
static guint
find_member (const SymJson *json, guint object, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  guint at = object;

  for (guint i = 0; names[i] != NULL && at != SYM_JSON_NONE; i++)
    {
      SymJsonIter first = sym_json_iterate (json, at);

      if (strcmp (names[i], "*") != 0)
        at = sym_json_get_member (json, at, names[i]);
      else
        at = sym_json_iter_next (json, &first) ? first.value : SYM_JSON_NONE;
    }
  return at;
}

static gboolean
has_members (const SymJson *json, guint object, const char *members)
{
  g_auto (GStrv) names = g_strsplit (members, " ", -1);

  for (guint i = 0; names[i] != NULL; i++)
    if (find_member (json, object, names[i]) == SYM_JSON_NONE)
      return FALSE;
  return TRUE;
}

static const char *
find_kind (const SymJson *json, guint object, const SymIoKind *table)
{
  while (table->members != NULL && !has_members (json, object, table->members))
    table++;
  return table->what;
}

/* "of no known kind (with the members "a", "b", ...)" tells whose it may be. */
static char *
describe_members (const SymJson *json, guint object, const char *kind)
{
  GString *text = g_string_new (kind);
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i); n++)
    if (n < 3)
      {
        g_autofree char *key = sym_json_dup_excerpt (json, i.key);

        g_string_append_printf (text, "%s%s", n == 0 ? " (with the members " : ", ", key);
      }
  g_string_append (text, n == 0 ? "" : n > 3 ? ", ...)" : ")");
  return g_string_free (text, FALSE);
}

static char *
describe_list (const SymJson *json)
{
  guint first = sym_json_get_element (json, 0, 0);
  SymJsonKind kind = sym_json_get_kind (json, first);

  return kind == SYM_JSON_OBJECT
             ? describe_members (json, first, "a JSON list of objects of no known kind")
             : g_strdup (kind == SYM_JSON_ARRAY ? "a table, which is a JSON list of lists"
                                                : "a JSON list of no known kind");
}

/* What can be told by the values alone. */
static char *
describe_values (const SymJson *json)
{
  gboolean is_object = sym_json_get_kind (json, 0) == SYM_JSON_OBJECT;
  guint n = 0, n_numbers = 0, n_strings = 0;

  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i); n++)
    {
      gint64 number;

      n_numbers += sym_json_get_int (json, i.value, &number);
      n_strings += sym_json_get_kind (json, i.value) == SYM_JSON_STRING;
    }
  if (n == 0)
    return g_strdup (is_object ? "an empty JSON object" : "an empty JSON list");
  if (n_strings == n)
    return g_strdup (is_object ? "names and what they stand for, without a graph"
                               : "a list of words");
  if (n_numbers == n)
    return g_strdup (is_object ? "names and their numbers, without a graph" : "a list of numbers");
  return is_object ? describe_members (json, 0, "a JSON document of no known kind")
                   : describe_list (json);
}

/* Of many words any may be the name of a member in the tables.  NULL where there are not so many.
 */
static const char *
find_dictionary (const SymJson *json)
{
  guint n = sym_json_get_kind (json, 0) == SYM_JSON_OBJECT ? sym_json_count (json, 0) : 0;
  gint64 number;

  for (SymJsonIter i = sym_json_iterate (json, 0); n > 100 && sym_json_iter_next (json, &i);)
    if (!sym_json_get_int (json, i.value, &number))
      return n > 1000 ? "a dictionary" : NULL;
  return n > 100 ? "a vocabulary" : NULL;
}

const char *
sym_io_find_json_kind (const SymJson *json)
{
  const char *what = find_dictionary (json);

  if (what == NULL)
    what = find_kind (json, 0, sym_io_kinds);
  for (guint i = 0; i < 2 && what == NULL && sym_json_get_kind (json, 0) == SYM_JSON_ARRAY &&
                    i < sym_json_count (json, 0);
       i++)
    what = find_kind (json, sym_json_get_element (json, 0, i), sym_io_list_kinds);
  return what;
}

char *
sym_io_describe_json (const SymJson *json)
{
  const char *what = sym_io_find_json_kind (json);

  return what != NULL ? g_strdup (what) : describe_values (json);
}

/* ---- Archives ---- */

static const struct {
  const char *suffix; /* of a file's name */
  const char *what;
} contents[] = {
  { "/constants.pkl",
    "a TorchScript program, whose graph is Python code: torch.export.save() or torch.onnx.export() "
    "writes one that can be opened" },
  { "data.pkl",
    "PyTorch weights, or a pickled module, without a graph: torch.export.save() writes one" },
  { "saved_model.pb", SYM_IO_SAVED_MODEL },
  { "[Content_Types].xml", "an office document" },
  { "AndroidManifest.xml", "an Android application" },
  { "META-INF/MANIFEST.MF", "a Java archive" },
  { "/METADATA", "a Python package" },
  { "__init__.py", "a Python package" },
};

static gboolean
has_file (const SymStoreArchive *archive, const char *suffix)
{
  guint n = MIN (sym_store_archive_get_n (archive), 4096);

  for (guint i = 0; i < n; i++)
    if (g_str_has_suffix (sym_store_archive_get_name (archive, i), suffix))
      return TRUE;
  return FALSE;
}

/* All files are arrays of NumPy. */
static gboolean
is_npz (const SymStoreArchive *archive)
{
  guint n = sym_store_archive_get_n (archive);

  for (guint i = 0; i < n; i++)
    if (!g_str_has_suffix (sym_store_archive_get_name (archive, i), ".npy"))
      return FALSE;
  return n > 0;
}

const char *
sym_io_describe_archive (const SymStoreArchive *archive)
{
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    if (has_file (archive, contents[i].suffix))
      return contents[i].what;
  return is_npz (archive) ? "NumPy arrays (.npz), without a graph" : NULL;
}
