/* SPDX-License-Identifier: MIT */
#include "io/sym-openvino-weights.h"

#include "core/sym-problem-lack.h"

struct _SymOpenvinoWeights {
  SymNet *net; /* borrowed */
  const SymIoSource *source;
  SymBlob *blob; /* NULL until it is asked for, and when there is none */
  gboolean is_tried;
};

SymOpenvinoWeights *
sym_openvino_weights_new (SymNet *net, const SymIoSource *source, GError **error)
{
  g_autoptr (SymOpenvinoWeights) self = g_new0 (SymOpenvinoWeights, 1);

  self->net = net;
  self->source = source;
  self->is_tried = source->weights != NULL;
  if (self->is_tried && !sym_net_open_weights (source, "", &self->blob, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
sym_openvino_weights_free (SymOpenvinoWeights *self)
{
  g_clear_pointer (&self->blob, sym_blob_unref);
  g_free (self);
}

static SymBlob *
get_blob (SymOpenvinoWeights *self)
{
  g_autofree char *path = self->is_tried ? NULL : sym_net_dup_name_beside (self->source, ".bin");

  if (path != NULL)
    self->blob = sym_net_open_file (self->source, path, NULL);
  if (path != NULL && self->blob == NULL)
    sym_problems_add_lack (sym_model_builder_get_problems (sym_net_get_builder (self->net)),
                           SYM_SEVERITY_NOTE, 0,
                           "there are no weights: '%s' is not beside the graph", path);
  self->is_tried = TRUE;
  return self->blob;
}

SymTensor *
sym_openvino_weights_read (SymOpenvinoWeights *self,
                           const char *name,
                           gint64 offset,
                           gint64 size,
                           const SymType *type,
                           guint line,
                           char **lack)
{
  g_autoptr (SymTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  SymBlob *blob;

  if (offset < 0 || type->dtype == SYM_DTYPE_UNKNOWN || type->dtype == SYM_DTYPE_STRING ||
      !sym_shape_is_known (&type->shape))
    return NULL;
  blob = get_blob (self);
  if (blob == NULL)
    return NULL;
  tensor = sym_tensor_new (type->dtype, &type->shape, blob, (guint64) offset, &error);
  if (tensor == NULL)
    *lack = g_strdup_printf ("the numbers of '%s' are not there: %s", name, error->message);
  else if (size >= 0 && (guint64) size != sym_tensor_get_n_bytes (tensor))
    *lack = g_strdup_printf ("the numbers of '%s' take %" G_GUINT64_FORMAT
                             " bytes, not %" G_GINT64_FORMAT,
                             name, sym_tensor_get_n_bytes (tensor), size);
  if (*lack == NULL)
    return g_steal_pointer (&tensor);
  sym_net_warn_of_lack (self->net, line, "%s", *lack);
  return NULL;
}
