/* SPDX-License-Identifier: MIT */
#include "store/sym-store-torch.h"

#include <string.h>

#include "store/sym-store-pickle-private.h"
#include "store/sym-store-private.h"
#include "store/sym-store-strided.h"

#define MAX_PICKLE (32 << 20)
#define FILE_NAME "data.pkl"

/* In bytes: of a tensor, and of a storage, which is a number in what PyTorch writes.  A text that
 * is remembered may be the name of any number of both. */
#define MAX_NAME 4096
#define MAX_KEY 255

/* Tensors that are not read; of more it is told how many. */
#define MAX_TOLD 16

typedef struct {
  SymStoreArchive *archive;
  const char *path;
  GCancellable *cancellable;
  char *folder;      /* around the pickle, with its slash */
  GHashTable *blobs; /* key to SymBlob: several tensors may have parts of one storage */
  SymStoreTensors *tensors;
  guint n_skipped;
} Reader;

/* ---- The pickle ---- */

static gboolean
is_pickle (const char *name)
{
  const char *slash = strrchr (name, '/');

  return g_str_equal (slash == NULL ? name : slash + 1, FILE_NAME);
}

/* -1 where there is none, or several. */
static int
find_pickle (const SymStoreArchive *archive)
{
  int found = -1;

  for (guint i = 0; i < sym_store_archive_get_n (archive); i++)
    if (is_pickle (sym_store_archive_get_name (archive, i)))
      {
        if (found >= 0)
          return -1;
        found = (int) i;
      }
  return found;
}

gboolean
sym_store_is_torch (const SymStoreArchive *archive)
{
  return find_pickle (archive) >= 0;
}

static SymPickle *
read_pickle (Reader *self, guint entry, GError **error)
{
  g_autoptr (SymBlob) blob = sym_store_archive_open_entry (self->archive, entry, error);
  g_autofree guint8 *bytes = NULL;

  if (blob == NULL)
    return NULL;
  if (blob->size > MAX_PICKLE)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "%s has more than %d bytes",
                      FILE_NAME, MAX_PICKLE);
      return NULL;
    }
  bytes = g_malloc ((gsize) blob->size + 1);
  if (!sym_blob_read (blob, 0, blob->size, bytes, error))
    return NULL;
  return sym_pickle_read (bytes, (gsize) blob->size, self->path, error);
}

/* ---- Tensors ---- */

/* Of a storage, and of what newer files have beside bytes without one. */
static SymDType
get_dtype (const SymPickleValue *name)
{
  static const struct {
    const char *storage, *name;
    SymDType dtype;
  } rows[] = {
    { "torch FloatStorage", "torch float32", SYM_DTYPE_FLOAT32 },
    { "torch HalfStorage", "torch float16", SYM_DTYPE_FLOAT16 },
    { "torch BFloat16Storage", "torch bfloat16", SYM_DTYPE_BFLOAT16 },
    { "torch DoubleStorage", "torch float64", SYM_DTYPE_FLOAT64 },
    { "torch LongStorage", "torch int64", SYM_DTYPE_INT64 },
    { "torch IntStorage", "torch int32", SYM_DTYPE_INT32 },
    { "torch ShortStorage", "torch int16", SYM_DTYPE_INT16 },
    { "torch CharStorage", "torch int8", SYM_DTYPE_INT8 },
    { "torch ByteStorage", "torch uint8", SYM_DTYPE_UINT8 },
    { "torch BoolStorage", "torch bool", SYM_DTYPE_BOOL },
    { "torch ComplexFloatStorage", "torch complex64", SYM_DTYPE_COMPLEX64 },
    { "torch ComplexDoubleStorage", "torch complex128", SYM_DTYPE_COMPLEX128 },
    { "", "torch uint16", SYM_DTYPE_UINT16 },
    { "", "torch uint32", SYM_DTYPE_UINT32 },
    { "", "torch uint64", SYM_DTYPE_UINT64 },
    { "", "torch float8_e4m3fn", SYM_DTYPE_FLOAT8E4M3FN },
    { "", "torch float8_e5m2", SYM_DTYPE_FLOAT8E5M2 },
    { "", "torch float8_e4m3fnuz", SYM_DTYPE_FLOAT8E4M3FNUZ },
    { "", "torch float8_e5m2fnuz", SYM_DTYPE_FLOAT8E5M2FNUZ },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (sym_pickle_is_global (name, rows[i].storage) || sym_pickle_is_global (name, rows[i].name))
      return rows[i].dtype;
  return SYM_DTYPE_UNKNOWN;
}

static gboolean
get_number (const SymPickleValue *value, gint64 *number)
{
  if (value == NULL || value->kind != SYM_PICKLE_NUMBER || value->number < 0)
    return FALSE;
  *number = value->number;
  return TRUE;
}

static gboolean
read_shape (const SymPickleValue *sizes, SymShape *shape)
{
  if (sizes == NULL || sizes->kind != SYM_PICKLE_LIST || sizes->items->len > SYM_MAX_RANK)
    return FALSE;
  shape->rank = (int) sizes->items->len;
  for (int i = 0; i < shape->rank; i++)
    if (!get_number (sizes->items->pdata[i], &shape->dims[i]))
      return FALSE;
  return TRUE;
}

/* Of axes of one element, and of tensors of none, they do not matter. */
static gboolean
read_strides (const SymPickleValue *list, const SymShape *shape, gint64 *strides)
{
  for (int i = 0; i < shape->rank; i++)
    {
      strides[i] = 0;
      if (!get_number (sym_pickle_get_item (list, SYM_PICKLE_LIST, (guint) i), &strides[i]) &&
          shape->dims[i] > 1)
        return FALSE;
    }
  return TRUE;
}

/* ("storage", FloatStorage, "0", "cpu", 6): the file data/0. */
static SymBlob *
open_storage (Reader *self, const SymPickleValue *storage, GError **error)
{
  const SymPickleValue *key = sym_pickle_get_item (storage, SYM_PICKLE_LIST, 2);
  g_autofree char *file = NULL;
  SymBlob *blob;
  int entry;

  if (key == NULL || key->kind != SYM_PICKLE_TEXT)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "its storage has no name");
      return NULL;
    }
  if (key->number > MAX_KEY)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                      "the name of its storage has %" G_GINT64_FORMAT
                      " bytes, and may have no more than %d",
                      key->number, MAX_KEY);
      return NULL;
    }
  blob = g_hash_table_lookup (self->blobs, key->text);
  if (blob != NULL)
    return blob;
  file = g_strconcat (self->folder, "data/", key->text, NULL);
  entry = sym_store_archive_find (self->archive, file);
  if (entry < 0)
    sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "there is no file '%s'", file);
  else
    blob = sym_store_archive_open_entry (self->archive, (guint) entry, error);
  if (blob != NULL)
    g_hash_table_insert (self->blobs, g_strdup (key->text), blob);
  return blob;
}

/* A parameter is a tensor in a call; NULL for what is neither. */
static const SymPickleValue *
find_tensor (const SymPickleValue *value)
{
  static const char *const parameters[] = { "torch._utils _rebuild_parameter",
                                            "torch._utils _rebuild_parameter_with_state" };

  for (guint i = 0; i < G_N_ELEMENTS (parameters); i++)
    if (sym_pickle_is_call (value, parameters[i]))
      value =
          sym_pickle_get_item (sym_pickle_get_item (value, SYM_PICKLE_CALL, 1), SYM_PICKLE_LIST, 0);
  return sym_pickle_is_call (value, "torch._utils _rebuild_tensor_v2") ||
                 sym_pickle_is_call (value, "torch._utils _rebuild_tensor_v3")
             ? value
             : NULL;
}

/* Storage, offset, sizes, strides, whether it is trained, hooks, and of version 3 the dtype. */
static SymTensor *
make_tensor (Reader *self, const SymPickleValue *call, GError **error)
{
  const SymPickleValue *arguments = sym_pickle_get_item (call, SYM_PICKLE_CALL, 1);
  const SymPickleValue *storage = sym_pickle_get_item (
      sym_pickle_get_item (arguments, SYM_PICKLE_LIST, 0), SYM_PICKLE_PERSISTENT, 0);
  gboolean is_typed = sym_pickle_is_call (call, "torch._utils _rebuild_tensor_v2");
  SymDType dtype = get_dtype (is_typed ? sym_pickle_get_item (storage, SYM_PICKLE_LIST, 1)
                                       : sym_pickle_get_item (arguments, SYM_PICKLE_LIST, 6));
  SymShape shape = { 0 };
  gint64 offset, strides[SYM_MAX_RANK];
  SymBlob *blob;

  if (dtype == SYM_DTYPE_UNKNOWN ||
      !get_number (sym_pickle_get_item (arguments, SYM_PICKLE_LIST, 1), &offset) ||
      !read_shape (sym_pickle_get_item (arguments, SYM_PICKLE_LIST, 2), &shape))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "its type or shape is not known");
      return NULL;
    }
  if (!read_strides (sym_pickle_get_item (arguments, SYM_PICKLE_LIST, 3), &shape, strides))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "its strides are not known");
      return NULL;
    }
  blob = open_storage (self, storage, error);
  return blob == NULL ? NULL : sym_store_open_strided (dtype, &shape, strides, offset, blob, error);
}

/* ---- Dictionaries ---- */

/* What is taken of the outermost dictionary and those in it. */
typedef struct {
  const SymPickleValue *name; /* NULL for the outermost */
  const SymPickleValue *dict;
  guint n, n_all; /* tensors: in it, and in all */
  gboolean is_drawn;
} Choice;

static gboolean
is_short_text (const SymPickleValue *name)
{
  return name->kind == SYM_PICKLE_TEXT && name->number <= MAX_NAME;
}

static guint
count_tensors (const SymPickleValue *dict)
{
  guint n = 0;

  for (guint i = 1; i < dict->items->len; i += 2)
    n += find_tensor (dict->items->pdata[i]) != NULL;
  return n;
}

/* Counts the tensors in what is in the outermost dictionary, each once. */
static gboolean
look_inside (Reader *self, Choice *choice, const SymPickleValue *top, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_hash_table_add (seen, (gpointer) top);
  for (guint i = 1; i < top->items->len; i += 2)
    {
      const SymPickleValue *dict = top->items->pdata[i];
      guint n;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (dict->kind != SYM_PICKLE_DICT || !g_hash_table_add (seen, (gpointer) dict))
        continue;
      n = count_tensors (dict);
      choice->n_all += n;
      if (n > choice->n)
        *choice = (Choice){ top->items->pdata[i - 1], dict, n, choice->n_all, FALSE };
      else if (n == choice->n && choice->name != NULL)
        choice->is_drawn = TRUE;
    }
  return TRUE;
}

/* What is left out, if anything is. */
static void
tell_choice (Reader *self, const Choice *choice)
{
  g_autofree char *name =
      choice->name == NULL
          ? g_strdup ("the outermost dictionary")
          : g_strdup_printf ("“%s”", is_short_text (choice->name) ? choice->name->text : "…");
  guint n_left = choice->n_all - choice->n;

  if (n_left > 0)
    sym_store_tensors_tell (self->tensors,
                            g_strdup_printf ("%s has the most tensors, %u, which are read: "
                                             "%u in other dictionaries %s not",
                                             name, choice->n, n_left, n_left == 1 ? "is" : "are"));
}

/* The dictionary with the most tensors, which is the outermost one or in it; NULL where there is no
 * one to take. */
static const SymPickleValue *
find_dict (Reader *self, const SymPickleValue *top, GError **error)
{
  Choice choice = { NULL, top, 0, 0, FALSE };

  if (top->kind == SYM_PICKLE_DICT)
    {
      choice.n = choice.n_all = count_tensors (top);
      if (!look_inside (self, &choice, top, error))
        return NULL;
    }
  if (choice.n > 0 && !choice.is_drawn)
    {
      tell_choice (self, &choice);
      return choice.dict;
    }
  sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                  "it is no dictionary of tensors, as state_dict() makes one, and %s in it",
                  choice.n == 0 ? "none is" : "several with as many tensors are");
  return NULL;
}

/* The message without the path, which all have. */
static const char *
get_reason (Reader *self, const GError *error)
{
  g_autofree char *path = g_filename_display_name (self->path);
  gsize n = strlen (path);
  gboolean has_path =
      g_str_has_prefix (error->message, path) && g_str_has_prefix (error->message + n, ": ");

  return error->message + (has_path ? n + 2 : 0);
}

static void
skip (Reader *self, const SymPickleValue *name, const char *reason)
{
  if (self->n_skipped++ >= MAX_TOLD)
    return;
  sym_store_tensors_tell (self->tensors,
                          is_short_text (name)
                              ? g_strdup_printf ("“%s” is not read: %s", name->text, reason)
                              : g_strdup_printf ("a tensor is not read: %s", reason));
}

static void
tell_rest (Reader *self)
{
  guint n = self->n_skipped - MIN (self->n_skipped, MAX_TOLD);

  if (n > 0)
    sym_store_tensors_tell (self->tensors, g_strdup_printf (n == 1 ? "%u more tensor is not read"
                                                                   : "%u more tensors are not read",
                                                            n));
}

static void
add_tensor (Reader *self, const SymPickleValue *name, const SymPickleValue *call)
{
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = make_tensor (self, call, &error);

  if (tensor == NULL)
    skip (self, name, get_reason (self, error));
  else
    sym_store_tensors_add (self->tensors, g_strdup (name->text), tensor);
}

/* No dictionary has a key twice: one that comes again is not copied any number of times. */
static gboolean
add_tensors (Reader *self, const SymPickleValue *dict, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i + 1 < dict->items->len; i += 2)
    {
      const SymPickleValue *name = dict->items->pdata[i];
      const SymPickleValue *call = find_tensor (dict->items->pdata[i + 1]);

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (name->kind != SYM_PICKLE_TEXT || call == NULL)
        continue;
      if (!g_hash_table_add (names, (gpointer) name))
        skip (self, name, "its name has come before");
      else if (!is_short_text (name))
        skip (self, name, "its name has more than " G_STRINGIFY (MAX_NAME) " bytes");
      else
        add_tensor (self, name, call);
    }
  tell_rest (self);
  return TRUE;
}

/* Which way round the bytes are, in files since PyTorch 2.1. */
static gboolean
check_order (Reader *self, GError **error)
{
  g_autofree char *file = g_strconcat (self->folder, "byteorder", NULL);
  int entry = sym_store_archive_find (self->archive, file);
  g_autoptr (SymBlob) blob =
      entry < 0 ? NULL : sym_store_archive_open_entry (self->archive, (guint) entry, NULL);
  char start[3] = { 0 };

  return blob == NULL || blob->size < sizeof start ||
         !sym_blob_read (blob, 0, sizeof start, start, NULL) || memcmp (start, "big", 3) != 0 ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "its numbers are big-endian, which is not read");
}

SymStoreTensors *
sym_store_read_torch (SymStoreArchive *archive,
                      const char *path,
                      GCancellable *cancellable,
                      GError **error)
{
  int entry = find_pickle (archive);
  const char *name = entry < 0 ? FILE_NAME : sym_store_archive_get_name (archive, (guint) entry);
  g_autofree char *folder = g_strndup (name, strlen (name) - strlen (FILE_NAME));
  g_autoptr (GHashTable) blobs =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_blob_unref);
  g_autoptr (SymStoreTensors) tensors = sym_store_tensors_new ();
  Reader reader = { archive, path, cancellable, folder, blobs, tensors, 0 };
  g_autoptr (SymPickle) pickle = NULL;
  const SymPickleValue *dict;

  if (entry < 0)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path, "there is not one " FILE_NAME " in it");
      return NULL;
    }
  pickle = check_order (&reader, error) ? read_pickle (&reader, (guint) entry, error) : NULL;
  if (pickle == NULL)
    return NULL;
  dict = find_dict (&reader, sym_pickle_get_value (pickle), error);
  if (dict == NULL || !add_tensors (&reader, dict, error))
    return NULL;
  return g_steal_pointer (&tensors);
}
