/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <glib/gi18n.h>

#include "app/scope-place.h"
#include "scene/sym-scene-body.h"

static SymLayout *
get_layout (ScopeDocument *self)
{
  return self->picture != NULL ? sym_picture_get_layout (self->picture) : NULL;
}

/* Whether all that is around a body is open, and its own layer is. */
static gboolean
is_seen (const SymOpenBodies *open, const char *body_path)
{
  g_autofree char *body = g_strdup (body_path);

  while (*body != '\0')
    {
      g_autofree char *call = sym_path_leave_body (body);

      if (!sym_open_bodies_has (open, call))
        return FALSE;
      g_free (body);
      body = sym_path_leave_call (call);
    }
  return TRUE;
}

/* What was selected in a body that is closed gives way to its layer.  TRUE when it did. */
static gboolean
leave_closed_body (ScopeDocument *self)
{
  if (self->selected.body == NULL || is_seen (self->open_bodies, self->selected.body))
    return FALSE;
  self->selected = scope_node_get (self->selected.value, self->selected.call);
  return TRUE;
}

ScopeChanges
scope_document_leave_lost_body (ScopeDocument *self)
{
  if (self->selected.body == NULL ||
      scope_document_get_inner_inference (self, &self->selected) != NULL)
    return 0;
  self->selected = scope_node_get (self->selected.value, self->selected.call);
  return SCOPE_CHANGE_SELECTION;
}

/* @call_path is the one that was opened or closed, NULL for many. */
static void
take_open_bodies (ScopeDocument *self, SymOpenBodies *open_bodies, const char *call_path)
{
  guint changes = SCOPE_CHANGE_VIEW | SCOPE_CHANGE_PROGRESS;

  sym_open_bodies_unref (self->open_bodies);
  self->open_bodies = open_bodies;
  self->folded_group = SYM_NO_GROUP;
  self->folded_layer = g_intern_string (call_path);
  scope_document_request (self, 1u << SCOPE_STAGE_LAYOUT);
  if (leave_closed_body (self))
    changes |= SCOPE_CHANGE_SELECTION;
  scope_document_emit_changed (self, changes);
}

void
scope_document_replace_open_bodies (ScopeDocument *self, SymOpenBodies *take_bodies)
{
  take_open_bodies (self, take_bodies, NULL);
}

void
scope_document_open_layer (ScopeDocument *self, const char *call_path)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && call_path != NULL);

  if (!sym_open_bodies_has (self->open_bodies, call_path))
    take_open_bodies (self, sym_open_bodies_open (self->open_bodies, call_path), call_path);
}

void
scope_document_close_layer (ScopeDocument *self, const char *call_path)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && call_path != NULL);

  if (sym_open_bodies_has (self->open_bodies, call_path))
    take_open_bodies (self, sym_open_bodies_close (self->open_bodies, call_path), call_path);
}

SymOpenBodies *
scope_document_get_open_bodies (ScopeDocument *self)
{
  return self->open_bodies;
}

const char *
scope_document_get_folded_layer (ScopeDocument *self)
{
  return self->folded_layer;
}

char *
scope_document_get_selected_layer (ScopeDocument *self)
{
  SymLayout *layout = get_layout (self);
  guint item = layout != NULL ? scope_place_find_node_item (layout, &self->selected) : G_MAXUINT;

  return item != G_MAXUINT ? sym_scene_get_call_path (sym_layout_get_scene (layout), item) : NULL;
}

gboolean
scope_document_open_selected_layer (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  g_autofree char *path = scope_document_get_selected_layer (self);

  if (path == NULL || sym_open_bodies_has (self->open_bodies, path))
    return FALSE;
  scope_document_open_layer (self, path);
  return TRUE;
}

gboolean
scope_document_close_layer_around (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  g_autofree char *path = scope_document_get_selected_layer (self);

  if (path == NULL || !sym_open_bodies_has (self->open_bodies, path))
    {
      g_free (path);
      path = self->selected.body != NULL ? sym_path_leave_body (self->selected.body) : NULL;
    }
  if (path == NULL)
    return FALSE;
  scope_document_close_layer (self, path);
  return TRUE;
}

const ScopeNode *
scope_document_get_selected (ScopeDocument *self)
{
  return &self->selected;
}

/* A value with the call that made it, a call with its first result; likewise of the layer around
 * them, which is all that there is of them while its body is not drawn. */
static ScopeNode
complete (const ScopeNode *node, const SymModel *model, const SymInference *inner)
{
  const SymModel *body = inner != NULL ? sym_inference_get_model (inner) : NULL;
  SymId value = sym_model_get_first_result (model, node->call);
  ScopeNode whole = *node;

  if (body == NULL)
    return scope_node_get (value, node->call);
  whole.value = value;
  if (node->inner_value != SYM_NO_ID)
    whole.inner_call = sym_model_get_producer (body, node->inner_value);
  else
    whole.inner_value = sym_model_get_first_result (body, node->inner_call);
  return whole;
}

static void
select_line (ScopeDocument *self, const ScopeNode *node)
{
  SymModel *model = scope_document_get_model (self);

  if (model == NULL || !sym_model_has_value (model, node->value) ||
      !sym_model_has_call (model, node->to))
    return;
  ScopeNode whole = scope_node_get (node->value, sym_model_get_producer (model, node->value));

  whole.to = node->to;
  scope_document_select (self, &whole, SYM_NO_GROUP);
}

void
scope_document_select_node (ScopeDocument *self, const ScopeNode *node)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && node != NULL);

  SymModel *model = scope_document_get_model (self);

  if (node->body == NULL && scope_node_is_line (node))
    select_line (self, node);
  else if (node->body == NULL && node->value != SYM_NO_ID)
    scope_document_select_value (self, node->value);
  else if (node->body == NULL || model == NULL || !sym_model_has_call (model, node->call))
    scope_document_select_call (self, node->call);
  else
    {
      ScopeNode whole = complete (node, model, scope_document_get_inner_inference (self, node));

      scope_document_select (self, &whole, SYM_NO_GROUP);
    }
}

SymInference *
scope_document_get_inner_inference (ScopeDocument *self, const ScopeNode *node)
{
  SymLayout *layout = get_layout (self);

  return layout != NULL && node->body != NULL ? scope_place_get_inference (layout, node) : NULL;
}

gboolean
scope_document_knows_line (ScopeDocument *self, const ScopeNode *node)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && node != NULL, FALSE);

  return scope_node_is_line (node) && self->inference != NULL &&
         (node->body == NULL || scope_document_get_inner_inference (self, node) != NULL);
}

gboolean
scope_document_draws (ScopeDocument *self, const ScopeNode *node)
{
  SymLayout *layout = get_layout (self);

  return layout != NULL && scope_place_find_node_item (layout, node) != G_MAXUINT;
}

gboolean
scope_document_is_hidden (ScopeDocument *self, const ScopeNode *node)
{
  SymLayout *layout = get_layout (self);

  return layout != NULL && scope_place_is_hidden (layout, node);
}

gboolean
scope_document_is_made (ScopeDocument *self, const ScopeNode *node)
{
  SymLayout *layout = get_layout (self);

  return layout != NULL && scope_place_is_made (layout, node);
}

/* Of a body, what comes from the weights of its layer is told by its being hidden. */
gboolean
scope_document_is_weight (ScopeDocument *self, const ScopeNode *node)
{
  SymInference *inner = scope_document_get_inner_inference (self, node);
  SymModel *model =
      inner != NULL ? sym_inference_get_model (inner) : scope_document_get_model (self);
  SymId value = inner != NULL ? node->inner_value : node->value;

  return !sym_role_is_data (sym_model_get_role (model, value)) ||
         (inner != NULL && scope_document_is_hidden (self, node));
}

SymRecord *
scope_document_find_record (ScopeDocument *self, const ScopeNode *node, const char **reason)
{
  SymRecord *record = scope_document_get_record (self);

  *reason = NULL;
  if (scope_document_get_inner_inference (self, node) == NULL)
    return record;
  if (scope_document_is_made (self, node))
    *reason = _ ("Numbers within this layer are not kept by a run");
  if (record == NULL || *reason != NULL)
    return NULL;
  record = sym_record_find_body (record, node->body);
  if (record == NULL)
    *reason = _ ("It was not computed in the last run");
  return record;
}
