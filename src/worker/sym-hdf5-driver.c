/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include <errno.h>
#include <unistd.h>

/* ---- Any driver ---- */

herr_t
sym_hdf5_driver_close (H5FD_t *driver)
{
  g_free (driver);
  return 0;
}

int
sym_hdf5_driver_compare (const H5FD_t *a, const H5FD_t *b)
{
  return (a > b) - (a < b);
}

haddr_t
sym_hdf5_driver_get_known_end (const H5FD_t *driver, H5FD_mem_t kind)
{
  return ((const SymHdf5Driver *) driver)->known_end;
}

herr_t
sym_hdf5_driver_set_known_end (H5FD_t *driver, H5FD_mem_t kind, haddr_t end)
{
  ((SymHdf5Driver *) driver)->known_end = end;
  return 0;
}

/* ---- The file ---- */

/* A driver of HDF5's library that reads descriptor 3 and opens no file, whatever name it is given:
 * the process needs the right to open none. */

typedef struct {
  SymHdf5Driver base;
  haddr_t end; /* of the file */
} Driver;

static H5FD_t *
open_driver (const char *name, unsigned flags, hid_t access, haddr_t max_address)
{
  Driver *self = g_new0 (Driver, 1);
  off_t end = lseek (SYM_HDF5_FD, 0, SEEK_END);

  if (end < 0 || (flags & H5F_ACC_RDWR) != 0)
    {
      g_free (self);
      return NULL;
    }
  self->end = (haddr_t) end;
  return &self->base.parent;
}

static haddr_t
get_end (const H5FD_t *driver, H5FD_mem_t kind)
{
  return ((const Driver *) driver)->end;
}

static herr_t
read_bytes (H5FD_t *driver,
            H5FD_mem_t kind,
            hid_t plist,
            haddr_t address,
            size_t size,
            void *buffer)
{
  size_t n = 0;

  if (address > G_MAXINT64 - size)
    return -1;
  while (n < size)
    {
      ssize_t n_read = pread (SYM_HDF5_FD, (char *) buffer + n, size - n, (off_t) (address + n));

      if (n_read < 0 && errno == EINTR)
        continue;
      if (n_read <= 0)
        return -1;
      n += (size_t) n_read;
    }
  return 0;
}

static herr_t
refuse_write (H5FD_t *driver,
              H5FD_mem_t kind,
              hid_t plist,
              haddr_t address,
              size_t size,
              const void *buffer)
{
  return -1;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
  .version = H5FD_CLASS_VERSION,
  .value = (H5FD_class_value_t) 600, /* of those that nobody has to ask for */
#endif
  .name = "symscope",
  .maxaddr = G_MAXINT64,
  .fc_degree = H5F_CLOSE_STRONG,
  .open = open_driver,
  .close = sym_hdf5_driver_close,
  .cmp = sym_hdf5_driver_compare,
  .get_eoa = sym_hdf5_driver_get_known_end,
  .set_eoa = sym_hdf5_driver_set_known_end,
  .get_eof = get_end,
  .read = read_bytes,
  .write = refuse_write,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t
sym_hdf5_open (char **message)
{
  hid_t driver = H5FDregister (&driver_class);
  hid_t access = H5Pcreate (H5P_FILE_ACCESS);
  hid_t file = -1;

  if (H5Pset_driver (access, driver, NULL) >= 0)
    file = H5Fopen ("descriptor", H5F_ACC_RDONLY, access);
  if (file < 0)
    *message = sym_hdf5_explain ("it cannot be opened");
  H5Pclose (access);
  return file;
}
