/* SPDX-License-Identifier: MIT */
#include "app/scope-row.h"

struct _ScopeRow {
  GObject parent_instance;
  guint index;
};

G_DEFINE_FINAL_TYPE (ScopeRow, scope_row, G_TYPE_OBJECT)

static void
scope_row_class_init (ScopeRowClass *klass)
{
}

static void
scope_row_init (ScopeRow *self)
{
}

ScopeRow *
scope_row_new (guint index)
{
  ScopeRow *self = g_object_new (SCOPE_TYPE_ROW, NULL);

  self->index = index;
  return self;
}

guint
scope_row_get_index (ScopeRow *self)
{
  g_return_val_if_fail (SCOPE_IS_ROW (self), 0);

  return self->index;
}
