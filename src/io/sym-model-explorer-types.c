/* SPDX-License-Identifier: MIT */
#include "io/sym-model-explorer-private.h"

#include <string.h>

SymAttributes *
sym_model_explorer_read_attributes (SymNet *net, guint list)
{
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *key = sym_json_dup_string (json, sym_json_get_member (json, i.value, "key"));

      if (key != NULL)
        sym_net_set_attribute (net, attributes, key, sym_json_get_member (json, i.value, "value"));
    }
  return attributes;
}

/* "float32[1,300,300,3]", "tensor<1x16x112xf32>", "[1, 3]" */
static SymType
parse_type (SymNet *net, const char *text)
{
  const char *open = strpbrk (text, "[<");
  g_autofree char *before =
      open == NULL ? NULL : g_strstrip (g_strndup (text, (gsize) (open - text)));
  g_autofree char *inside = open == NULL ? NULL : g_strndup (open + 1, strcspn (open + 1, "]>"));
  char *last;

  if (open == NULL)
    return sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  if (*open == '[')
    return sym_type_tensor (sym_net_parse_dtype (before), sym_net_parse_shape (net, inside, ","));
  last = strrchr (inside, 'x');
  if (last == NULL)
    return sym_type_tensor (sym_net_parse_dtype (inside), SYM_SHAPE ());
  *last = '\0';
  return sym_type_tensor (sym_net_parse_dtype (last + 1), sym_net_parse_shape (net, inside, "x"));
}

/* Of what no file tells a shape or a dtype, it is not known either whether it is a tensor. */
SymType
sym_model_explorer_read_type (SymNet *net, const SymAttributes *attributes)
{
  const char *shape = sym_attributes_get_string (attributes, "tensor_shape", NULL);
  const char *dtype = sym_attributes_get_string (attributes, "tensor_dtype", NULL);
  SymType type;

  if (shape == NULL)
    shape = sym_attributes_get_string (attributes, "shape", "");
  type = parse_type (net, shape);
  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = sym_net_parse_dtype (
        dtype != NULL ? dtype : sym_attributes_get_string (attributes, "dtype", NULL));
  return type.shape.rank < 0 && type.dtype == SYM_DTYPE_UNKNOWN ? SYM_TYPE_UNKNOWN : type;
}
