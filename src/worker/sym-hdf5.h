/* SPDX-License-Identifier: MIT */
#pragma once

#include <hdf5.h>

#include "worker/sym-hdf5-protocol.h"

G_BEGIN_DECLS

/* symscope-hdf5's parts.  What HDF5's library cannot do is told by a message, which the caller
 * frees. */

/* ---- sym-hdf5-type.c ---- */

/* The code of sym-hdf5-protocol.h for a type in the file: "" for none. */
const char *sym_hdf5_name_type (hid_t type);

/* Numbers of that code in memory, little-endian, to be closed; @stored is their type in the file.
 */
hid_t sym_hdf5_make_type (const char *name, hid_t stored);

/* How that code is kept in a file, to be closed; -1 for one that none is made of. */
hid_t sym_hdf5_make_stored (const char *name);

/* ---- sym-hdf5-image.c ---- */

/* The bytes that HDF5's library writes of a file that is being made, in memory. */
typedef struct _SymHdf5Image SymHdf5Image;

SymHdf5Image *sym_hdf5_image_new (void);
void sym_hdf5_image_free (SymHdf5Image *self);

/* An empty file whose bytes go there; -1 when it cannot be made. */
hid_t sym_hdf5_image_create (SymHdf5Image *self);
guint64 sym_hdf5_image_get_size (const SymHdf5Image *self);

/* Bytes from @from on to before @to; those that were not written are zeros. */
void sym_hdf5_image_copy (const SymHdf5Image *self, guint64 from, guint64 to, GByteArray *bytes);

/* ---- sym-hdf5-outline.c ---- */

/* Answers with the image of a file that is laid out so, or with a failure.  FALSE when nobody
 * listens. */
gboolean sym_hdf5_send_image (GVariant *outline);

/* ---- sym-hdf5-attribute.c ---- */

/* Adds the attributes of @object that are text.  FALSE when they are more than *@left bytes. */
gboolean
sym_hdf5_add_attributes (hid_t object, const char *path, GVariantBuilder *builder, gint64 *left);

/* ---- sym-hdf5-catalogue.c ---- */

/* NULL with a message when the file cannot be read. */
GVariant *sym_hdf5_list (hid_t file, guint64 file_size, char **message);

/* ---- sym-hdf5-array.c ---- */

/* Answers with the array, or with a failure.  FALSE when nobody listens, or half of an array was
 * sent. */
gboolean sym_hdf5_send_array (hid_t file, const SymHdf5Read *request);

/* ---- sym-hdf5-driver.c ---- */

/* What the drivers of files have in common, and what their classes have therefore; each is freed by
 * g_free(). */
typedef struct {
  H5FD_t parent;
  haddr_t known_end; /* of what the library thinks there is */
} SymHdf5Driver;

herr_t sym_hdf5_driver_close (H5FD_t *driver);
int sym_hdf5_driver_compare (const H5FD_t *a, const H5FD_t *b);
haddr_t sym_hdf5_driver_get_known_end (const H5FD_t *driver, H5FD_mem_t kind);
herr_t sym_hdf5_driver_set_known_end (H5FD_t *driver, H5FD_mem_t kind, haddr_t end);

/* What the worker is given. */
#define SYM_HDF5_FD 3

/* Opens it; negative with a message when it is no HDF5 file. */
hid_t sym_hdf5_open (char **message);

/* ---- sym-hdf5.c ---- */

/* What the library found wrong last: "truncated file: eof = 96". */
char *sym_hdf5_explain (const char *what);

/* Answers with a failure that tells it.  FALSE when nobody listens. */
gboolean sym_hdf5_fail (const char *what);

G_END_DECLS
