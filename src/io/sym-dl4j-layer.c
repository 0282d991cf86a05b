/* SPDX-License-Identifier: MIT */
#include "io/sym-dl4j.h"

#include <string.h>

void
sym_dl4j_layer_free (gpointer data)
{
  SymDl4jLayer *self = data;

  g_free (self->name);
  sym_attributes_unref (self->attributes);
  g_free (self);
}

/* ---- Classes ---- */

char *
sym_dl4j_dup_class (const SymJson *json, guint object, guint *inside)
{
  guint mark = sym_json_get_member (json, object, "@class");
  g_autofree char *name = sym_json_dup_string (json, mark);
  SymJsonIter only = sym_json_iterate (json, object);
  const char *dot;

  *inside = object;
  if (name != NULL)
    {
      dot = strrchr (name, '.');
      return g_strdup (dot == NULL ? name : dot + 1);
    }
  if (sym_json_get_kind (json, object) != SYM_JSON_OBJECT || !sym_json_iter_next (json, &only) ||
      sym_json_get_kind (json, only.value) != SYM_JSON_OBJECT)
    return NULL;
  *inside = only.value;
  return sym_json_dup_string (json, only.key);
}

/* A layer, and the one inside where it is around another: frozen ones, both directions. */
typedef struct {
  char *outer, *inner; /* inner: NULL for none */
  guint object;        /* the innermost */
  guint outer_object;
} Classes;

static void
classes_clear (Classes *self)
{
  g_free (self->outer);
  g_free (self->inner);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Classes, classes_clear)

static void
read_classes (const SymJson *json, guint object, Classes *self)
{
  static const char *const members[] = { "layer", "fwd", "underlying", NULL };

  self->outer = sym_dl4j_dup_class (json, object, &self->object);
  self->outer_object = self->object;
  for (guint i = 0; self->outer != NULL && self->inner == NULL && members[i] != NULL; i++)
    {
      guint within = sym_json_get_member (json, self->outer_object, members[i]), innermost;

      if (sym_json_get_kind (json, within) != SYM_JSON_OBJECT)
        continue;
      self->inner = sym_dl4j_dup_class (json, within, &innermost);
      if (self->inner != NULL)
        self->object = innermost;
    }
}

static gboolean
is_frozen (const Classes *self)
{
  return self->inner != NULL && g_ascii_strncasecmp (self->outer, "Frozen", 6) == 0;
}

/* The chain is told: "FrozenLayer(Convolution)". */
static char *
format_type (const Classes *self)
{
  return self->outer == NULL   ? g_strdup ("Layer")
         : self->inner == NULL ? g_strdup (self->outer)
                               : g_strdup_printf ("%s(%s)", self->outer, self->inner);
}

static const SymOperator *
find_operator (const Classes *self)
{
  gboolean is_inner =
      self->inner != NULL && (is_frozen (self) || g_str_equal (self->outer, "MaskZeroLayer"));

  return self->outer == NULL ? NULL : sym_op_find ("dl4j", is_inner ? self->inner : self->outer, 0);
}

/* ---- Attributes ---- */

/* Classes among the attributes that have no members are told by their names: {"ReLU": {}} and
 * {"@class": "org.nd4j.linalg.activations.impl.ActivationReLU"}. */
static SymAttributes *
read_attributes (SymNet *net, guint object)
{
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      g_autofree char *type = NULL;
      guint inside;

      if (name == NULL || name[0] == '@' || sym_json_get_kind (json, i.value) == SYM_JSON_NULL)
        continue;
      type = sym_dl4j_dup_class (json, i.value, &inside);
      if (type != NULL && sym_json_count (json, inside) <= (inside == i.value))
        sym_attributes_set (attributes, name, sym_value_new_string (type), NULL);
      else
        sym_net_set_attribute (net, attributes, name, i.value);
    }
  return attributes;
}

/* Before 0.4 layers are empty: what belongs to them is their configuration's. */
static void
take_from_configuration (SymNet *net, guint object, guint conf, SymAttributes *attributes)
{
  static const char *const names[] = { "nIn",        "nOut",        "activationFunction",
                                       "hiddenUnit", "visibleUnit", "k" };
  const SymJson *json = sym_net_get_json (net);

  for (guint i = 0; sym_json_count (json, object) == 0 && i < G_N_ELEMENTS (names); i++)
    {
      guint value = sym_json_get_member (json, conf, names[i]);

      if (value != SYM_JSON_NONE && sym_json_get_kind (json, value) != SYM_JSON_NULL)
        sym_net_set_attribute (net, attributes, names[i], value);
    }
}

/* ---- Calls ---- */

static SymDl4jLayer *
add_call (SymNet *net,
          const char *name,
          const char *type,
          const SymOperator *op,
          SymAttributes *attributes,
          gboolean may_have_parameters,
          guint token)
{
  SymDl4jLayer *self = g_new0 (SymDl4jLayer, 1);
  g_autoptr (SymLayer) layer = sym_layer_new (type, op, attributes);

  sym_layer_set_name (layer, name);
  sym_layer_set_hides_parameters (layer, op == NULL && may_have_parameters);
  self->name = g_strdup (name);
  self->token = token;
  self->op = op;
  self->attributes = attributes;
  self->call = sym_net_add_layer (net, name, layer, token);
  return self;
}

SymDl4jLayer *
sym_dl4j_add_layer (SymNet *net,
                    const char *name,
                    guint object,
                    guint preprocessor,
                    guint n_out,
                    guint token)
{
  const SymJson *json = sym_net_get_json (net);
  g_auto (Classes) classes = { 0 };
  g_autofree char *type = NULL, *own = NULL;
  SymAttributes *attributes;
  SymDl4jLayer *self;

  read_classes (json, object, &classes);
  type = format_type (&classes);
  attributes = read_attributes (net, classes.object);
  take_from_configuration (net, classes.object, token, attributes);
  if (sym_json_get_kind (json, n_out) == SYM_JSON_NUMBER &&
      sym_op_dl4j_get_features (attributes, "nout") == 0)
    sym_net_set_attribute (net, attributes, "nOut", n_out);
  own = sym_json_dup_string (json, sym_json_get_member (json, classes.object, "layerName"));
  if (own == NULL)
    own = sym_json_dup_string (json, sym_json_get_member (json, classes.object, "name"));
  if (classes.inner != NULL)
    {
      guint mode = sym_json_get_member (json, classes.outer_object, "mode");

      sym_attributes_set (attributes, "layer", sym_value_new_string (classes.inner), NULL);
      if (sym_json_get_kind (json, mode) == SYM_JSON_STRING)
        sym_net_set_attribute (net, attributes, "mode", mode);
    }
  if (sym_json_get_kind (json, preprocessor) == SYM_JSON_OBJECT)
    sym_net_set_attribute (net, attributes, "preProcessor", preprocessor);
  self = add_call (net,
                   name != NULL  ? name
                   : own != NULL ? own
                                 : type,
                   type, find_operator (&classes), attributes, TRUE, token);
  self->is_frozen = is_frozen (&classes);
  return self;
}

SymDl4jLayer *
sym_dl4j_add_vertex (SymNet *net, const char *name, const char *kind, guint object, guint token)
{
  return add_call (net, name, kind, sym_op_find ("dl4j", kind, 0), read_attributes (net, object),
                   FALSE, token);
}

void
sym_dl4j_add_parameters (SymNet *net, SymDl4jLayer *layer)
{
  SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS];
  guint n = sym_op_dl4j_list_parameters (layer->op, layer->attributes, list);

  if (sym_net_count_operands (net, layer->call) != 1)
    return;
  for (guint i = 0; i < n; i++)
    {
      SymRole role = list[i].is_auxiliary ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER;
      SymType type = { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32 };
      g_autofree char *name = g_strdup_printf ("%s_%s", layer->name, list[i].name);
      g_autofree char *key = g_strdup_printf ("%u\n%s", layer->call, name); /* no vertex's name */
      SymId value;

      type.shape = list[i].shape;
      value = sym_net_add_value (net, key, name, role, &type, layer->token);
      layer->parameters[layer->n_parameters++] = value;
      sym_model_builder_set_parameter (
          sym_net_get_builder (net), value,
          sym_parameter_new (!layer->is_frozen && !list[i].is_auxiliary, NULL));
      sym_net_add_operand (net, layer->call, key);
    }
}

/* ---- The input ---- */

static gint64
get_size (const SymDl4jLayer *self, const char *key)
{
  double n = sym_op_dl4j_get_number (self->attributes, "preProcessor", key, 0);

  return n >= 1 && n <= G_MAXINT32 ? (gint64) n : SYM_DIM_UNKNOWN;
}

static gboolean
is_prepared_by (const SymDl4jLayer *self, const char *name)
{
  const char *how = sym_op_dl4j_get_class (self->attributes, "preProcessor");

  return how != NULL && g_ascii_strncasecmp (how, name, strlen (name)) == 0;
}

/* Elements of the image or volume that is made of features. */
static gint64
count_elements (const SymDl4jLayer *self)
{
  const char *const keys[] = { "numChannels", "inputHeight", "inputWidth", "inputDepth" };
  guint n = is_prepared_by (self, "FeedForwardToCnn3D") ? 4 : 3;
  gint64 all = 1;

  for (guint i = 0; i < n; i++)
    {
      gint64 size = get_size (self, keys[i]);

      if (size < 1 || all > G_MAXINT32 / size)
        return SYM_DIM_UNKNOWN;
      all *= size;
    }
  return all;
}

/* By what turns it into what the layer wants; FALSE when nothing does. */
static gboolean
guess_by_preprocessor (const SymDl4jLayer *self, SymShape *shape)
{
  SymShape wanted = sym_op_dl4j_get_wanted (self->attributes);

  if (wanted.rank > 0)
    *shape = wanted;
  else if (is_prepared_by (self, "FeedForwardToCnn"))
    *shape = SYM_SHAPE (SYM_DIM_UNKNOWN, count_elements (self));
  else if (is_prepared_by (self, "RnnToCnn"))
    *shape = SYM_SHAPE (SYM_DIM_UNKNOWN, count_elements (self), SYM_DIM_UNKNOWN);
  else
    return FALSE;
  return TRUE;
}

/* Axes of what the layer works on; 0 for any. */
static int
get_rank (const SymDl4jLayer *self)
{
  static const struct {
    const char *part; /* of the operator's name */
    int rank;
  } rows[] = {
    { "1D", 3 },
    { "3D", 5 },
    { "2D", 4 },
    { "Convolution", 4 },
    { "ZeroPadding", 4 },
    { "Subsampling", 4 },
    { "LSTM", 3 },
    { "Rnn", 3 },
    { "Dense", 2 },
    { "OutputLayer", 2 },
    { "utoencoder", 2 },
    { "AutoEncoder", 2 },
    { "Bidirectional", 3 },
    { "LastTimeStep", 3 },
    { "RBM", 2 },
    { "EmbeddingLayer", 2 },
    { "EmbeddingSequence", 2 },
  };

  if (is_prepared_by (self, "RnnToFeedForward"))
    return 3;
  if (is_prepared_by (self, "FeedForwardToRnn"))
    return 2;
  for (guint i = 0; self->op != NULL && i < G_N_ELEMENTS (rows); i++)
    if (strstr (self->op->name, rows[i].part) != NULL)
      return rows[i].rank;
  return 0;
}

static gint64
get_features (const SymDl4jLayer *self)
{
  gint64 n = sym_op_dl4j_get_features (self->attributes, "nin");

  if (self->op != NULL && g_str_has_prefix (self->op->name, "Embedding"))
    return g_str_equal (self->op->name, "EmbeddingLayer") ? 1 : SYM_DIM_UNKNOWN;
  return n > 0 ? n : SYM_DIM_UNKNOWN;
}

/* Those that a layer wants of what is of @rank axes: before a preprocessor that lays axes together
 * there are fewer than behind it. */
static gint64
get_features_before (const SymDl4jLayer *self, int rank)
{
  SymShape wanted = sym_op_dl4j_get_wanted (self->attributes);

  if (sym_op_dl4j_get_class (self->attributes, "preProcessor") == NULL ||
      is_prepared_by (self, "RnnToFeedForward") || is_prepared_by (self, "FeedForwardToRnn"))
    return get_features (self);
  return wanted.rank == rank ? wanted.dims[1] : SYM_DIM_UNKNOWN;
}

/* Layers without parameters leave axes and features as they are, so that a later one may tell
 * them. */
SymType
sym_dl4j_guess_input (SymDl4jLayer *const *layers, guint n)
{
  SymType type = { .kind = SYM_KIND_TENSOR,
                   .dtype = SYM_DTYPE_FLOAT32,
                   .shape = SYM_SHAPE_UNKNOWN };
  gint64 features = SYM_DIM_UNKNOWN;
  int rank = 0;

  for (guint i = 0; i < n && layers[i] != NULL && features == SYM_DIM_UNKNOWN; i++)
    {
      if (rank == 0 && guess_by_preprocessor (layers[i], &type.shape))
        return type;
      if (rank == 0)
        rank = get_rank (layers[i]);
      features = get_features_before (layers[i], rank);
      if (layers[i]->op == NULL ||
          sym_op_dl4j_get_class (layers[i]->attributes, "preProcessor") != NULL)
        break;
    }
  if (rank == 0)
    return type;
  type.shape.rank = rank;
  for (int i = 0; i < rank; i++)
    type.shape.dims[i] = i == 1 ? features : SYM_DIM_UNKNOWN;
  return type;
}
