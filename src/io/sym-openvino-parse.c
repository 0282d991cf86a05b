/* SPDX-License-Identifier: MIT */
#include "io/sym-openvino-private.h"

#include <string.h>

/* OpenVINO's XML.  Reading is GLib's: no entity is fetched or expanded but XML's own five. */

#define MAX_ELEMENTS 64 /* within each other */

/* A graph that is being read: the network's, or that of a body. */
typedef struct {
  SymOpenvinoGraph *graph;
  SymOpenvinoLayer *layer; /* of it, being read */
  guint depth;             /* of its element; 0 for the network's */
  gboolean in_layers;      /* calibration has statistics of layers elsewhere */
} Level;

typedef struct {
  SymNet *net;
  GArray *levels; /* of Level, the last the innermost */
  char *name;
  SymOpenvinoPort *port; /* of an output being read */
  SymOpenvinoBody *body; /* whose ports and edges back are being read */
  GString *text;         /* of a <dim> */
  guint depth;           /* elements around */
  gboolean in_input;
  GPtrArray *told; /* names and texts by turns */
} Reader;

/* ---- What is read ---- */

static void
clear_port (gpointer data)
{
  g_free (((SymOpenvinoPort *) data)->id);
}

static void
clear_blob (gpointer data)
{
  g_free (((SymOpenvinoBlob *) data)->name);
}

static void
free_edge (gpointer data)
{
  SymOpenvinoEdge *self = data;

  g_free (self->from);
  g_free (self->to);
  g_free (self);
}

static void
clear_mapping (gpointer data)
{
  SymOpenvinoMapping *self = data;

  g_free (self->port);
  g_free (self->layer);
  g_free (self->purpose);
}

static void
free_body (gpointer data)
{
  SymOpenvinoBody *self = data;

  g_free (self->name);
  sym_openvino_graph_free (self->graph);
  g_array_unref (self->mappings);
  g_ptr_array_unref (self->returns);
  g_free (self);
}

static void
free_layer (gpointer data)
{
  SymOpenvinoLayer *self = data;

  g_free (self->id);
  g_free (self->name);
  g_free (self->type);
  g_free (self->version);
  sym_attributes_unref (self->attributes);
  g_array_unref (self->outputs);
  g_array_unref (self->blobs);
  g_ptr_array_unref (self->bodies);
  g_free (self);
}

SymOpenvinoGraph *
sym_openvino_graph_new (void)
{
  SymOpenvinoGraph *self = g_new0 (SymOpenvinoGraph, 1);

  self->layers = g_ptr_array_new_with_free_func (free_layer);
  self->edges = g_ptr_array_new_with_free_func (free_edge);
  return self;
}

void
sym_openvino_graph_free (SymOpenvinoGraph *self)
{
  g_ptr_array_unref (self->layers);
  g_ptr_array_unref (self->edges);
  g_free (self);
}

/* ---- Elements ---- */

static const char *
find (const char **names, const char **values, const char *wanted)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], wanted) == 0)
      return values[i];

  return NULL;
}

static Level *
get_level (Reader *self)
{
  return &g_array_index (self->levels, Level, self->levels->len - 1);
}

static void
start_layer (Reader *self, GMarkupParseContext *context, const char **names, const char **values)
{
  SymOpenvinoLayer *layer = g_new0 (SymOpenvinoLayer, 1);
  Level *level = get_level (self);
  int line;

  g_markup_parse_context_get_position (context, &line, NULL);
  layer->id = g_strdup (find (names, values, "id"));
  layer->name = g_strdup (find (names, values, "name"));
  layer->type = g_strdup (find (names, values, "type"));
  layer->version = g_strdup (find (names, values, "version"));
  layer->attributes = sym_attributes_new ();
  layer->line = (guint) line;
  layer->dtype = sym_net_parse_dtype (find (names, values, "precision"));
  layer->blobs = g_array_new (FALSE, FALSE, sizeof (SymOpenvinoBlob));
  g_array_set_clear_func (layer->blobs, clear_blob);
  layer->outputs = g_array_new (FALSE, FALSE, sizeof (SymOpenvinoPort));
  g_array_set_clear_func (layer->outputs, clear_port);
  layer->bodies = g_ptr_array_new_with_free_func (free_body);
  g_ptr_array_add (level->graph->layers, layer);
  level->layer = layer;
}

/* Attributes are text; "1,1" are two numbers. */
static SymValue *
parse_value (const char *text)
{
  SymValue *value = sym_value_parse (text);
  g_autofree char *list = NULL;

  if (value != NULL)
    return value;
  if (strchr (text, ',') != NULL)
    {
      list = g_strconcat ("[", text, "]", NULL);
      value = sym_value_parse (list);
    }
  return value != NULL ? value : sym_value_new_string (text);
}

/* In IR 2 <convolution_data> and the like. */
static void
read_data (SymOpenvinoLayer *layer, const char **names, const char **values)
{
  for (guint i = 0; names[i] != NULL; i++)
    sym_attributes_set (layer->attributes, names[i], parse_value (values[i]), values[i]);
}

static void
start_port (Reader *self, SymOpenvinoLayer *layer, const char **names, const char **values)
{
  const char *precision = find (names, values, "precision");
  SymOpenvinoPort port = { g_strdup (find (names, values, "id")),
                           precision == NULL ? layer->dtype : sym_net_parse_dtype (precision),
                           { .rank = 0 } };

  g_array_append_val (layer->outputs, port);
  self->port = &g_array_index (layer->outputs, SymOpenvinoPort, layer->outputs->len - 1);
}

static void
read_blob (SymOpenvinoLayer *layer, const char *element, const char **names, const char **values)
{
  const char *offset = find (names, values, "offset"), *size = find (names, values, "size");
  SymOpenvinoBlob blob = { .dtype = sym_net_parse_dtype (find (names, values, "precision")) };

  if (offset == NULL || size == NULL ||
      !g_ascii_string_to_signed (offset, 10, 0, G_MAXINT64, &blob.offset, NULL) ||
      !g_ascii_string_to_signed (size, 10, 0, G_MAXINT64, &blob.size, NULL))
    return;
  blob.name = g_strdup (element);
  g_array_append_val (layer->blobs, blob);
}

static void
read_edge (GPtrArray *edges, const char **names, const char **values)
{
  const char *from = find (names, values, "from-layer"), *to = find (names, values, "to-layer");
  const char *from_port = find (names, values, "from-port"),
             *to_port = find (names, values, "to-port");
  SymOpenvinoEdge *edge;

  if (from == NULL || to == NULL)
    return;
  edge = g_new0 (SymOpenvinoEdge, 1);
  edge->from = g_strconcat (from, ":", from_port == NULL ? "0" : from_port, NULL);
  edge->to = g_strconcat (to, ":", to_port == NULL ? "0" : to_port, NULL);
  g_ptr_array_add (edges, edge);
}

/* ---- Bodies ---- */

/* The body called as the first @length bytes of @name, "body" for none, which may be told of before
 * it comes. */
static SymOpenvinoBody *
get_body (SymOpenvinoLayer *layer, const char *name, gsize length)
{
  g_autofree char *wanted =
      length == 0 ? g_strdup ("body") : g_strdup_printf ("%.*sbody", (int) length, name);
  SymOpenvinoBody *body;

  for (guint i = 0; i < layer->bodies->len; i++)
    if (strcmp (((SymOpenvinoBody *) layer->bodies->pdata[i])->name, wanted) == 0)
      return layer->bodies->pdata[i];
  body = g_new0 (SymOpenvinoBody, 1);
  body->name = g_steal_pointer (&wanted);
  body->graph = sym_openvino_graph_new ();
  body->mappings = g_array_new (FALSE, FALSE, sizeof (SymOpenvinoMapping));
  g_array_set_clear_func (body->mappings, clear_mapping);
  body->returns = g_ptr_array_new_with_free_func (free_edge);
  g_ptr_array_add (layer->bodies, body);
  return body;
}

/* Whether @element is @kind, or some kind of it: "body", "then_body". */
static gboolean
is_kind (const char *element, const char *kind, gsize *length)
{
  gsize n = strlen (element), n_kind = strlen (kind);

  if (n < n_kind || strcmp (element + n - n_kind, kind) != 0 ||
      (n > n_kind && element[n - n_kind - 1] != '_'))
    return FALSE;
  *length = n - n_kind;
  return TRUE;
}

static gint64
read_int (const char **names, const char **values, const char *name, gint64 fallback)
{
  const char *text = find (names, values, name);
  gint64 value;

  return text != NULL && g_ascii_string_to_signed (text, 10, -G_MAXINT32, G_MAXINT32, &value, NULL)
             ? value
             : fallback;
}

static void
read_mapping (SymOpenvinoBody *body, gboolean is_output, const char **names, const char **values)
{
  SymOpenvinoMapping mapping = {
    .is_output = is_output,
    .port = g_strdup (find (names, values, "external_port_id")),
    .layer = g_strdup (find (names, values, "internal_layer_id")),
    .purpose = g_strdup (find (names, values, "purpose")),
    .has_axis = find (names, values, "axis") != NULL,
    .axis = read_int (names, values, "axis", 0),
    .start = read_int (names, values, "start", 0),
    .end = read_int (names, values, "end", -1),
    .stride = read_int (names, values, "stride", 1),
    .part_size = read_int (names, values, "part_size", 1),
  };

  g_array_append_val (body->mappings, mapping);
}

/* Elements between the ports of a layer and its body.  FALSE for others. */
static gboolean
start_inner (Reader *self, const char *element, const char **names, const char **values)
{
  SymOpenvinoLayer *layer = get_level (self)->layer;
  gsize length;

  if (is_kind (element, "body", &length))
    {
      Level level = { get_body (layer, element, length)->graph, NULL, self->depth, FALSE };

      g_array_append_val (self->levels, level);
      self->body = NULL;
    }
  else if (is_kind (element, "port_map", &length) || is_kind (element, "back_edges", &length))
    self->body = get_body (layer, element, length);
  else if (self->body == NULL)
    return FALSE;
  else if (strcmp (element, "edge") == 0)
    read_edge (self->body->returns, names, values);
  else if (strcmp (element, "input") == 0 || strcmp (element, "output") == 0)
    read_mapping (self->body, element[0] == 'o', names, values);
  else
    return FALSE;
  return TRUE;
}

/* ---- What a file says of itself ---- */

#define MAX_TOLD 128

static void
note (Reader *self, char *take_name, const char *text)
{
  if (text == NULL || self->told->len >= MAX_TOLD)
    {
      g_free (take_name);
      return;
    }
  g_ptr_array_add (self->told, take_name);
  g_ptr_array_add (self->told, g_strdup (text));
}

/* <framework value="onnx"/> within <cli_parameters> within <meta_data>: elements of the network
 * that have a value. */
static void
note_value (Reader *self, GMarkupParseContext *context, const char **names, const char **values)
{
  const GSList *stack = g_markup_parse_context_get_element_stack (context);
  const char *value = find (names, values, "value"), *outermost = "";
  g_autoptr (GString) path = g_string_new (NULL);

  for (; value != NULL && stack != NULL && strcmp (stack->data, "net") != 0; stack = stack->next)
    {
      g_string_prepend (path, path->len > 0 ? "." : "");
      g_string_prepend (path, stack->data);
      outermost = stack->data;
    }
  if (strcmp (outermost, "rt_info") == 0 || strcmp (outermost, "meta_data") == 0)
    note (self, g_string_free (g_steal_pointer (&path), FALSE), value);
}

/* ---- Reading ---- */

static void
start_element (GMarkupParseContext *context,
               const char *element,
               const char **names,
               const char **values,
               gpointer user_data,
               GError **error)
{
  Reader *self = user_data;
  Level *level = get_level (self);

  if (++self->depth > MAX_ELEMENTS)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "elements are nested deeper than %d",
                   MAX_ELEMENTS);
      return;
    }
  if (self->name == NULL && strcmp (element, "net") == 0)
    {
      self->name = g_strdup (find (names, values, "name"));
      level->graph->version = read_int (names, values, "version", 0);
      note (self, g_strdup ("version"), find (names, values, "version"));
    }
  else if (level->layer != NULL && start_inner (self, element, names, values))
    return;
  else if (strcmp (element, "layers") == 0 && level->layer == NULL)
    level->in_layers = TRUE;
  else if (strcmp (element, "layer") == 0 && level->layer == NULL)
    {
      if (level->in_layers)
        start_layer (self, context, names, values);
    }
  else if (strcmp (element, "edge") == 0)
    read_edge (level->graph->edges, names, values);
  else if (level->layer == NULL)
    note_value (self, context, names, values);
  else if (strcmp (element, "data") == 0 || g_str_has_suffix (element, "_data"))
    read_data (level->layer, names, values);
  else if (strcmp (element, "input") == 0)
    self->in_input = TRUE;
  else if (strcmp (element, "port") == 0 && !self->in_input)
    start_port (self, level->layer, names, values);
  else if (strcmp (element, "port") == 0)
    level->layer->n_inputs++;
  else if (strcmp (element, "dim") == 0 && self->port != NULL && self->text == NULL)
    self->text = g_string_new (NULL);
  else
    read_blob (level->layer, element, names, values);
}

static void
add_dim (SymShape *shape, SymShape dim)
{
  if (shape->rank == SYM_MAX_RANK)
    *shape = SYM_SHAPE_UNKNOWN;
  if (shape->rank >= 0)
    shape->dims[shape->rank++] = dim.rank == 1 ? dim.dims[0] : SYM_DIM_UNKNOWN;
}

/* What stands within a size may have ended its port.  Names of sizes are those of the network: in
 * bodies, which have their own, they are unknown. */
static void
end_dim (Reader *self)
{
  SymShape dim = sym_net_parse_shape (self->net, self->text->str, " ");

  if (self->levels->len > 1 && dim.rank == 1 && dim.dims[0] < 0)
    dim.dims[0] = SYM_DIM_UNKNOWN;
  if (self->port != NULL)
    add_dim (&self->port->shape, dim);
  g_string_free (self->text, TRUE);
  self->text = NULL;
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Reader *self = user_data;
  gsize length;

  (void) context;
  (void) error;
  if (get_level (self)->depth == self->depth && self->levels->len > 1)
    {
      g_array_set_size (self->levels, self->levels->len - 1);
      self->port = NULL;
    }
  self->depth--;
  if (self->text != NULL && strcmp (element, "dim") == 0)
    end_dim (self);
  else if (strcmp (element, "port") == 0)
    self->port = NULL;
  else if (strcmp (element, "input") == 0)
    self->in_input = FALSE;
  else if (is_kind (element, "port_map", &length) || is_kind (element, "back_edges", &length))
    self->body = NULL;
  else if (strcmp (element, "layer") == 0)
    get_level (self)->layer = NULL;
  else if (strcmp (element, "layers") == 0 && get_level (self)->layer == NULL)
    get_level (self)->in_layers = FALSE;
}

static void
read_text (GMarkupParseContext *context,
           const char *text,
           gsize size,
           gpointer user_data,
           GError **error)
{
  Reader *self = user_data;

  (void) context;
  (void) error;
  if (self->text != NULL && self->text->len + size < 64)
    g_string_append_len (self->text, text, (gssize) size);
}

/* GLib says where the text is wrong. */
static gboolean
parse (Reader *self, const char *text, gsize size, GError **error)
{
  static const GMarkupParser parser = { start_element, end_element, read_text, NULL, NULL };
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_PREFIX_ERROR_POSITION, self, NULL);
  GError *cause = NULL;

  if (g_markup_parse_context_parse (context, text, (gssize) size, &cause) &&
      g_markup_parse_context_end_parse (context, &cause))
    return TRUE;
  if (cause->domain == SYM_IO_ERROR)
    g_propagate_error (error, cause);
  else
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX, cause->message);
      g_error_free (cause);
    }
  return FALSE;
}

gboolean
sym_openvino_parse (SymNet *net,
                    const char *text,
                    gsize size,
                    SymOpenvinoGraph *graph,
                    char **name,
                    GPtrArray *told,
                    GError **error)
{
  g_autoptr (GArray) levels = g_array_new (FALSE, FALSE, sizeof (Level));
  Level whole = { graph, NULL, 0, FALSE };
  Reader reader = { .net = net, .levels = levels, .told = told };
  gboolean done;

  g_array_append_val (levels, whole);
  done = parse (&reader, text, size, error);
  if (reader.text != NULL)
    g_string_free (reader.text, TRUE);
  *name = reader.name;
  return done;
}
