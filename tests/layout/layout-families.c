/* SPDX-License-Identifier: MIT */
#include "layout-families.h"

#include "core/sym-model-builder.h"

typedef struct {
  SymModelBuilder *builder;
  GHashTable *layers; /* by their types */
  guint n;            /* calls so far */
} Net;

struct _LayoutFamily {
  const char *name;
  gboolean is_random;
  void (*build) (Net *net, guint n_layers);
};

static SymType
get_type (guint n_channels)
{
  return sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, n_channels, 56, 56));
}

static SymId
input (Net *net, const char *name)
{
  SymType type = get_type (3);
  SymId value = sym_model_builder_add_value (net->builder, name, SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (net->builder, value);
  return value;
}

static SymLayer *
get_layer (Net *net, const char *type)
{
  SymLayer *layer = g_hash_table_lookup (net->layers, type);

  if (!layer)
    {
      layer = sym_layer_new (type, NULL, NULL);
      g_hash_table_insert (net->layers, (gpointer) type, layer);
    }
  return layer;
}

static SymId
apply (Net *net, const char *type, const SymId *operands, guint n_operands)
{
  SymId call = sym_model_builder_add_call (net->builder, NULL, get_layer (net, type), operands,
                                           n_operands, 1);
  SymId value = sym_model_builder_get_result (net->builder, call, 0);
  g_autofree char *name = g_strdup_printf ("%s%u", type, net->n++);
  SymType result = get_type (64);

  sym_model_builder_set_value_name (net->builder, value, name);
  sym_model_builder_set_type (net->builder, value, &result);
  return value;
}

#define APPLY(net, type, ...) \
  apply (net, type, (const SymId[]){ __VA_ARGS__ }, G_N_ELEMENTS (((const SymId[]){ __VA_ARGS__ })))

/* Applies layers one after the other. */
static SymId
chain (Net *net, SymId x, const char *const *types)
{
  for (guint i = 0; types[i]; i++)
    x = APPLY (net, types[i], x);
  return x;
}

#define CHAIN(net, x, ...) chain (net, x, (const char *const[]){ __VA_ARGS__, NULL })

static SymId
conv_relu (Net *net, SymId x)
{
  return CHAIN (net, x, "Convolution", "BatchNorm", "ReLU");
}

static void
build_resnet (Net *net, guint n_layers)
{
  SymId x = APPLY (net, "MaxPool", conv_relu (net, input (net, "data")));

  for (guint block = 0; net->n < n_layers; block++)
    {
      SymId y = CHAIN (net, conv_relu (net, conv_relu (net, x)), "Convolution", "BatchNorm");

      if (block % 8 == 0)
        x = CHAIN (net, x, "Convolution", "BatchNorm");
      x = APPLY (net, "ReLU", APPLY (net, "Add", y, x));
    }
  CHAIN (net, x, "GlobalAveragePool", "Dense");
}

static void
build_inception (Net *net, guint n_layers)
{
  SymId x = conv_relu (net, input (net, "data"));

  for (guint block = 0; net->n < n_layers; block++)
    {
      SymId a = conv_relu (net, x);
      SymId b = conv_relu (net, conv_relu (net, x));
      SymId c = conv_relu (net, conv_relu (net, conv_relu (net, x)));
      SymId d = conv_relu (net, APPLY (net, "AveragePool", x));

      if (block % 3 == 2)
        {
          SymId wide = conv_relu (net, c);

          c = APPLY (net, "Concat", wide, conv_relu (net, c));
        }
      x = APPLY (net, "Concat", a, b, c, d);
    }
  APPLY (net, "Dense", x);
}

/* Each layer of a block uses the results of all before it. */
static void
build_densenet (Net *net, guint n_layers)
{
  enum { LENGTH = 24 };
  SymId x = APPLY (net, "Convolution", input (net, "data"));

  while (net->n < n_layers)
    {
      SymId features[LENGTH + 1] = { x };

      for (guint i = 0; i < LENGTH; i++)
        {
          SymId all = i > 0 ? apply (net, "Concat", features, i + 1) : x;

          features[i + 1] = CHAIN (net, all, "BatchNorm", "ReLU", "Convolution", "BatchNorm",
                                   "ReLU", "Convolution");
        }
      x = CHAIN (net, apply (net, "Concat", features, LENGTH + 1), "BatchNorm", "ReLU",
                 "Convolution", "AveragePool");
    }
}

/* The size of @x, taken apart and put together again, as exporters write it. */
static SymId
reshape (Net *net, SymId x, SymId like, gboolean tells_shapes)
{
  SymId first;
  SymId second;

  if (!tells_shapes)
    return APPLY (net, "Reshape", x);
  first = CHAIN (net, like, "Shape", "Gather", "Unsqueeze");
  second = CHAIN (net, like, "Shape", "Gather", "Unsqueeze");
  return APPLY (net, "Reshape", x, APPLY (net, "Concat", first, second));
}

static SymId
attend (Net *net, SymId x, SymId mask, gboolean tells_shapes)
{
  SymId parts[3];
  SymId scores;
  SymId y;

  for (guint i = 0; i < 3; i++)
    {
      SymId flat = CHAIN (net, x, "Dense", "Add");

      parts[i] = APPLY (net, "Transpose", reshape (net, flat, x, tells_shapes));
    }
  scores = APPLY (net, "Div", APPLY (net, "MatMul", parts[0], parts[1]));
  if (mask != SYM_NO_ID)
    scores = APPLY (net, "Add", scores, mask);
  y = APPLY (net, "MatMul", APPLY (net, "Softmax", scores), parts[2]);
  y = APPLY (net, "Transpose", y);
  return CHAIN (net, reshape (net, y, y, tells_shapes), "Dense", "Add");
}

static SymId
feed_forward (Net *net, SymId x)
{
  SymId wide = CHAIN (net, x, "Dense", "Add");
  SymId gate = CHAIN (net, wide, "Div", "Erf", "Add");

  return CHAIN (net, APPLY (net, "Mul", wide, gate), "Mul", "Dense", "Add");
}

static void
build_encoder (Net *net, guint n_layers, gboolean has_mask, gboolean tells_shapes)
{
  SymId mask =
      has_mask ? CHAIN (net, input (net, "mask"), "Unsqueeze", "Cast", "Sub", "Mul") : SYM_NO_ID;
  SymId x = CHAIN (net, input (net, "ids"), "Embedding", "LayerNorm");

  while (net->n < n_layers)
    {
      x = APPLY (net, "LayerNorm", APPLY (net, "Add", x, attend (net, x, mask, tells_shapes)));
      x = APPLY (net, "LayerNorm", APPLY (net, "Add", x, feed_forward (net, x)));
    }
}

static void
build_transformer (Net *net, guint n_layers)
{
  build_encoder (net, n_layers, FALSE, FALSE);
}

static void
build_bertmask (Net *net, guint n_layers)
{
  build_encoder (net, n_layers, TRUE, FALSE);
}

static void
build_bertshape (Net *net, guint n_layers)
{
  build_encoder (net, n_layers, TRUE, TRUE);
}

/* Of a U-net: @n blocks, each told the time when there is one. */
static SymId
add_blocks (Net *net, SymId x, guint n, SymId time)
{
  for (guint i = 0; i < n; i++)
    {
      SymId y = CHAIN (net, x, "GroupNorm", "SiLU", "Convolution");

      if (time != SYM_NO_ID)
        y = APPLY (net, "Add", y, APPLY (net, "Dense", time));
      x = APPLY (net, "Add", x, CHAIN (net, y, "GroupNorm", "SiLU", "Convolution"));
    }
  return x;
}

static void
build_levels (Net *net, guint n_layers, SymId time)
{
  enum { N_LEVELS = 12 };
  guint size = time != SYM_NO_ID ? 9 : 7;
  guint n_blocks = MAX (1, n_layers / (size * (2 * N_LEVELS + 1)));
  SymId x = input (net, "sample");
  SymId skips[N_LEVELS];

  for (guint i = 0; i < N_LEVELS; i++)
    {
      x = skips[i] = add_blocks (net, x, n_blocks, time);
      if (i % 3 == 2)
        x = APPLY (net, "Convolution", x);
    }
  x = add_blocks (net, x, n_blocks, time);
  for (guint i = N_LEVELS; i-- > 0;)
    {
      x = add_blocks (net, APPLY (net, "Concat", x, skips[i]), n_blocks, time);
      if (i % 3 == 0)
        x = CHAIN (net, x, "Resize", "Convolution");
    }
  APPLY (net, "Convolution", x);
}

static void
build_unet (Net *net, guint n_layers)
{
  build_levels (net, n_layers, SYM_NO_ID);
}

static void
build_sdunet (Net *net, guint n_layers)
{
  SymId time = CHAIN (net, input (net, "timestep"), "Sin", "Dense", "SiLU", "Dense");

  build_levels (net, n_layers, time);
}

/* One step of an LSTM; changes @state and @memory. */
static SymId
step (Net *net, SymId x, SymId *state, SymId *memory)
{
  SymId gates = APPLY (net, "Split",
                       APPLY (net, "Add", APPLY (net, "Dense", x), APPLY (net, "Dense", *state)));
  SymId in = APPLY (net, "Sigmoid", gates);
  SymId forget = APPLY (net, "Sigmoid", gates);
  SymId change = APPLY (net, "Tanh", gates);
  SymId out = APPLY (net, "Sigmoid", gates);

  *memory = APPLY (net, "Add", APPLY (net, "Mul", forget, *memory), APPLY (net, "Mul", in, change));
  *state = APPLY (net, "Mul", out, APPLY (net, "Tanh", *memory));
  return *state;
}

/* Two layers of LSTM, unrolled, the results of all steps put together. */
static void
build_rnn (Net *net, guint n_layers)
{
  enum { N_LAYERS = 2, STEP = 12 };
  guint n_steps = MAX (2, n_layers / (N_LAYERS * STEP));
  g_autofree SymId *outputs = g_new (SymId, n_steps);
  SymId states[N_LAYERS] = { input (net, "h0"), input (net, "h1") };
  SymId memories[N_LAYERS] = { input (net, "c0"), input (net, "c1") };
  SymId x = CHAIN (net, input (net, "data"), "Embedding", "Split");

  for (guint i = 0; i < n_steps; i++)
    {
      outputs[i] = x;
      for (guint k = 0; k < N_LAYERS; k++)
        outputs[i] = step (net, outputs[i], &states[k], &memories[k]);
    }
  CHAIN (net, apply (net, "Concat", outputs, n_steps), "Dense", "Softmax");
}

/* Each layer uses one to three of the forty before it. */
static void
build_nas (Net *net, guint n_layers)
{
  enum { WINDOW = 40 };
  static const char *const types[] = { "SeparableConv", "Convolution", "MaxPool", "Add" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree SymId *values = g_new (SymId, n_layers + 1);

  values[0] = input (net, "data");
  for (guint i = 1; i <= n_layers; i++)
    {
      SymId operands[3];
      guint n = 1 + g_rand_int (rand) % 5 / 2;

      for (guint k = 0; k < n; k++)
        operands[k] = values[i - 1 - g_rand_int (rand) % MIN (i, WINDOW)];
      values[i] = apply (net, types[g_rand_int (rand) % G_N_ELEMENTS (types)], operands, n);
    }
}

static const LayoutFamily resnet = { "resnet", FALSE, build_resnet };
static const LayoutFamily inception = { "inception", FALSE, build_inception };
static const LayoutFamily densenet = { "densenet", FALSE, build_densenet };
static const LayoutFamily transformer = { "transformer", FALSE, build_transformer };
static const LayoutFamily bertmask = { "bertmask", FALSE, build_bertmask };
static const LayoutFamily bertshape = { "bertshape", FALSE, build_bertshape };
static const LayoutFamily unet = { "unet", FALSE, build_unet };
static const LayoutFamily sdunet = { "sdunet", FALSE, build_sdunet };
static const LayoutFamily rnn = { "rnn", FALSE, build_rnn };
static const LayoutFamily nas = { "nas", TRUE, build_nas };

const LayoutFamily *const layout_families[] = {
  &resnet, &inception, &densenet, &transformer, &bertmask, &bertshape,
  &unet,   &sdunet,    &rnn,      &nas,         NULL,
};

const LayoutFamily *
layout_family_find (const char *name)
{
  for (guint i = 0; layout_families[i]; i++)
    if (g_str_equal (layout_families[i]->name, name))
      return layout_families[i];
  return NULL;
}

const char *
layout_family_get_name (const LayoutFamily *self)
{
  return self->name;
}

gboolean
layout_family_is_regular (const LayoutFamily *self)
{
  return !self->is_random;
}

SymModel *
layout_family_make (const LayoutFamily *self, guint n_layers)
{
  Net net = { .builder = sym_model_builder_new (SYM_DIALECT_PLAIN) };
  SymModel *model;

  net.layers =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) sym_layer_unref);
  self->build (&net, n_layers);
  model = sym_model_builder_end (net.builder);
  g_hash_table_unref (net.layers);
  return model;
}
