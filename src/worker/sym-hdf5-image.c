/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include <string.h>

/* A driver of HDF5's library whose file is in memory, and has no more there than what was written:
 * the bytes of arrays never are. */

#define PAGE_BYTES 4096

struct _SymHdf5Image {
  GHashTable *pages; /* from the number of a page to its bytes */
  guint64 end;
};

typedef struct {
  SymHdf5Driver base;
  SymHdf5Image *image; /* borrowed */
} Driver;

SymHdf5Image *
sym_hdf5_image_new (void)
{
  SymHdf5Image *self = g_new0 (SymHdf5Image, 1);

  self->pages = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  return self;
}

void
sym_hdf5_image_free (SymHdf5Image *self)
{
  g_hash_table_unref (self->pages);
  g_free (self);
}

guint64
sym_hdf5_image_get_size (const SymHdf5Image *self)
{
  return self->end;
}

/* ---- Pages ---- */

/* A stretch of bytes within one page. */
typedef struct {
  guint64 page;
  gsize start, n;
} Stretch;

static Stretch
find_stretch (guint64 address, guint64 n)
{
  Stretch stretch = { .page = address / PAGE_BYTES, .start = (gsize) (address % PAGE_BYTES) };

  stretch.n = (gsize) MIN (n, PAGE_BYTES - stretch.start);
  return stretch;
}

static void
put (SymHdf5Image *self, guint64 address, gsize size, const char *bytes)
{
  for (gsize done = 0; done < size;)
    {
      Stretch stretch = find_stretch (address + done, size - done);
      char *page = g_hash_table_lookup (self->pages, &stretch.page);

      if (!page)
        {
          page = g_malloc0 (PAGE_BYTES);
          g_hash_table_insert (self->pages, g_memdup2 (&stretch.page, sizeof stretch.page), page);
        }
      memcpy (page + stretch.start, bytes + done, stretch.n);
      done += stretch.n;
    }
}

static void
get (const SymHdf5Image *self, guint64 address, gsize size, char *bytes)
{
  for (gsize done = 0; done < size;)
    {
      Stretch stretch = find_stretch (address + done, size - done);
      const char *page = g_hash_table_lookup (self->pages, &stretch.page);

      if (page)
        memcpy (bytes + done, page + stretch.start, stretch.n);
      else
        memset (bytes + done, 0, stretch.n);
      done += stretch.n;
    }
}

void
sym_hdf5_image_copy (const SymHdf5Image *self, guint64 from, guint64 to, GByteArray *bytes)
{
  guint n = bytes->len;

  g_byte_array_set_size (bytes, n + (guint) (to - from));
  get (self, from, (gsize) (to - from), (char *) bytes->data + n);
}

/* ---- The driver ---- */

static H5FD_t *
open_driver (const char *name, unsigned flags, hid_t access, haddr_t max_address)
{
  SymHdf5Image *const *image = H5Pget_driver_info (access);
  Driver *self = g_new0 (Driver, 1);

  self->image = *image;
  return &self->base.parent;
}

static haddr_t
get_end (const H5FD_t *driver, H5FD_mem_t kind)
{
  return ((const Driver *) driver)->image->end;
}

static herr_t
read_bytes (H5FD_t *driver,
            H5FD_mem_t kind,
            hid_t plist,
            haddr_t address,
            size_t size,
            void *buffer)
{
  get (((Driver *) driver)->image, address, size, buffer);
  return 0;
}

static herr_t
write_bytes (H5FD_t *driver,
             H5FD_mem_t kind,
             hid_t plist,
             haddr_t address,
             size_t size,
             const void *buffer)
{
  SymHdf5Image *image = ((Driver *) driver)->image;

  put (image, address, size, buffer);
  image->end = MAX (image->end, address + size);
  return 0;
}

/* A file ends where the library thinks it does: arrays at its end are not written. */
static herr_t
end_file (H5FD_t *driver, hid_t plist, hbool_t is_closing)
{
  const Driver *self = (const Driver *) driver;

  self->image->end = self->base.known_end;
  return 0;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
  .version = H5FD_CLASS_VERSION,
  .value = (H5FD_class_value_t) 601, /* of those that nobody has to ask for */
#endif
  .name = "symscope-image",
  .maxaddr = G_MAXINT64,
  .fc_degree = H5F_CLOSE_STRONG,
  .fapl_size = sizeof (SymHdf5Image *),
  .open = open_driver,
  .close = sym_hdf5_driver_close,
  .cmp = sym_hdf5_driver_compare,
  .get_eoa = sym_hdf5_driver_get_known_end,
  .set_eoa = sym_hdf5_driver_set_known_end,
  .get_eof = get_end,
  .read = read_bytes,
  .write = write_bytes,
  .truncate = end_file,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t
sym_hdf5_image_create (SymHdf5Image *self)
{
  hid_t driver = H5FDregister (&driver_class);
  hid_t access = H5Pcreate (H5P_FILE_ACCESS);
  hid_t file = -1;

  if (H5Pset_driver (access, driver, &self) >= 0)
    file = H5Fcreate ("image", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose (access);
  return file;
}
