/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-private.h"

/* "keras_version", "backend" and their like; what is no single word or number tells how the model
 * was built and trained, and is long. */
static gboolean
is_short (const SymValue *value)
{
  SymValueKind kind = sym_value_get_kind (value);

  return kind == SYM_VALUE_BOOL || kind == SYM_VALUE_INT || kind == SYM_VALUE_FLOAT ||
         kind == SYM_VALUE_STRING;
}

static void
tell_all (const SymAttributes *attributes, SymIoTellFunc func, gpointer user_data)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const SymValue *value = sym_attributes_get_value (attributes, i);
      g_autofree char *text = sym_value_to_string (value);

      if (is_short (value))
        func (sym_attributes_get_name (attributes, i), sym_value_as_string (value, text),
              user_data);
    }
}

void
sym_keras_tell (const SymModel *self, SymIoTellFunc func, gpointer user_data)
{
  const SymKerasOrigin *origin = sym_model_get_origin (self);

  if (origin->class_name != NULL)
    func ("class_name", origin->class_name, user_data);
  tell_all (origin->root, func, user_data);
  if (origin->wrapper != NULL)
    tell_all (origin->wrapper, func, user_data);
}
