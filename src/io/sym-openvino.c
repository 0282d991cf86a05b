/* SPDX-License-Identifier: MIT */
#include "io/sym-openvino-weights.h"

#include <string.h>

#include "ops/sym-op.h"

/* OpenVINO's intermediate representation (IR versions 2 to 11): XML with layers, their ports, and
 * the edges between ports.  The numbers of constants lie in a .bin beside it.  Reading is GLib's:
 * no entity is fetched or expanded but XML's own five. */

#define MAX_XML (G_GUINT64_CONSTANT (512) << 20)
#define MAX_ELEMENTS 64 /* within each other */

typedef struct {
  char *id;
  SymDType dtype;
  SymShape shape;
} Port;

typedef struct {
  char *id, *name, *type, *version;
  SymAttributes *attributes;
  guint line;
  GArray *outputs; /* of Port */
} Layer;

typedef struct {
  char *from, *to; /* "layer:port" */
} Edge;

typedef struct {
  SymNet *net;
  GPtrArray *layers;
  GPtrArray *edges;
  char *name;
  Layer *layer;  /* being read */
  Port *port;    /* of an output being read */
  GString *text; /* of a <dim> */
  guint depth;   /* elements around */
  guint body;    /* depth at which a <body> began; 0 outside: layers of bodies are skipped */
  gboolean in_input;
  guint n_bodies;
  SymOpenvinoWeights *weights;
  SymNetConstants *constants;
} Reader;

static void
free_layer (gpointer data)
{
  Layer *self = data;

  g_free (self->id);
  g_free (self->name);
  g_free (self->type);
  g_free (self->version);
  sym_attributes_unref (self->attributes);
  g_array_unref (self->outputs);
  g_free (self);
}

static void
clear_port (gpointer data)
{
  g_free (((Port *) data)->id);
}

static void
free_edge (gpointer data)
{
  Edge *self = data;

  g_free (self->from);
  g_free (self->to);
  g_free (self);
}

static const char *
find (const char **names, const char **values, const char *wanted)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], wanted) == 0)
      return values[i];

  return NULL;
}

/* ---- Elements ---- */

static void
start_layer (Reader *self, GMarkupParseContext *context, const char **names, const char **values)
{
  Layer *layer = g_new0 (Layer, 1);
  int line;

  g_markup_parse_context_get_position (context, &line, NULL);
  layer->id = g_strdup (find (names, values, "id"));
  layer->name = g_strdup (find (names, values, "name"));
  layer->type = g_strdup (find (names, values, "type"));
  layer->version = g_strdup (find (names, values, "version"));
  layer->attributes = sym_attributes_new ();
  layer->line = (guint) line;
  layer->outputs = g_array_new (FALSE, FALSE, sizeof (Port));
  g_array_set_clear_func (layer->outputs, clear_port);
  g_ptr_array_add (self->layers, layer);
  self->layer = layer;
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

static void
read_data (Reader *self, const char **names, const char **values)
{
  for (guint i = 0; names[i] != NULL; i++)
    sym_attributes_set (self->layer->attributes, names[i], parse_value (values[i]), values[i]);
}

static void
start_port (Reader *self, const char **names, const char **values)
{
  const char *precision = find (names, values, "precision");
  Port port = { g_strdup (find (names, values, "id")),
                sym_net_parse_dtype (precision),
                { .rank = 0 } };

  g_array_append_val (self->layer->outputs, port);
  self->port = &g_array_index (self->layer->outputs, Port, self->layer->outputs->len - 1);
}

static void
read_edge (Reader *self, const char **names, const char **values)
{
  const char *from = find (names, values, "from-layer"), *to = find (names, values, "to-layer");
  const char *from_port = find (names, values, "from-port"),
             *to_port = find (names, values, "to-port");
  Edge *edge;

  if (from == NULL || to == NULL)
    return;
  edge = g_new0 (Edge, 1);
  edge->from = g_strconcat (from, ":", from_port == NULL ? "0" : from_port, NULL);
  edge->to = g_strconcat (to, ":", to_port == NULL ? "0" : to_port, NULL);
  g_ptr_array_add (self->edges, edge);
}

static void
start_element (GMarkupParseContext *context,
               const char *element,
               const char **names,
               const char **values,
               gpointer user_data,
               GError **error)
{
  Reader *self = user_data;

  if (++self->depth > MAX_ELEMENTS)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "elements are nested deeper than %d",
                   MAX_ELEMENTS);
      return;
    }
  if (self->body == 0 && self->name == NULL && strcmp (element, "net") == 0)
    self->name = g_strdup (find (names, values, "name"));
  else if (self->body != 0)
    return;
  else if (strcmp (element, "body") == 0 || g_str_has_suffix (element, "_body"))
    {
      self->body = self->depth;
      self->n_bodies++;
    }
  else if (strcmp (element, "layer") == 0 && self->layer == NULL)
    start_layer (self, context, names, values);
  else if (strcmp (element, "edge") == 0)
    read_edge (self, names, values);
  else if (self->layer == NULL)
    return;
  else if (strcmp (element, "data") == 0)
    read_data (self, names, values);
  else if (strcmp (element, "input") == 0)
    self->in_input = TRUE;
  else if (strcmp (element, "port") == 0 && !self->in_input)
    start_port (self, names, values);
  else if (strcmp (element, "dim") == 0 && self->port != NULL && self->text == NULL)
    self->text = g_string_new (NULL);
}

static void
add_dim (SymShape *shape, SymShape dim)
{
  if (shape->rank == SYM_MAX_RANK)
    *shape = SYM_SHAPE_UNKNOWN;
  if (shape->rank >= 0)
    shape->dims[shape->rank++] = dim.rank == 1 ? dim.dims[0] : SYM_DIM_UNKNOWN;
}

/* What stands within a size may have ended its port. */
static void
end_dim (Reader *self)
{
  if (self->port != NULL)
    add_dim (&self->port->shape, sym_net_parse_shape (self->net, self->text->str, " "));
  g_string_free (self->text, TRUE);
  self->text = NULL;
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Reader *self = user_data;

  if (self->body == self->depth)
    self->body = 0;
  self->depth--;
  if (self->body != 0)
    return;
  if (self->text != NULL && strcmp (element, "dim") == 0)
    end_dim (self);
  else if (strcmp (element, "port") == 0)
    self->port = NULL;
  else if (strcmp (element, "input") == 0)
    self->in_input = FALSE;
  else if (strcmp (element, "layer") == 0)
    self->layer = NULL;
}

static void
read_text (GMarkupParseContext *context,
           const char *text,
           gsize size,
           gpointer user_data,
           GError **error)
{
  Reader *self = user_data;

  if (self->text != NULL && self->text->len + size < 64)
    g_string_append_len (self->text, text, (gssize) size);
}

/* ---- The model ---- */

static char *
make_key (const char *layer, const char *port)
{
  return g_strconcat (layer, ":", port == NULL ? "0" : port, NULL);
}

static void
add_source (SymNet *net, const Layer *layer, SymRole role)
{
  for (guint i = 0; i < layer->outputs->len; i++)
    {
      const Port *port = &g_array_index (layer->outputs, Port, i);
      g_autofree char *key = make_key (layer->id, port->id);
      SymType type = sym_type_tensor (port->dtype, port->shape);
      SymId value = sym_net_add_value (net, key, layer->name, role, &type, layer->line);

      sym_model_builder_set_value_attributes (sym_net_get_builder (net), value,
                                              sym_attributes_ref (layer->attributes));
    }
}

/* Edges by the layer that they go to, in the order of its ports. */
static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *left = *(Edge *const *) a, *right = *(Edge *const *) b;
  guint64 numbers[2] = { 0, 0 };

  g_ascii_string_to_unsigned (strrchr (left->to, ':') + 1, 10, 0, G_MAXUINT64, &numbers[0], NULL);
  g_ascii_string_to_unsigned (strrchr (right->to, ':') + 1, 10, 0, G_MAXUINT64, &numbers[1], NULL);
  return numbers[0] < numbers[1] ? -1 : numbers[0] > numbers[1];
}

static GHashTable *
sort_edges (GPtrArray *edges)
{
  GHashTable *by_layer =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  g_ptr_array_sort (edges, compare_edges);
  for (guint i = 0; i < edges->len; i++)
    {
      Edge *edge = g_ptr_array_index (edges, i);
      g_autofree char *layer = g_strndup (edge->to, (gsize) (strrchr (edge->to, ':') - edge->to));
      GPtrArray *list = g_hash_table_lookup (by_layer, layer);

      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (by_layer, g_steal_pointer (&layer), list);
        }
      g_ptr_array_add (list, edge);
    }
  return by_layer;
}

/* ---- Constants ---- */

/* Few numbers, as of axes, are constants; the others are weights. */
static void
add_constant (Reader *self, const Layer *layer)
{
  SymModelBuilder *builder = sym_net_get_builder (self->net);

  for (guint i = 0; i < layer->outputs->len; i++)
    {
      const Port *port = &g_array_index (layer->outputs, Port, i);
      const char *name = layer->name == NULL ? layer->id : layer->name;
      g_autofree char *key = make_key (layer->id, port->id);
      SymType type = sym_type_tensor (port->dtype, port->shape);
      g_autoptr (SymTensor) tensor =
          sym_openvino_weights_read (self->weights, name, layer->attributes, &type, layer->line);
      SymValue *small = tensor == NULL ? NULL : sym_net_read_small (tensor);
      SymId value = sym_net_add_value (self->net, key, layer->name,
                                       small != NULL ? SYM_ROLE_CONSTANT : SYM_ROLE_PARAMETER,
                                       &type, layer->line);

      sym_model_builder_set_value_attributes (builder, value,
                                              sym_attributes_ref (layer->attributes));
      sym_net_constants_add (self->constants, key, small);
      if (small != NULL)
        sym_model_builder_set_tensor (builder, value, g_steal_pointer (&tensor));
      else if (tensor != NULL)
        sym_model_builder_set_parameter (builder, value, sym_parameter_new (TRUE, tensor));
    }
}

/* ---- Layers ---- */

/* What the layer uses, in the order of its ports. */
static GPtrArray *
list_operands (const GPtrArray *uses)
{
  GPtrArray *keys = g_ptr_array_new ();

  for (guint i = 0; uses != NULL && i < uses->len; i++)
    g_ptr_array_add (keys, ((Edge *) g_ptr_array_index (uses, i))->from);
  return keys;
}

static const SymOperator *
find_operator (const Layer *layer)
{
  return layer->version != NULL && !g_str_has_prefix (layer->version, "opset")
             ? NULL
             : sym_op_find ("openvino", layer->type, 0);
}

/* Of opset 11 on, Interpolate has its axes where its scales were. */
static void
complete (Reader *self, const Layer *layer, const SymOperator *op, const GPtrArray *keys)
{
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();

  for (guint i = 0; i < keys->len; i++)
    {
      if (i == 2 && keys->len == 3 && strcmp (layer->type, "Interpolate") == 0 &&
          layer->version != NULL &&
          g_ascii_strtoull (layer->version + strlen ("opset"), NULL, 10) >= 11)
        g_ptr_array_add (moved, NULL);
      g_ptr_array_add (moved, g_ptr_array_index (keys, i));
    }
  sym_net_constants_complete (self->constants, op, moved, layer->attributes);
}

static void
add_layer (Reader *self, const Layer *layer, const GPtrArray *uses)
{
  g_autoptr (GPtrArray) keys = list_operands (uses);
  const SymOperator *op = find_operator (layer);
  SymId call;

  if (strcmp (layer->type, "Result") == 0)
    {
      for (guint i = 0; i < keys->len; i++)
        sym_net_add_output (self->net, g_ptr_array_index (keys, i));
      return;
    }
  complete (self, layer, op, keys);
  call = sym_net_add_call (self->net, layer->name == NULL ? layer->type : layer->name, layer->type,
                           op, sym_attributes_ref (layer->attributes), layer->line);
  for (guint i = 0; i < keys->len; i++)
    sym_net_add_operand (self->net, call, g_ptr_array_index (keys, i));
  for (guint i = 0; i < layer->outputs->len; i++)
    {
      const Port *port = &g_array_index (layer->outputs, Port, i);
      g_autofree char *key = make_key (layer->id, port->id);
      SymType type = sym_type_tensor (port->dtype, port->shape);

      sym_net_add_result (self->net, call, key, NULL, &type);
    }
}

/* What layers use may stand behind them in the file: constants are read before. */
static void
add_sources (Reader *self)
{
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = g_ptr_array_index (self->layers, i);

      if (strcmp (layer->type, "Parameter") == 0 || strcmp (layer->type, "Input") == 0)
        add_source (self->net, layer, SYM_ROLE_INPUT);
      else if (strcmp (layer->type, "Const") == 0)
        add_constant (self, layer);
    }
}

static gboolean
is_source (const Layer *layer)
{
  return strcmp (layer->type, "Parameter") == 0 || strcmp (layer->type, "Input") == 0 ||
         strcmp (layer->type, "Const") == 0;
}

static gboolean
check_layers (Reader *self, GError **error)
{
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = g_ptr_array_index (self->layers, i);

      if (layer->id == NULL || layer->type == NULL)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                       "line %u: a layer needs 'id' and 'type'", layer->line);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_layers (Reader *self, const SymIoSource *source, GError **error)
{
  g_autoptr (GHashTable) uses = sort_edges (self->edges);

  if (!check_layers (self, error))
    return FALSE;
  self->weights = sym_openvino_weights_new (self->net, source);
  self->constants = sym_net_constants_new ();
  add_sources (self);
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = g_ptr_array_index (self->layers, i);

      if (!is_source (layer))
        add_layer (self, layer, g_hash_table_lookup (uses, layer->id));
    }
  if (self->n_bodies > 0)
    sym_net_warn (self->net, 0, "%u bodies of loops and branches are not shown", self->n_bodies);
  return TRUE;
}

/* ---- The format ---- */

static const char *
find_start (const guint8 *start, gsize n)
{
  return g_strstr_len ((const char *) start, (gssize) n, "<net ");
}

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  gsize at = 0;
  const char *net;

  while (at < n && (g_ascii_isspace (start[at]) || start[at] >= 0x80))
    at++;
  if (at == n || start[at] != '<')
    return 0;
  net = find_start (start, n);
  return net == NULL ? 0
         : g_strstr_len (net, (gssize) (n - (gsize) (net - (const char *) start)), "<layers") !=
                 NULL
             ? 100
             : 60;
}

static void
clear_reader (Reader *self)
{
  g_clear_pointer (&self->weights, sym_openvino_weights_free);
  g_clear_pointer (&self->constants, sym_net_constants_free);
  g_clear_pointer (&self->net, sym_net_free);
  g_ptr_array_unref (self->layers);
  g_ptr_array_unref (self->edges);
  g_free (self->name);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, clear_reader)

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

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_auto (Reader) reader = { .net = sym_net_new (source, NULL, "openvino"),
                             .layers = g_ptr_array_new_with_free_func (free_layer),
                             .edges = g_ptr_array_new_with_free_func (free_edge) };
  g_autofree char *text = NULL;

  if (blob->size > MAX_XML)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " bytes of XML are more than are read (512 MiB)",
                   blob->size);
      return NULL;
    }
  text = g_malloc ((gsize) blob->size + 1);
  if (!sym_blob_read (blob, 0, blob->size, text, error) ||
      !parse (&reader, text, (gsize) blob->size, error))
    return NULL;
  sym_net_expect_all (reader.net);
  if (!add_layers (&reader, source, error))
    return NULL;
  if (reader.name != NULL)
    sym_model_builder_set_name (sym_net_get_builder (reader.net), reader.name);
  return sym_net_end (g_steal_pointer (&reader.net), error);
}

const SymIoFormat sym_openvino_format = {
  .name = "openvino",
  .title = "OpenVINO IR",
  .versions = "2 to 11",
  .suffix = ".xml",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
};
