/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include "worker/sym-worker-stream.h"

#include <string.h>

/* So many bytes are read at once, or one row when that has more, or one row of chunks. */
#define PIECE_BYTES (1 << 20)
#define MAX_PIECE_BYTES (256 << 20)

/* An array on its way. */
typedef struct {
  hid_t array, type, space;
  int rank;
  hsize_t sizes[SYM_HDF5_MAX_RANK];
  guint64 row_bytes;
  guint64 rows_at_once;
  guint64 n_bytes;
} Sender;

/* How many rows of the first axis lie in one chunk. */
static guint64
get_chunk_rows (hid_t array, int rank)
{
  hid_t creation = H5Dget_create_plist (array);
  hsize_t sizes[SYM_HDF5_MAX_RANK] = { 1 };

  if (H5Pget_layout (creation) == H5D_CHUNKED)
    H5Pget_chunk (creation, rank, sizes);
  H5Pclose (creation);
  return MAX (sizes[0], 1);
}

/* A chunk is unpacked once when the rows that are read are those of whole chunks. */
static void
choose_rows (Sender *self)
{
  guint64 rows = self->row_bytes > 0 ? PIECE_BYTES / self->row_bytes : 1;
  guint64 chunk = get_chunk_rows (self->array, self->rank);

  if (rows >= chunk)
    rows -= rows % chunk;
  else if (self->row_bytes == 0 || chunk <= MAX_PIECE_BYTES / self->row_bytes)
    rows = chunk;
  self->rows_at_once = MAX (rows, 1);
}

static gboolean
measure (Sender *self)
{
  guint64 n_bytes = H5Tget_size (self->type);

  self->rank = H5Sget_simple_extent_ndims (self->space);
  if (self->rank < 0 || self->rank > SYM_HDF5_MAX_RANK ||
      H5Sget_simple_extent_dims (self->space, self->sizes, NULL) < 0)
    return FALSE;
  self->row_bytes = n_bytes;
  for (int i = self->rank - 1; i >= 0; i--)
    {
      if (!g_uint64_checked_mul (&n_bytes, n_bytes, self->sizes[i]))
        return FALSE;
      if (i > 0)
        self->row_bytes = n_bytes;
    }
  self->n_bytes = n_bytes;
  return TRUE;
}

static gboolean
read_rows (Sender *self, guint64 first, guint64 n, void *buffer)
{
  hsize_t start[SYM_HDF5_MAX_RANK] = { first };
  hsize_t count[SYM_HDF5_MAX_RANK];
  hid_t memory;
  gboolean done;

  if (self->rank == 0)
    return H5Dread (self->array, self->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) >= 0;
  memcpy (count, self->sizes, sizeof count);
  count[0] = n;
  memory = H5Screate_simple (self->rank, count, NULL);
  done = memory >= 0 &&
         H5Sselect_hyperslab (self->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
         H5Dread (self->array, self->type, memory, self->space, H5P_DEFAULT, buffer) >= 0;
  H5Sclose (memory);
  return done;
}

/* The first piece is read before anything is said, so that most failures can be told. */
static gboolean
send_rows (Sender *self)
{
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, SYM_HDF5_ARRAY, self->n_bytes };
  guint64 n_rows = self->rank == 0 ? 1 : self->sizes[0];
  guint64 n = MIN (n_rows, self->rows_at_once);
  g_autofree char *buffer = g_try_malloc (MAX (n * self->row_bytes, 1));

  if (!buffer)
    return sym_worker_fail ("there is no memory for a row of it");
  for (guint64 i = 0; i < n_rows; i += n)
    {
      n = MIN (n, n_rows - i);
      if (!read_rows (self, i, n, buffer))
        return i == 0 ? sym_hdf5_fail ("it cannot be read") : FALSE;
      if ((i == 0 && !sym_worker_write (&frame, sizeof frame)) ||
          !sym_worker_write (buffer, n * self->row_bytes))
        return FALSE;
    }
  return n_rows > 0 || sym_worker_write (&frame, sizeof frame);
}

static gboolean
send_array (Sender *self, const SymHdf5Read *request)
{
  hid_t stored = H5Dget_type (self->array);
  gboolean done;

  self->space = H5Dget_space (self->array);
  self->type = sym_hdf5_make_type (request->type, stored);
  H5Tclose (stored);
  if (self->type < 0 || !measure (self) || self->n_bytes != request->n_bytes ||
      !sym_hdf5_is_justified (self->n_bytes, H5Dget_storage_size (self->array)))
    done = sym_worker_fail ("it is not what it was listed as");
  else
    {
      choose_rows (self);
      done = send_rows (self);
    }
  if (self->type >= 0)
    H5Tclose (self->type);
  H5Sclose (self->space);
  return done;
}

gboolean
sym_hdf5_send_array (hid_t file, const SymHdf5Read *request)
{
  Sender self = { .array = H5Oopen_by_addr (file, (haddr_t) request->address) };
  gboolean done;

  if (self.array < 0)
    return sym_hdf5_fail ("it cannot be opened");
  done = H5Iget_type (self.array) == H5I_DATASET ? send_array (&self, request)
                                                 : sym_worker_fail ("it is no array");
  H5Oclose (self.array);
  return done;
}
