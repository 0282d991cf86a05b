/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include "ops/sym-op.h"

const char *
sym_onnx_normalize_domain (const char *domain)
{
  return domain == NULL || g_str_equal (domain, "ai.onnx") ? "" : domain;
}

/* What is asked for where nothing is: models of the first IR versions, which do not tell, have the
 * first operators. */
static int
get_default_opset (const SymProtoMessage *owner, const char *domain)
{
  gint64 ir = owner->type == &sym_onnx_function_type
                  ? 0
                  : sym_proto_get_int (owner, ONNX_MODEL_IR_VERSION, 0);

  return ir > 0 && ir <= 3 && *domain == '\0' ? 1 : 0;
}

/* The version of the operators of @domain that a model or a function asks for; 0 for none. */
static int
get_opset (const SymProtoMessage *owner, const char *domain)
{
  guint field =
      owner->type == &sym_onnx_function_type ? ONNX_FUNCTION_OPSET_IMPORT : ONNX_MODEL_OPSET_IMPORT;
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (owner, field, &at)) != NULL;)
    {
      const char *name =
          sym_onnx_normalize_domain (sym_proto_get_text (entry->message, ONNX_OPSET_DOMAIN));
      gint64 version = sym_proto_get_int (entry->message, ONNX_OPSET_VERSION, 0);

      if (g_str_equal (name, domain))
        return (int) CLAMP (version, 0, G_MAXINT);
    }
  return get_default_opset (owner, domain);
}

const SymProtoMessage *
sym_onnx_resolve_attribute (const SymOnnxContext *context, const SymProtoMessage *attribute)
{
  const char *reference = sym_proto_get_text (attribute, ONNX_ATTRIBUTE_REF_ATTR_NAME);

  if (reference == NULL || *reference == '\0' || context->bound == NULL)
    return attribute;
  return g_hash_table_lookup (context->bound, reference);
}

/* A layer in the making. */
typedef struct {
  SymOnnxReader *reader;
  const SymOnnxContext *context;
  SymProblems *problems;
  SymId call;
  const char *name; /* of the node, for messages */
  SymLayer *layer;
  GPtrArray *captured;
} Draft;

/* Problems of a body belong among those of the whole, under the call. */
static void
report_body (const Draft *self, const SymModel *body, const char *name)
{
  const SymProblems *problems = sym_model_get_problems (body);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      sym_problems_add (self->problems, problem->severity, problem->line, SYM_NO_ID, self->call,
                        "%s of '%s': %s", name, self->name, problem->message);
    }
}

static gboolean
add_body (Draft *self, const SymProtoMessage *graph, const char *name, GError **error)
{
  SymOnnxContext context = *self->context;
  guint n = self->captured->len;
  g_autoptr (SymModel) body = NULL;

  context.is_body = TRUE;
  context.is_branch = g_str_equal (sym_layer_get_type (self->layer), "If");
  body = sym_onnx_build_graph (self->reader, graph, name, &context, self->captured, error);
  if (body == NULL)
    return FALSE;
  sym_layer_add_body (self->layer, name, body, FALSE);
  sym_layer_set_body_captures (self->layer, sym_layer_get_n_bodies (self->layer) - 1,
                               self->captured->len - n);
  report_body (self, body, name);
  return TRUE;
}

static gboolean
has_graphs (const SymProtoMessage *attribute)
{
  return sym_onnx_get_attribute_kind (attribute) == ONNX_GRAPH ||
         sym_proto_find (attribute, ONNX_ATTRIBUTE_GRAPHS) != NULL;
}

/* A graph is called after its attribute, one of several "graphs[1]". */
static gboolean
add_bodies (Draft *self, const SymProtoMessage *attribute, const char *name, GError **error)
{
  const SymProtoMessage *graph = sym_proto_get_message (attribute, ONNX_ATTRIBUTE_G);
  const SymProtoEntry *entry;
  guint i = 0;

  if (sym_onnx_get_attribute_kind (attribute) == ONNX_GRAPH)
    return graph == NULL || add_body (self, graph, name, error);
  for (guint at = 0; (entry = sym_proto_next (attribute, ONNX_ATTRIBUTE_GRAPHS, &at)) != NULL; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s[%u]", name, i);

      if (entry->held == SYM_PROTO_CHILD && !add_body (self, entry->message, numbered, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Attributes ---- */

/* Layers of one type are often alike: an attribute that says what it said in the layer before has
 * the same value, and is not read once more. */
typedef struct {
  const SymProtoMessage *message;
  SymAttributes *attribute; /* of this one */
} Latest;

static void
latest_free (gpointer data)
{
  Latest *self = data;

  sym_attributes_unref (self->attribute);
  g_free (self);
}

GHashTable *
sym_onnx_new_latest (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, latest_free);
}

/* Reading others may tell of problems, which are those of one layer. */
static gboolean
is_plain (const SymProtoMessage *attribute)
{
  switch (sym_onnx_get_attribute_kind (attribute))
    {
    case ONNX_FLOAT:
    case ONNX_INT:
    case ONNX_STRING:
    case ONNX_FLOATS:
    case ONNX_INTS:
    case ONNX_STRINGS:
      return TRUE;
    default:
      return FALSE;
    }
}

/* NULL for graphs.  Its name is that of @attribute, which is resolved, in the node. */
static SymAttributes *
read_attribute (const Draft *self, const char *name, const SymProtoMessage *attribute)
{
  SymValue *value =
      sym_onnx_read_attribute (self->reader->file, attribute, self->problems, self->call);
  g_autofree char *literal = value == NULL ? NULL : sym_onnx_format_literal (attribute);
  SymAttributes *read;

  if (value == NULL)
    return NULL;
  read = sym_attributes_new_sized (1);
  sym_attributes_set (read, name, value, literal);
  return read;
}

static SymAttributes *
find_attribute (const Draft *self, const char *name, const SymProtoMessage *attribute)
{
  Latest *latest;

  if (!is_plain (attribute))
    return read_attribute (self, name, attribute);
  latest = g_hash_table_lookup (self->reader->latest, name);
  if (latest == NULL || !sym_proto_equal (latest->message, attribute))
    {
      latest = g_new (Latest, 1);
      *latest = (Latest){ attribute, read_attribute (self, name, attribute) };
      g_hash_table_replace (self->reader->latest, (gpointer) name, latest);
    }
  return sym_attributes_ref (latest->attribute);
}

static SymAttributes *
read_attributes (const Draft *self, const SymProtoMessage *node, SymOnnxPlace *place)
{
  guint n = sym_proto_count (node, ONNX_NODE_ATTRIBUTE);
  SymAttributes *attributes = sym_attributes_new_sized (n);
  const SymProtoEntry *entry;

  place->read = g_new (SymOnnxRead, n);
  place->n_read = 0;

  for (guint at = 0; (entry = sym_proto_next (node, ONNX_NODE_ATTRIBUTE, &at)) != NULL;)
    {
      const SymProtoMessage *attribute = sym_onnx_resolve_attribute (self->context, entry->message);
      const char *name = sym_proto_get_text (entry->message, ONNX_ATTRIBUTE_NAME);
      g_autoptr (SymAttributes) read =
          attribute == NULL ? NULL : find_attribute (self, name == NULL ? "" : name, attribute);

      if (read == NULL)
        continue;
      if (name != NULL && sym_attributes_find (attributes, name) != NULL)
        sym_problems_add (self->problems, SYM_SEVERITY_ERROR, entry->message->line, SYM_NO_ID,
                          self->call, "'%s' has attribute '%s' twice", self->name, name);
      place->read[place->n_read++] =
          (SymOnnxRead){ sym_attributes_get_value (read, 0), entry->message };
      sym_attributes_set_same (attributes, read, 0);
    }
  return attributes;
}

/* What an operator of that version has no word for does nothing: other tools refuse it. */
static void
tell_unused (const Draft *self, const SymProtoMessage *node, const SymOperator *op)
{
  const SymAttributes *attributes = sym_layer_get_attributes (self->layer);

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);

      if (!sym_operator_has_attribute (op, name))
        sym_problems_add (self->problems, SYM_SEVERITY_WARNING, node->line, SYM_NO_ID, self->call,
                          "'%s' has the attribute '%s', which %s does not have in the operator set "
                          "of this file; it is not used",
                          self->name, name, op->name);
    }
}

static gboolean
add_all_bodies (Draft *self, const SymProtoMessage *node, GError **error)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (node, ONNX_NODE_ATTRIBUTE, &at)) != NULL;)
    {
      const SymProtoMessage *attribute = sym_onnx_resolve_attribute (self->context, entry->message);
      const char *name;

      if (attribute == NULL || !has_graphs (attribute))
        continue;
      name = sym_proto_get_text (entry->message, ONNX_ATTRIBUTE_NAME);
      if (!add_bodies (self, attribute, name == NULL ? "graph" : name, error))
        return FALSE;
    }
  return TRUE;
}

/* A function of the model comes before an operator of that name. */
static gboolean
add_function (Draft *self,
              const SymProtoMessage *node,
              const SymProtoMessage *function,
              GError **error)
{
  guint n_unfolded = self->reader->n_unfolded;
  g_autoptr (GError) cause = NULL;
  SymModel *body = sym_onnx_unfold_function (self->reader, function, node, self->context, &cause);

  if (body != NULL)
    {
      sym_layer_add_body (self->layer, sym_layer_get_type (self->layer), body, TRUE);
      if (self->reader->n_unfolded > n_unfolded) /* told once, not for each call */
        report_body (self, body, "the function");
      return TRUE;
    }
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  sym_problems_add (self->problems, SYM_SEVERITY_ERROR, node->line, SYM_NO_ID, self->call,
                    "'%s' calls the function %s from within itself", self->name,
                    sym_layer_get_type (self->layer));
  return TRUE;
}

static char *
make_type (const SymProtoMessage *node, const char *domain)
{
  const char *type = sym_proto_get_text (node, ONNX_NODE_OP_TYPE);

  if (type == NULL || *type == '\0')
    type = "?";
  return *domain == '\0' ? g_strdup (type) : g_strdup_printf ("%s.%s", domain, type);
}

SymLayer *
sym_onnx_make_layer (SymOnnxReader *reader,
                     const SymProtoMessage *node,
                     const SymOnnxContext *context,
                     SymProblems *problems,
                     SymId call,
                     GPtrArray *captured,
                     SymOnnxPlace *place,
                     GError **error)
{
  const char *domain = sym_onnx_normalize_domain (sym_proto_get_text (node, ONNX_NODE_DOMAIN));
  const char *type = sym_proto_get_text (node, ONNX_NODE_OP_TYPE);
  const char *name = sym_proto_get_text (node, ONNX_NODE_NAME);
  const SymProtoMessage *function = sym_onnx_find_function (reader, node);
  const SymOperator *op = function != NULL || type == NULL
                              ? NULL
                              : sym_op_find (domain, type, get_opset (context->opsets, domain));
  g_autofree char *shown = make_type (node, domain);
  Draft draft = { reader, context, problems, call, name == NULL || *name == '\0' ? shown : name,
                  NULL,   captured };
  g_autoptr (SymAttributes) attributes = read_attributes (&draft, node, place);
  g_autoptr (SymLayer) layer = sym_layer_new (shown, op, attributes);

  draft.layer = layer;
  tell_unused (&draft, node, op);
  if (type == NULL || *type == '\0')
    sym_problems_add (problems, SYM_SEVERITY_ERROR, node->line, SYM_NO_ID, call,
                      "a node does not tell its operator");
  place->attributes = sym_attributes_ref (attributes);
  if (name != NULL && *name != '\0')
    sym_layer_set_name (layer, name);
  if (!add_all_bodies (&draft, node, error) ||
      (function != NULL && !add_function (&draft, node, function, error)))
    return NULL;
  return g_steal_pointer (&layer);
}
