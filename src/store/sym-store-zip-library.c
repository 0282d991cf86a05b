/* SPDX-License-Identifier: MIT */
#include "store/sym-store-zip-library-private.h"

#include <dlfcn.h>

typedef struct {
  SymStoreZipLibrary functions;
  char *failure; /* NULL: all functions are there */
} Library;

static gpointer
load (gpointer data)
{
  static Library self;
  void *handle = dlopen (SYM_STORE_ZIP_SONAME, RTLD_NOW | RTLD_LOCAL);

  if (handle == NULL)
    self.failure = g_strdup (dlerror ());

#define FIND(name)                                                                               \
  if (self.failure == NULL && (*(void **) &self.functions.name = dlsym (handle, #name)) == NULL) \
    self.failure = g_strdup (dlerror ());
  SYM_STORE_ZIP_FUNCTIONS (FIND)
#undef FIND

  return &self;
}

const SymStoreZipLibrary *
sym_store_zip_load (const char *path, GError **error)
{
  static GOnce once = G_ONCE_INIT;
  const Library *self = g_once (&once, load, NULL);

  if (self->failure == NULL)
    return &self->functions;
  sym_store_fail (error, SYM_STORE_ERROR_FILE, path,
                  "is a zip archive, and libzip, which reads them, is not there: %s",
                  self->failure);
  return NULL;
}
