/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"
#include "io/sym-openvino-private.h"
#include "io/sym-openvino-weights.h"

#include <string.h>

#include "ops/sym-op.h"

/* OpenVINO's intermediate representation (IR versions 2 to 11): XML with layers, their ports, and
 * the edges between ports.  The numbers of constants lie in a .bin beside it. */

#define MAX_XML (G_GUINT64_CONSTANT (512) << 20)

/* A graph in the making: the network's, or that of a body. */
typedef struct {
  SymNet *whole; /* has the problems of all */
  SymNet *net;
  const SymIoSource *source;
  SymOpenvinoWeights *weights;
  SymNetConstants *constants;
  gboolean is_old; /* before IR 10 and its sets of operations */
} Reader;

typedef SymOpenvinoLayer Layer;
typedef SymOpenvinoPort Port;
typedef SymOpenvinoEdge Edge;

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

static SymTensor *
read_tensor (Reader *self, const Layer *layer, const SymType *type, char **lack)
{
  const SymAttributes *attributes = layer->attributes;
  const SymOpenvinoBlob *own =
      layer->blobs->len == 0 ? NULL : &g_array_index (layer->blobs, SymOpenvinoBlob, 0);

  return sym_openvino_weights_read (
      self->weights, layer->name == NULL ? layer->id : layer->name,
      own != NULL ? own->offset : sym_attributes_get_int (attributes, "offset", -1),
      own != NULL ? own->size : sym_attributes_get_int (attributes, "size", -1), type, layer->line,
      lack);
}

/* Few numbers, as of axes, are constants; the others are weights. */
static void
add_constant (Reader *self, const Layer *layer)
{
  SymModelBuilder *builder = sym_net_get_builder (self->net);

  for (guint i = 0; i < layer->outputs->len; i++)
    {
      const Port *port = &g_array_index (layer->outputs, Port, i);
      g_autofree char *key = make_key (layer->id, port->id);
      SymType type = sym_type_tensor (port->dtype, port->shape);
      g_autofree char *lack = NULL;
      g_autoptr (SymTensor) tensor = read_tensor (self, layer, &type, &lack);
      SymValue *small = tensor == NULL ? NULL : sym_net_read_small (tensor);
      SymId value = sym_net_add_value (self->net, key, layer->name,
                                       small != NULL ? SYM_ROLE_CONSTANT : SYM_ROLE_PARAMETER,
                                       &type, layer->line);

      sym_model_builder_set_value_attributes (builder, value,
                                              sym_attributes_ref (layer->attributes));
      sym_model_builder_set_lack (builder, value, lack);
      sym_net_constants_add (self->constants, key, small);
      if (small != NULL)
        sym_model_builder_set_tensor (builder, value, g_steal_pointer (&tensor));
      else if (tensor != NULL)
        sym_model_builder_set_parameter (builder, value, sym_parameter_new (TRUE, tensor));
    }
}

/* ---- Weights of layers ---- */

/* A product that is known to divide @n; 0 when it is not. */
static gint64
divide (gint64 n, gint64 by)
{
  return by > 0 && n % by == 0 ? n / by : 0;
}

/* Rows, columns and so on of a window, as "3,3", or as `kernel-x` and `kernel-y` in IR 2. */
static int
read_kernel (const Layer *layer, gint64 kernel[3])
{
  static const char *const names[] = { "kernel-z", "kernel-y", "kernel-x" };
  const SymValue *list = sym_attributes_find (layer->attributes, "kernel");
  int n = list == NULL ? -1 : sym_value_get_ints (list, kernel, 3);

  if (n > 0)
    return n <= 3 ? n : 0;
  n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (sym_attributes_find (layer->attributes, names[i]) != NULL)
      kernel[n++] = sym_attributes_get_int (layer->attributes, names[i], 0);
  return n;
}

/* Filters are [out, in / groups, window...], those that spread [in, out / groups, window...];
 * whatever nothing is known of is one axis. */
static SymShape
find_shape (const Layer *layer, const char *name, gint64 n)
{
  gint64 out = sym_attributes_get_int (layer->attributes, "output", 0), kernel[3], other = n;
  SymShape shape = SYM_SHAPE (n);

  if (strcmp (name, "weights") != 0)
    return shape;
  if (strcmp (layer->type, "FullyConnected") == 0)
    {
      out = sym_attributes_get_int (layer->attributes, "out-size", 0);
      other = divide (n, out);
      return other > 0 ? SYM_SHAPE (out, other) : shape;
    }
  if (strcmp (layer->type, "Convolution") == 0 || strcmp (layer->type, "Deconvolution") == 0)
    {
      gboolean spreads = layer->type[0] == 'D';
      int axes = read_kernel (layer, kernel);

      if (spreads)
        out = divide (out, sym_attributes_get_int (layer->attributes, "group", 1));
      other = divide (other, out);
      for (int i = 0; i < axes; i++)
        other = divide (other, kernel[i]);
      if (axes == 0 || other == 0)
        return shape;
      shape.rank = 2 + axes;
      shape.dims[0] = spreads ? other : out;
      shape.dims[1] = spreads ? out : other;
      for (int i = 0; i < axes; i++)
        shape.dims[2 + i] = kernel[i];
    }
  return shape;
}

static void
add_blob (Reader *self, SymId call, const Layer *layer, const SymOpenvinoBlob *blob)
{
  SymDType dtype = blob->dtype == SYM_DTYPE_UNKNOWN ? layer->dtype : blob->dtype;
  g_autofree char *key = g_strdup_printf ("%s/%s", layer->id, blob->name);
  g_autofree char *name =
      g_strdup_printf ("%s.%s", layer->name == NULL ? layer->id : layer->name, blob->name);
  gint64 n = divide (blob->size, sym_dtype_get_bits (dtype) / 8);
  SymType type = sym_type_tensor (dtype, SYM_SHAPE_UNKNOWN);
  g_autoptr (SymTensor) tensor = NULL;
  g_autofree char *lack = NULL;
  SymId value;

  if (n > 0)
    {
      type.shape = find_shape (layer, blob->name, n);
      tensor = sym_openvino_weights_read (self->weights, name, blob->offset, blob->size, &type,
                                          layer->line, &lack);
    }
  value = sym_net_add_value (self->net, key, name, SYM_ROLE_PARAMETER, &type, layer->line);
  sym_model_builder_set_lack (sym_net_get_builder (self->net), value, lack);
  if (tensor != NULL)
    sym_model_builder_set_parameter (sym_net_get_builder (self->net), value,
                                     sym_parameter_new (TRUE, tensor));
  sym_net_add_operand (self->net, call, key);
}

/* Weights come first, in whatever order they stand. */
static void
add_blobs (Reader *self, SymId call, const Layer *layer)
{
  for (guint turn = 0; turn < 2; turn++)
    for (guint i = 0; i < layer->blobs->len; i++)
      {
        const SymOpenvinoBlob *blob = &g_array_index (layer->blobs, SymOpenvinoBlob, i);

        if ((strcmp (blob->name, "weights") == 0) == (turn == 0))
          add_blob (self, call, layer, blob);
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
find_operator (const Reader *self, const Layer *layer)
{
  const SymOperator *old = self->is_old ? sym_op_find ("openvino-old", layer->type, 0) : NULL;

  if (old != NULL)
    return old;
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

/* ---- Bodies ---- */

static gboolean add_graph (Reader *self, const SymOpenvinoGraph *graph, GError **error);

/* A body takes nothing from around. */
static SymModel *
read_body (const Reader *around,
           const SymOpenvinoGraph *graph,
           const GPtrArray *results,
           const Layer *layer,
           GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (around->source, NULL, "openvino");
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  Reader inner = *around;
  SymModel *model = NULL;

  inner.net = net;
  inner.constants = sym_net_constants_new ();
  if (add_graph (&inner, graph, error))
    {
      for (guint i = 0; i < results->len; i++)
        sym_net_add_output (net, results->pdata[i]);
      model = sym_net_end_body (g_steal_pointer (&net), captures, error);
    }
  sym_net_constants_free (inner.constants);
  if (model != NULL && captures->len > 0)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "line %u: nothing makes “%s” in a body of “%s”", layer->line,
                   (const char *) captures->pdata[0], layer->name);
      g_clear_pointer (&model, sym_model_unref);
    }
  return model;
}

/* Where it is not understood how bodies and layer are connected, they are only shown. */
static SymLayer *
make_layer (Reader *self, const Layer *layer, const GPtrArray *uses, GError **error)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_ref (layer->attributes);
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  const char *trouble = NULL;
  g_autoptr (SymLayer) made = NULL;

  for (guint i = 0; i < layer->bodies->len; i++)
    {
      GPtrArray *results = g_ptr_array_new_with_free_func (g_free);

      g_ptr_array_add (lists, results);
      if (trouble == NULL)
        sym_openvino_connect_body (layer, i, uses, attributes, results, &trouble);
    }
  if (trouble != NULL)
    sym_net_warn (self->whole, layer->line, "“%s” (%s) is shown, and does not run: %s", layer->name,
                  layer->type, trouble);
  made =
      sym_layer_new (layer->type, trouble == NULL ? find_operator (self, layer) : NULL, attributes);
  sym_layer_set_name (made, layer->name);
  for (guint i = 0; i < layer->bodies->len; i++)
    {
      const SymOpenvinoBody *body = layer->bodies->pdata[i];
      g_autoptr (SymModel) model = read_body (self, body->graph, lists->pdata[i], layer, error);

      if (model == NULL)
        return NULL;
      sym_layer_add_body (made, body->name, model, FALSE);
    }
  return g_steal_pointer (&made);
}

/* ---- Calls ---- */

static SymId
add_call (Reader *self,
          const Layer *layer,
          const GPtrArray *uses,
          const GPtrArray *keys,
          GError **error)
{
  const SymOperator *op = find_operator (self, layer);
  const char *name = layer->name == NULL ? layer->type : layer->name;
  g_autoptr (SymLayer) made = NULL;

  if (layer->bodies->len == 0)
    {
      complete (self, layer, op, keys);
      sym_openvino_tell_results (layer, op);
      return sym_net_add_call (self->net, name, layer->type, op,
                               sym_attributes_ref (layer->attributes), layer->line);
    }
  made = make_layer (self, layer, uses, error);
  return made == NULL ? SYM_NO_ID : sym_net_add_layer (self->net, name, made, layer->line);
}

/* Converters write float32 for the places of maxima, whatever index_element_type is, and for boxes
 * found in networks of float16.  OpenVINO reads neither: the operations tell. */
static gboolean
is_dtype_told (const Layer *layer, guint i)
{
  return !(strcmp (layer->type, "MaxPool") == 0 && i == 1) &&
         strcmp (layer->type, "DetectionOutput") != 0;
}

static gboolean
add_layer (Reader *self, const Layer *layer, const GPtrArray *uses, GError **error)
{
  g_autoptr (GPtrArray) keys = list_operands (uses);
  SymId call;

  /* Those of bodies are known by the layer's ports. */
  if (strcmp (layer->type, "Result") == 0)
    {
      for (guint i = 0; i < keys->len && self->net == self->whole; i++)
        sym_net_add_output (self->net, g_ptr_array_index (keys, i));
      return TRUE;
    }
  call = add_call (self, layer, uses, keys, error);
  if (call == SYM_NO_ID)
    return FALSE;
  for (guint i = 0; i < keys->len; i++)
    sym_net_add_operand (self->net, call, g_ptr_array_index (keys, i));
  add_blobs (self, call, layer);
  for (guint i = 0; i < layer->outputs->len; i++)
    {
      const Port *port = &g_array_index (layer->outputs, Port, i);
      g_autofree char *key = make_key (layer->id, port->id);
      SymType type =
          sym_type_tensor (is_dtype_told (layer, i) ? port->dtype : SYM_DTYPE_UNKNOWN, port->shape);

      sym_net_add_result (self->net, call, key, NULL, &type);
    }
  return TRUE;
}

/* What layers use may stand behind them in the file: constants are read before. */
static void
add_sources (Reader *self, const SymOpenvinoGraph *graph)
{
  for (guint i = 0; i < graph->layers->len; i++)
    {
      const Layer *layer = g_ptr_array_index (graph->layers, i);

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
check_layers (const SymOpenvinoGraph *graph, GError **error)
{
  for (guint i = 0; i < graph->layers->len; i++)
    {
      const Layer *layer = g_ptr_array_index (graph->layers, i);

      if (layer->id == NULL || layer->type == NULL)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                       "line %u: a layer needs 'id' and 'type'", layer->line);
          return FALSE;
        }
    }
  return TRUE;
}

/* Elements lie at most 64 deep, so bodies lie less deep in each other.  Edges lead to the first of
 * layers that have one id. */
static gboolean
add_graph (Reader *self, const SymOpenvinoGraph *graph, GError **error)
{
  g_autoptr (GHashTable) uses = sort_edges (graph->edges);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  if (!check_layers (graph, error))
    return FALSE;
  add_sources (self, graph);
  for (guint i = 0; i < graph->layers->len; i++)
    {
      const Layer *layer = g_ptr_array_index (graph->layers, i);

      if (is_source (layer))
        continue;
      if (!g_hash_table_add (ids, layer->id))
        sym_net_warn (self->whole, layer->line,
                      "another layer has the id %s, too: edges lead to the first one", layer->id);
      if (!add_layer (self, layer, g_hash_table_lookup (uses, layer->id), error))
        return FALSE;
      g_hash_table_remove (uses, layer->id);
    }
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

static SymModel *
read_graph (SymNet *net, const SymOpenvinoGraph *graph, const SymIoSource *source, GError **error)
{
  g_autoptr (SymOpenvinoWeights) weights = sym_openvino_weights_new (net, source, error);
  Reader reader = {
    .whole = net,
    .net = net,
    .source = source,
    .weights = weights,
    .constants = sym_net_constants_new (),
    .is_old = graph->version > 0 && graph->version < 10,
  };
  gboolean done;

  sym_net_expect_all (net);
  done = weights != NULL && add_graph (&reader, graph, error);
  sym_net_constants_free (reader.constants);
  if (!done)
    {
      sym_net_free (net);
      return NULL;
    }
  return sym_net_end (net, error);
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, NULL, "openvino");
  g_autoptr (SymOpenvinoGraph) graph = sym_openvino_graph_new ();
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;

  if (blob->size > MAX_XML)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " bytes of XML are more than are read (512 MiB)",
                   blob->size);
      return NULL;
    }
  text = g_malloc ((gsize) blob->size + 1);
  if (!sym_blob_read (blob, 0, blob->size, text, error) ||
      !sym_openvino_parse (net, text, (gsize) blob->size, graph, &name, told, error))
    return NULL;
  if (name != NULL)
    sym_model_builder_set_name (sym_net_get_builder (net), name);
  sym_model_builder_set_origin (sym_net_get_builder (net), "openvino", g_steal_pointer (&told),
                                (GDestroyNotify) g_ptr_array_unref);
  return read_graph (g_steal_pointer (&net), graph, source, error);
}

const SymIoFormat sym_openvino_format = {
  .name = "openvino",
  .title = "OpenVINO IR",
  .versions = "2 to 11",
  .limits = "unknown operators do not run; XML of 512 MiB at most",
  .suffix = ".xml",
  .takes_weights = TRUE,
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .tell = sym_net_tell,
};
