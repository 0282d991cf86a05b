/* SPDX-License-Identifier: MIT */
#include "io/sym-overlay.h"

#include <math.h>
#include <string.h>

#include "io/sym-json.h"

#define OTHERS "others"
#define KERNEL_SUFFIX "_kernel_time"

struct _SymOverlay {
  gatomicrefcount ref_count;
  SymModel *model;
  char *title;
  const char *unit;
  guint n_found, n_missed;
  double *told;     /* by call, where @numbers are known: as in the file */
  double *numbers;  /* by call: how much more than @lowest; -1 where nothing is known */
  double lowest;    /* the smallest number, when it is negative, else 0 */
  guint8 *classes;  /* by call; NULL for numbers */
  GPtrArray *names; /* of classes, NULL-ended in the end */
  SymOverlayColors *colors;
};

/* What is gathered while a file is read. */
typedef struct {
  SymOverlay *overlay;
  GHashTable *calls;  /* name -> call + 1, names borrowed */
  GHashTable *missed; /* names */
  guint *counts;      /* by call */
  guint n_numbers;
} Reading;

/* ---- Names ---- */

static void
add_name (GHashTable *calls, const char *name, SymId call)
{
  if (name != NULL && call != SYM_NO_ID && !g_hash_table_contains (calls, name))
    g_hash_table_insert (calls, (gpointer) name, GSIZE_TO_POINTER ((gsize) call + 1));
}

/* A name that several have finds none of them. */
static void
add_id (GHashTable *ids, const char *id, SymId call)
{
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (ids, id));

  if (found == 0)
    g_hash_table_insert (ids, (gpointer) id, GSIZE_TO_POINTER ((gsize) call + 1));
  else if (found != (gsize) call + 1)
    g_hash_table_insert (ids, (gpointer) id, GSIZE_TO_POINTER (G_MAXSIZE));
}

/* Model Explorer's own graphs: a node is called after its namespace and its id, and after its label
 * as well where the id is a number (`sym-model-explorer.c`). */
static void
add_ids (GHashTable *ids, const char *name, SymId call)
{
  const char *end = name == NULL ? NULL : strrchr (name, '_');

  for (const char *slash = name; slash != NULL && (slash = strchr (slash, '/')) != NULL;)
    if (*++slash != '\0')
      add_id (ids, slash, call);
  if (end != NULL && end[1] != '\0' && end[1 + strspn (end + 1, "0123456789")] == '\0')
    add_id (ids, end + 1, call);
}

static void
index_ids (SymModel *model, GHashTable *calls)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer id, found;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      add_ids (ids, sym_model_get_call_name (model, call), call);
  g_hash_table_iter_init (&iter, ids);
  while (g_hash_table_iter_next (&iter, &id, &found))
    if (GPOINTER_TO_SIZE (found) != G_MAXSIZE)
      add_name (calls, id, (SymId) (GPOINTER_TO_SIZE (found) - 1));
}

/* Layers before tensors: where both are called the same it is the same. */
static GHashTable *
index_names (SymModel *model)
{
  GHashTable *calls = g_hash_table_new (g_str_hash, g_str_equal);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      add_name (calls, sym_model_get_call_name (model, call), call);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value))
      add_name (calls, sym_model_get_value_name (model, value),
                sym_model_get_producer (model, value));
  if (g_strcmp0 (sym_model_get_format (model), "model-explorer") == 0)
    index_ids (model, calls);
  return calls;
}

/* The call that a node of the file is; FALSE when there is none, which is counted. */
static gboolean
find_call (Reading *self, const char *name, SymId *call)
{
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (self->calls, name));

  if (found == 0)
    {
      g_hash_table_add (self->missed, g_strdup (name));
      return FALSE;
    }
  *call = (SymId) (found - 1);
  return TRUE;
}

/* ---- Values ---- */

static guint8
find_class (SymOverlay *self, const char *word)
{
  for (guint i = 0; i < self->names->len; i++)
    if (g_str_equal (self->names->pdata[i], word))
      return (guint8) i;
  if (self->names->len == SYM_OVERLAY_MAX_CLASSES - 1)
    word = OTHERS;
  if (self->names->len < SYM_OVERLAY_MAX_CLASSES)
    g_ptr_array_add (self->names, g_strdup (word));
  return (guint8) (self->names->len - 1);
}

/* Means grow by what each number adds to them: a sum might not be finite. */
static void
add_number (Reading *self, SymId call, double number)
{
  double *mean = &self->overlay->told[call];

  self->counts[call]++;
  *mean += number / self->counts[call] - *mean / self->counts[call];
  self->n_numbers++;
}

static void
add_value (Reading *self, SymId call, const SymJson *json, guint value)
{
  g_autofree char *word = sym_json_dup_string (json, value);
  double number;
  gboolean truth;

  if (sym_json_get_double (json, value, &number) && isfinite (number))
    add_number (self, call, number);
  else if (word != NULL)
    self->overlay->classes[call] = find_class (self->overlay, word);
  else if (sym_json_get_bool (json, value, &truth))
    self->overlay->classes[call] = find_class (self->overlay, truth ? "true" : "false");
}

/* ---- Model Explorer ---- */

static void
read_results (Reading *self, const SymJson *json, guint graph, guint results)
{
  SymOverlayColors *colors = self->overlay->colors;

  sym_overlay_colors_start (colors, json, graph);
  for (SymJsonIter i = sym_json_iterate (json, results); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);
      SymId call;

      if (name == NULL || !find_call (self, name, &call))
        continue;
      add_value (self, call, json, sym_json_get_member (json, i.value, "value"));
      sym_overlay_colors_add (colors, call, json, i.value);
    }
}

/* FALSE when there is nothing of the kind. */
static gboolean
read_node_data (Reading *self, const SymJson *json)
{
  guint results = sym_json_get_member (json, 0, "results");
  gboolean is_any = FALSE;

  if (sym_json_get_kind (json, results) == SYM_JSON_OBJECT)
    {
      read_results (self, json, 0, results);
      return TRUE;
    }
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      results = sym_json_get_member (json, i.value, "results");
      if (sym_json_get_kind (json, results) != SYM_JSON_OBJECT)
        continue;
      read_results (self, json, i.value, results);
      is_any = TRUE;
    }
  return is_any;
}

/* ---- ONNX Runtime ---- */

static void
read_event (Reading *self, const SymJson *json, guint event, gboolean *is_any)
{
  guint category = sym_json_get_member (json, event, "cat");
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, event, "name"));
  double microseconds;
  SymId call;

  if (name == NULL || !sym_json_string_equals (json, category, "Node") ||
      !g_str_has_suffix (name, KERNEL_SUFFIX) ||
      !sym_json_get_double (json, sym_json_get_member (json, event, "dur"), &microseconds))
    return;
  *is_any = TRUE;
  name[strlen (name) - strlen (KERNEL_SUFFIX)] = '\0';
  if (find_call (self, name, &call) && microseconds >= 0 && isfinite (microseconds))
    add_number (self, call, microseconds / 1000);
}

static gboolean
read_profile (Reading *self, const SymJson *json)
{
  gboolean is_any = FALSE;

  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    read_event (self, json, i.value, &is_any);
  self->overlay->unit = "ms";
  return is_any;
}

/* ---- The whole ---- */

static SymOverlay *
overlay_new (SymModel *model, const char *path)
{
  SymOverlay *self = g_new0 (SymOverlay, 1);
  guint n = sym_model_get_n_calls (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->title = g_path_get_basename (path);
  self->unit = "";
  self->told = g_new0 (double, n + 1);
  self->numbers = g_new (double, n + 1);
  self->classes = g_new (guint8, n + 1);
  memset (self->classes, SYM_OVERLAY_NO_CLASS, n + 1);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->colors = sym_overlay_colors_new (n);
  return self;
}

/* Moved up so that none is negative; what lies farther apart than numbers reach stays finite. */
static void
move_numbers (Reading *self, guint n)
{
  SymOverlay *overlay = self->overlay;

  for (guint i = 0; i < n; i++)
    overlay->lowest = MIN (overlay->lowest, overlay->told[i]);
  for (guint i = 0; i < n; i++)
    overlay->numbers[i] =
        self->counts[i] > 0 ? MIN (overlay->told[i] - overlay->lowest, G_MAXDOUBLE) : -1;
}

/* Words, unless there is a number. */
static void
settle (Reading *self)
{
  SymOverlay *overlay = self->overlay;
  guint n = sym_model_get_n_calls (overlay->model);

  for (guint i = 0; i < n; i++)
    overlay->n_found += self->counts[i] > 0 || overlay->classes[i] != SYM_OVERLAY_NO_CLASS ||
                        sym_overlay_colors_get_fill (overlay->colors, i) != NULL;
  overlay->n_missed = g_hash_table_size (self->missed);
  if (self->n_numbers > 0)
    g_clear_pointer (&overlay->classes, g_free);
  move_numbers (self, n);
  for (guint i = 0; i < n; i++)
    if (overlay->numbers[i] >= 0)
      sym_overlay_colors_reach (overlay->colors, i, overlay->told[i]);
  g_ptr_array_add (overlay->names, NULL);
}

static gboolean
read_json (Reading *self, const SymJson *json, const char *path, GError **error)
{
  gboolean is_list = sym_json_get_kind (json, 0) == SYM_JSON_ARRAY;

  if (is_list ? read_profile (self, json) : read_node_data (self, json))
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
               "%s: neither Model Explorer's node data, with “results” of nodes, nor a profile of "
               "ONNX Runtime, with events of “cat” Node",
               path);
  return FALSE;
}

static gboolean
check_found (Reading *self, const char *path, GError **error)
{
  GHashTableIter names;
  gpointer name = NULL;

  settle (self);
  if (self->overlay->n_found > 0)
    return TRUE;
  g_hash_table_iter_init (&names, self->missed);
  if (g_hash_table_iter_next (&names, &name, NULL))
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                 "%s: it is of another graph: none of its %u nodes, such as “%s”, is in this one",
                 path, self->overlay->n_missed, (const char *) name);
  else
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "%s: there are no values in it", path);
  return FALSE;
}

SymOverlay *
sym_overlay_new_from_bytes (SymModel *model, GBytes *bytes, const char *path, GError **error)
{
  g_autoptr (SymJson) json = NULL;
  g_autoptr (SymOverlay) overlay = NULL;
  g_autoptr (GHashTable) calls = NULL;
  g_autoptr (GHashTable) missed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n;

  g_return_val_if_fail (model != NULL && bytes != NULL && path != NULL, NULL);

  json = sym_json_parse (bytes, NULL, error);
  if (json == NULL)
    {
      g_prefix_error (error, "%s: ", path);
      return NULL;
    }
  n = sym_model_get_n_calls (model);
  overlay = overlay_new (model, path);
  calls = index_names (model);
  g_autofree guint *counts = g_new0 (guint, n + 1);
  Reading reading = { overlay, calls, missed, counts };

  if (!read_json (&reading, json, path, error) || !check_found (&reading, path, error))
    return NULL;
  return g_steal_pointer (&overlay);
}

SymOverlay *
sym_overlay_read (SymModel *model, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) bytes = g_file_load_bytes (file, cancellable, NULL, error);

  return bytes != NULL ? sym_overlay_new_from_bytes (model, bytes, path, error) : NULL;
}

SymOverlay *
sym_overlay_ref (SymOverlay *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_overlay_unref (SymOverlay *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_model_unref (self->model);
  g_free (self->title);
  g_free (self->told);
  g_free (self->numbers);
  g_free (self->classes);
  g_ptr_array_unref (self->names);
  sym_overlay_colors_free (self->colors);
  g_free (self);
}

SymModel *
sym_overlay_get_model (const SymOverlay *self)
{
  return self->model;
}

const char *
sym_overlay_get_title (const SymOverlay *self)
{
  return self->title;
}

guint
sym_overlay_get_n_found (const SymOverlay *self)
{
  return self->n_found;
}

guint
sym_overlay_get_n_missed (const SymOverlay *self)
{
  return self->n_missed;
}

const char *
sym_overlay_get_unit (const SymOverlay *self)
{
  return self->unit;
}

const double *
sym_overlay_get_numbers (const SymOverlay *self)
{
  return self->classes == NULL ? self->numbers : NULL;
}

const guint8 *
sym_overlay_get_classes (const SymOverlay *self)
{
  return self->classes;
}

const char *const *
sym_overlay_get_class_names (const SymOverlay *self)
{
  return (const char *const *) self->names->pdata;
}

double
sym_overlay_get_lowest (const SymOverlay *self)
{
  return self->lowest;
}

gboolean
sym_overlay_get_number (const SymOverlay *self, SymId call, double *number)
{
  if (call >= sym_model_get_n_calls (self->model) || self->classes != NULL ||
      self->numbers[call] < 0)
    return FALSE;
  *number = self->told[call];
  return TRUE;
}

const SymOverlayColors *
sym_overlay_get_colors (const SymOverlay *self)
{
  return sym_overlay_colors_is_any (self->colors) ? self->colors : NULL;
}

char *
sym_overlay_tell (const SymOverlay *self, SymId call)
{
  if (call >= sym_model_get_n_calls (self->model))
    return NULL;
  if (self->classes != NULL)
    return self->classes[call] != SYM_OVERLAY_NO_CLASS
               ? g_strdup (self->names->pdata[self->classes[call]])
               : NULL;
  double number;

  if (!sym_overlay_get_number (self, call, &number))
    return NULL;
  return g_strdup_printf ("%.6g%s%s", number, *self->unit != '\0' ? " " : "", self->unit);
}
