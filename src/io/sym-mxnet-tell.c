/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

/* "attrs": {"mxnet_version": ["int", 10900]}: the kind of each is told before it. */
void
sym_mxnet_tell (const SymModel *self, SymIoTellFunc func, gpointer user_data)
{
  const SymMxnetOrigin *origin = sym_model_get_origin (self);
  const SymJson *json = origin->graph->json;
  SymJsonIter iter =
      sym_json_iterate (json, sym_json_get_member (json, origin->graph->root, "attrs"));

  while (sym_json_iter_next (json, &iter))
    {
      guint value = sym_json_get_kind (json, iter.value) == SYM_JSON_ARRAY
                        ? sym_json_get_element (json, iter.value, 1)
                        : iter.value;
      g_autofree char *name = sym_json_dup_string (json, iter.key);
      g_autofree char *text = sym_json_dup_excerpt (json, value);

      if (value != SYM_JSON_NONE)
        func (name, text, user_data);
    }
}
