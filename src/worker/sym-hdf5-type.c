/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include <string.h>

/* Floats of two bytes, of which HDF5 knows none: as IEEE's halves, or the upper half of a float32.
 */
static hid_t
make_half (gboolean is_brain)
{
  hid_t type = H5Tcopy (H5T_IEEE_F32LE);

  H5Tset_fields (type, 15, is_brain ? 7 : 10, is_brain ? 8 : 5, 0, is_brain ? 7 : 10);
  H5Tset_size (type, 2);
  H5Tset_precision (type, 16);
  H5Tset_ebias (type, is_brain ? 127 : 15);
  return type;
}

hid_t
sym_hdf5_make_type (const char *name, hid_t stored)
{
  const struct {
    const char *name;
    hid_t type;
  } table[] = {
    { "f4", H5T_IEEE_F32LE }, { "f8", H5T_IEEE_F64LE }, { "i1", H5T_STD_I8LE },
    { "i2", H5T_STD_I16LE },  { "i4", H5T_STD_I32LE },  { "i8", H5T_STD_I64LE },
    { "u1", H5T_STD_U8LE },   { "u2", H5T_STD_U16LE },  { "u4", H5T_STD_U32LE },
    { "u8", H5T_STD_U64LE },
  };

  if (strcmp (name, "f2") == 0 || strcmp (name, "bf16") == 0)
    return make_half (*name == 'b');
  if (strcmp (name, "b1") == 0 || strcmp (name, "V2") == 0)
    return H5Tcopy (stored);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].name, name) == 0)
      return H5Tcopy (table[i].type);
  return -1;
}

/* What h5py makes of NumPy's bool. */
static hid_t
make_bool (void)
{
  hid_t type = H5Tenum_create (H5T_STD_I8LE);
  gint8 value = 0;

  H5Tenum_insert (type, "FALSE", &value);
  value = 1;
  H5Tenum_insert (type, "TRUE", &value);
  return type;
}

hid_t
sym_hdf5_make_stored (const char *name)
{
  hid_t type;

  if (strcmp (name, "b1") == 0)
    return make_bool ();
  if (strcmp (name, "V2") != 0)
    return sym_hdf5_make_type (name, H5T_NATIVE_OPAQUE);
  type = H5Tcreate (H5T_OPAQUE, 2);
  H5Tset_tag (type, "");
  return type;
}

static const char *
name_integer (hid_t type)
{
  static const char *const names[2][4] = { { "u1", "u2", "u4", "u8" }, { "i1", "i2", "i4", "i8" } };
  const char *const *row = names[H5Tget_sign (type) == H5T_SGN_2];

  switch (H5Tget_size (type))
    {
    case 1:
      return row[0];
    case 2:
      return row[1];
    case 4:
      return row[2];
    case 8:
      return row[3];
    default:
      return "";
    }
}

static const char *
name_float (hid_t type)
{
  switch (H5Tget_size (type))
    {
    case 2:
      return H5Tget_ebias (type) == 127 ? "bf16" : "f2";
    case 4:
      return "f4";
    case 8:
      return "f8";
    default:
      return "";
    }
}

/* What h5py makes of NumPy's bool: a byte that is called FALSE or TRUE. */
static const char *
name_enumeration (hid_t type)
{
  char *first = NULL;
  gboolean is_bool = H5Tget_size (type) == 1 && H5Tget_nmembers (type) == 2;

  if (is_bool)
    {
      first = H5Tget_member_name (type, 0);
      is_bool = first && strcmp (first, "FALSE") == 0;
      H5free_memory (first);
    }
  return is_bool ? "b1" : "";
}

const char *
sym_hdf5_name_type (hid_t type)
{
  H5T_class_t kind = H5Tget_class (type);

  return kind == H5T_INTEGER  ? name_integer (type)
         : kind == H5T_FLOAT  ? name_float (type)
         : kind == H5T_ENUM   ? name_enumeration (type)
         : kind == H5T_OPAQUE ? (H5Tget_size (type) == 2 ? "V2" : "")
                              : "";
}
