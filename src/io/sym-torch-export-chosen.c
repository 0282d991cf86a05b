/* SPDX-License-Identifier: MIT */
#include "io/sym-torch-export-private.h"

#include <string.h>

#include "io/sym-net-constants.h"
#include "store/sym-store-numpy.h"
#include "store/sym-store-torch.h"

#define LIST "_weights_config.json"

/* ---- Lists of files ---- */

/* "net/data/weights/model_weights_config.json" is around model of net; FALSE for other paths. */
static gboolean
part_path (const char *path, char **folder, char **stem)
{
  g_autofree char *weights = g_path_get_dirname (path);
  g_autofree char *data = g_path_get_dirname (weights);
  g_autofree char *file = g_path_get_basename (path);
  g_autofree char *last = g_path_get_basename (weights);
  g_autofree char *above = g_path_get_basename (data);

  if (!g_str_has_suffix (file, LIST) || strcmp (last, "weights") != 0 ||
      strcmp (above, "data") != 0)
    return FALSE;
  *folder = g_path_get_dirname (data);
  *stem = g_strndup (file, strlen (file) - strlen (LIST));
  return TRUE;
}

static gboolean
add_listed (SymTorchWeights *self, GError **error)
{
  return sym_torch_weights_add_listed (self, "weights", error) &&
         sym_torch_weights_add_listed (self, "constants", error);
}

static gboolean
take_list (SymTorchWeights *self, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (self->source->weights, NULL);

  if (part_path (path, &self->folder, &self->stem))
    return add_listed (self, error);
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                       "an unpacked archive has that list, and the files that it lists, in its "
                       "folder data/weights");
  return FALSE;
}

/* ---- Archives ---- */

/* What the graph is called, if that is told: of several programs in an archive it is one. */
static char *
dup_own_stem (const SymIoSource *source)
{
  g_autofree char *file = sym_net_dup_file_name (source);

  if (file != NULL && g_str_has_suffix (file, ".json"))
    file[strlen (file) - strlen (".json")] = '\0';
  return g_steal_pointer (&file);
}

static void
keep_list (SymTorchWeights *self, char *take_folder, char *take_stem)
{
  g_free (self->folder);
  g_free (self->stem);
  self->folder = take_folder;
  self->stem = take_stem;
  if (strcmp (self->folder, ".") == 0)
    self->folder[0] = '\0';
}

/* Of the lists in the archive the one that is called like the graph, or the only one.  Returns how
 * many there are to choose from. */
static guint
find_list (SymTorchWeights *self)
{
  g_autofree char *own = dup_own_stem (self->source);
  guint n = 0;

  for (guint i = 0; i < sym_store_archive_get_n (self->archive); i++)
    {
      char *folder, *stem;

      if (!part_path (sym_store_archive_get_name (self->archive, i), &folder, &stem))
        continue;
      keep_list (self, folder, stem);
      n++;
      if (g_strcmp0 (own, stem) == 0)
        return 1;
    }
  return n;
}

static gboolean
is_npz (const SymStoreArchive *archive)
{
  for (guint i = 0; i < sym_store_archive_get_n (archive); i++)
    if (g_str_has_suffix (sym_store_archive_get_name (archive, i), ".npy"))
      return TRUE;

  return FALSE;
}

static gboolean
fail_archive (const SymStoreArchive *archive, guint n_lists, GError **error)
{
  if (n_lists > 1)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                 "it has those of %u programs, none of which is called like the graph", n_lists);
  else
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                 "%s has neither data/weights/*" LIST ", as a .pt2 archive, nor what torch.save() "
                 "writes of a state_dict()",
                 sym_store_archive_get_title (archive));
  return FALSE;
}

/* ---- Tensors by their names ---- */

static void
add_constants (SymTorchWeights *self)
{
  g_autoptr (GError) error = NULL;

  if (sym_torch_weights_find_place (self) &&
      !sym_torch_weights_add_listed (self, "constants", &error))
    sym_problems_add (self->source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "the constants cannot be read: %s", error->message);
}

static gboolean
take_named (SymTorchWeights *self, SymStoreTensors *tensors)
{
  if (tensors == NULL)
    return FALSE;
  add_constants (self);
  sym_torch_weights_add_named (self, tensors);
  sym_store_tensors_unref (tensors);
  return TRUE;
}

static gboolean
take_archive (SymTorchWeights *self, SymBlob *blob, GError **error)
{
  const SymIoSource *source = self->source;
  g_autoptr (SymStoreArchive) archive =
      sym_store_archive_open (blob, source->weights, source->cancellable, error);
  guint n;

  if (archive == NULL)
    return FALSE;
  self->archive = sym_store_archive_ref (archive);
  n = find_list (self);
  if (n == 1)
    return add_listed (self, error);
  g_clear_pointer (&self->archive, sym_store_archive_unref);
  if (n > 1)
    return fail_archive (archive, n, error);
  if (sym_torch_weights_has_pickle (archive))
    return sym_torch_weights_add_pickle (self, archive, error);
  if (sym_store_is_torch (archive))
    return take_named (self,
                       sym_store_read_torch (archive, source->weights, source->cancellable, error));
  if (is_npz (archive))
    return take_named (self, sym_store_open_npz (source->weights, error));
  return fail_archive (archive, n, error);
}

/* ---- Files ---- */

static gboolean
starts_with (SymBlob *blob, const char *mark)
{
  char start[4];
  gsize n = strlen (mark);

  return blob->size >= n && sym_blob_read (blob, 0, n, start, NULL) && memcmp (start, mark, n) == 0;
}

/* Before 1.6 torch.save() wrote pickles one after the other, which begin with their protocol. */
static gboolean
take_file (SymTorchWeights *self, GError **error)
{
  const char *path = self->source->weights;
  g_autoptr (SymBlob) blob = sym_store_open_file (path, error);

  if (blob == NULL)
    return FALSE;
  if (starts_with (blob, "PK"))
    return take_archive (self, blob, error);
  if (g_str_has_suffix (path, LIST))
    return take_list (self, error);
  if (starts_with (blob, "\x80\x02"))
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                           "it is of torch.save() before PyTorch 1.6, which is not read: save it "
                           "again");
      return FALSE;
    }
  return take_named (self, sym_store_open_safetensors (path, error));
}

gboolean
sym_torch_weights_choose (SymTorchWeights *self, GError **error)
{
  g_autofree char *name = g_path_get_basename (self->source->weights);
  GError *cause = NULL;

  if (take_file (self, &cause))
    return TRUE;
  sym_io_take_file_error (error, self->source->weights, cause);
  g_prefix_error (error, "the weights in '%s' cannot be read: ", name);
  return FALSE;
}
