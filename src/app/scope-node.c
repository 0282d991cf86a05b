/* SPDX-License-Identifier: MIT */
#include "app/scope-node.h"

ScopeNode
scope_node_get_none (void)
{
  return scope_node_get (SYM_NO_ID, SYM_NO_ID);
}

ScopeNode
scope_node_get (SymId value, SymId call)
{
  return (ScopeNode){ value, call, NULL, SYM_NO_ID, SYM_NO_ID, SYM_NO_ID };
}

gboolean
scope_node_is_none (const ScopeNode *self)
{
  return self->value == SYM_NO_ID && self->call == SYM_NO_ID;
}

ScopeNode
scope_node_get_beside (const ScopeNode *self, SymId value)
{
  ScopeNode node = *self;

  if (self->body == NULL)
    return scope_node_get (value, SYM_NO_ID);
  node.inner_value = value;
  node.inner_call = node.to = SYM_NO_ID;
  return node;
}

gboolean
scope_node_is_line (const ScopeNode *self)
{
  return self->to != SYM_NO_ID;
}

gboolean
scope_node_equal (const ScopeNode *a, const ScopeNode *b)
{
  return a->value == b->value && a->call == b->call && a->body == b->body &&
         a->inner_value == b->inner_value && a->inner_call == b->inner_call && a->to == b->to;
}
