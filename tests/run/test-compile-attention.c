/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "net.h"

/* Compiled plans of attention that is one call, and of rotations, beside the kernels. */

typedef enum {
  NO_MASK,
  TERMS,          /* known numbers */
  COMPUTED_TERMS, /* numbers of the run */
  FLAGS,          /* known bools */
  COMPUTED_FLAGS, /* bools of the run */
} MaskKind;

typedef struct {
  const char *attributes;
  SymShape query, key, value;
  MaskKind mask_kind;
  SymShape mask;
  gint64 n_past;
  gint64 lengths[2]; /* of two samples; 0 for none */
  int version;
  guint n_present; /* results beside the first one */
  guint n_steps, n_compiled;
} Case;

/* Numbers that only the run knows. */
static SymId
add_computed (Net *self, SymShape shape, SymId factor)
{
  return add_binary (self, "Mul", add_numbers (self, shape, -1, 1), factor);
}

static SymId
add_flags (Net *self, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_BOOL, shape);
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  guint64 n;
  guint8 *flags;

  g_assert_true (sym_shape_get_n_elements (&shape, &n));
  flags = g_new (guint8, n);
  for (guint64 i = 0; i < n; i++)
    flags[i] = g_rand_int_range (self->random, 0, 3) > 0;
  bytes = g_bytes_new_take (flags, n);
  blob = sym_blob_new_bytes (bytes);
  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_BOOL, &shape, blob, 0, NULL));
  return value;
}

static SymId
add_mask (Net *self, const Case *test, SymId factor)
{
  if (test->mask_kind == TERMS)
    return add_numbers (self, test->mask, -3, 1);
  if (test->mask_kind == COMPUTED_TERMS)
    return add_computed (self, test->mask, factor);
  if (test->mask_kind == FLAGS)
    return add_flags (self, test->mask);
  if (test->mask_kind == COMPUTED_FLAGS)
    return add_binary (
        self, "Greater", add_numbers (self, test->mask, -1, 0.5),
        add_binary (self, "Mul", factor, add_numbers (self, SYM_SHAPE (), -1, -0.5)));
  return SYM_NO_ID;
}

/* Keys or values of the past, for heads as in @now. */
static SymId
add_past (Net *self, const Case *test, const SymShape *now, gint64 n_heads, SymId factor)
{
  if (test->n_past == 0)
    return SYM_NO_ID;
  return add_computed (
      self,
      now->rank == 4 ? SYM_SHAPE (now->dims[0], now->dims[1], test->n_past, now->dims[3])
                     : SYM_SHAPE (now->dims[0], n_heads, test->n_past, now->dims[2] / n_heads),
      factor);
}

static SymLayer *
new_layer (const char *domain, const char *type, const char *text, int version)
{
  g_autoptr (SymValue) parsed = sym_value_parse (text);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  g_assert_nonnull (parsed);
  for (guint i = 0; i < sym_value_get_n_children (parsed); i++)
    sym_attributes_set (attributes, sym_value_get_key (parsed, i),
                        sym_value_ref ((SymValue *) sym_value_get_child (parsed, i)), NULL);
  return sym_layer_new (type, sym_op_find (domain, type, version), attributes);
}

static void
check_attention (const Case *test)
{
  g_auto (Net) net = net_new (test->query);
  g_autoptr (SymLayer) layer = new_layer ("", "Attention", test->attributes, test->version);
  SymId factor = add (&net, "ReduceMax", "{'keepdims': 0}", &net.input, 1);
  SymId operands[] = { net.input,
                       add_computed (&net, test->key, factor),
                       add_computed (&net, test->value, factor),
                       add_mask (&net, test, factor),
                       add_past (&net, test, &test->key, 2, factor),
                       add_past (&net, test, &test->value, 2, factor),
                       test->lengths[0] == 0 ? SYM_NO_ID : add_integers (&net, test->lengths, 2) };
  SymId call = sym_model_builder_add_call (net.builder, NULL, layer, operands,
                                           test->version < 24 ? 6 : 7, 1 + test->n_present);

  for (guint i = 1; i <= test->n_present; i++)
    sym_model_builder_add_output (net.builder, sym_model_builder_get_result (net.builder, call, i));
  finish (&net, sym_model_builder_get_result (net.builder, call, 0));
  assert_same (&net, test->n_steps, test->n_compiled);
}

#define HEADS(batch, n, rows, columns) SYM_SHAPE (batch, n, rows, columns)
#define ROWS(batch, rows, n) SYM_SHAPE (batch, rows, n)
#define THREE "{'q_num_heads': 4, 'kv_num_heads': 2}"

static void
computes_attention (void)
{
  const Case cases[] = {
    { "{}", HEADS (2, 3, 7, 8), HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 5), .version = 23 },
    { "{'scale': 0.3}", HEADS (1, 2, 70, 16), HEADS (1, 2, 33, 16), HEADS (1, 2, 33, 16),
      .version = 25 },
    { "{'q_num_heads': 3, 'kv_num_heads': 3}", ROWS (2, 7, 24), ROWS (2, 9, 24), ROWS (2, 9, 15),
      .version = 23 },
    { "{'softcap': 2.0}", HEADS (2, 3, 7, 8), HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 5),
      .version = 23 },
    /* Heads of queries that share those of keys. */
    { "{}", HEADS (2, 6, 9, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 40), .version = 23 },
    { "{}", HEADS (1, 8, 150, 8), HEADS (1, 1, 90, 8), HEADS (1, 1, 90, 40), .version = 23 },
    { THREE, ROWS (2, 9, 32), ROWS (2, 9, 16), ROWS (2, 9, 10), .version = 24 },
    /* A few queries alone. */
    { "{}", HEADS (2, 6, 1, 40), HEADS (2, 2, 9, 40), HEADS (2, 2, 9, 100), .version = 23 },
    { THREE, ROWS (2, 1, 32), ROWS (2, 19, 16), ROWS (2, 19, 34), .version = 23 },
    { THREE, ROWS (1, 3, 88), ROWS (1, 19, 44), ROWS (1, 19, 2), .version = 23 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Case test = cases[i];

      test.n_steps = 1;
      test.n_compiled = 4;
      check_attention (&test);
    }
}

static void
hides_keys (void)
{
  const Case cases[] = {
    { "{'is_causal': 1}", HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 5),
      .version = 23 },
    { "{'is_causal': 1, 'softcap': 1.5}", HEADS (1, 4, 130, 8), HEADS (1, 2, 130, 8),
      HEADS (1, 2, 130, 70), .version = 23 },
    { "{'is_causal': 1}", HEADS (1, 4, 9, 8), HEADS (1, 2, 5, 8), HEADS (1, 2, 5, 5),
      .version = 23 },
    { "{'is_causal': 1}", HEADS (1, 4, 1, 8), HEADS (1, 2, 5, 8), HEADS (1, 2, 5, 5),
      .version = 23 },
    { "{'is_causal': 1, 'left_window_size': 3}", HEADS (1, 4, 40, 8), HEADS (1, 2, 40, 8),
      HEADS (1, 2, 40, 5), .version = 25 },
    { "{'left_window_size': 2, 'right_window_size': 4}", HEADS (1, 4, 40, 8), HEADS (1, 2, 30, 8),
      HEADS (1, 2, 30, 5), .version = 25 },
    { "{}", HEADS (2, 3, 7, 8), HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 5), TERMS, SYM_SHAPE (7, 9),
      .version = 23 },
    { "{}", HEADS (2, 4, 7, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), TERMS,
      SYM_SHAPE (2, 4, 7, 9), .version = 23 },
    { "{'is_causal': 1}", HEADS (2, 4, 7, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), TERMS,
      SYM_SHAPE (4, 1, 9), .version = 23 },
    { "{}", HEADS (2, 4, 7, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), TERMS,
      SYM_SHAPE (2, 1, 7, 1), .version = 23 },
    { "{}", HEADS (2, 4, 1, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), TERMS,
      SYM_SHAPE (2, 4, 1, 9), .version = 23 },
    { "{}", HEADS (2, 4, 7, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), COMPUTED_TERMS,
      SYM_SHAPE (2, 1, 1, 9), .version = 23 },
    { "{}", HEADS (2, 4, 7, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), FLAGS,
      SYM_SHAPE (2, 4, 7, 9), .version = 23 },
    /* Some queries see nothing at all. */
    { "{}", HEADS (2, 4, 30, 8), HEADS (2, 2, 2, 8), HEADS (2, 2, 2, 5), FLAGS, SYM_SHAPE (30, 2),
      .version = 24 },
    { "{'is_causal': 1}", HEADS (2, 4, 30, 8), HEADS (2, 2, 2, 8), HEADS (2, 2, 2, 5),
      COMPUTED_FLAGS, SYM_SHAPE (4, 30, 2), .version = 24 },
    { "{'is_causal': 1}", HEADS (2, 4, 9, 8), HEADS (2, 2, 20, 8), HEADS (2, 2, 20, 5),
      .lengths = { 20, 12 }, .version = 24 },
    { "{'is_causal': 1}", HEADS (2, 4, 1, 8), HEADS (2, 2, 20, 8), HEADS (2, 2, 20, 5),
      .lengths = { 4, 20 }, .version = 24 },
    { "{}", HEADS (2, 4, 9, 8), HEADS (2, 2, 20, 8), HEADS (2, 2, 20, 5), TERMS, SYM_SHAPE (9, 20),
      .lengths = { 3, 11 }, .version = 24 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Case test = cases[i];

      test.n_steps = test.mask_kind == COMPUTED_FLAGS ? 3 : 1;
      test.n_compiled =
          test.mask_kind == COMPUTED_TERMS || test.mask_kind == COMPUTED_FLAGS ? 5 : 4;
      check_attention (&test);
    }
}

static void
joins_the_past (void)
{
  const Case cases[] = {
    { "{}", HEADS (2, 4, 7, 8), HEADS (2, 2, 9, 8), HEADS (2, 2, 9, 5), .n_past = 6,
      .version = 23 },
    { "{'is_causal': 1}", HEADS (2, 4, 1, 8), HEADS (2, 2, 1, 8), HEADS (2, 2, 1, 5), .n_past = 6,
      .n_present = 2, .version = 23 },
    { "{'is_causal': 1, 'q_num_heads': 4, 'kv_num_heads': 2}", ROWS (2, 5, 32), ROWS (2, 5, 16),
      ROWS (2, 5, 16), .n_past = 9, .n_present = 2, .version = 23 },
    { "{'is_causal': 1, 'left_window_size': 4}", HEADS (2, 4, 3, 8), HEADS (2, 2, 3, 8),
      HEADS (2, 2, 3, 5), .n_past = 6, .n_present = 2, .version = 25 },
    { "{}", HEADS (2, 4, 3, 8), HEADS (2, 2, 3, 8), HEADS (2, 2, 3, 5), FLAGS,
      SYM_SHAPE (2, 4, 3, 9), .n_past = 6, .n_present = 2, .version = 23 },
  };
  const Case without[] = {
    { THREE, ROWS (2, 5, 32), ROWS (2, 5, 16), ROWS (2, 5, 16), .n_present = 2, .version = 23 },
    { "{}", HEADS (2, 4, 3, 8), HEADS (2, 2, 3, 8), HEADS (2, 2, 3, 5), .n_present = 1,
      .version = 24 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases) + G_N_ELEMENTS (without); i++)
    {
      gboolean has_past = i < G_N_ELEMENTS (cases);
      Case test = has_past ? cases[i] : without[i - G_N_ELEMENTS (cases)];

      test.n_steps = 1;
      test.n_compiled = has_past ? 6 : 4;
      check_attention (&test);
    }
}

/* Scores that are a result, and masks that end before the keys, are for the kernel. */
static void
leaves_the_rest_to_the_kernel (void)
{
  const Case cases[] = {
    { "{'qk_matmul_output_mode': 3}", HEADS (2, 3, 7, 8), HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 5),
      .n_present = 3, .version = 23 },
    { "{'qk_matmul_output_mode': 1, 'softcap': 2.0}", HEADS (2, 3, 7, 8), HEADS (2, 3, 9, 8),
      HEADS (2, 3, 9, 5), .n_present = 3, .version = 24 },
    { "{}", HEADS (2, 3, 7, 8), HEADS (2, 3, 9, 8), HEADS (2, 3, 9, 5), TERMS, SYM_SHAPE (7, 4),
      .version = 24 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Case test = cases[i];

      test.n_steps = 2;
      test.n_compiled = 3;
      check_attention (&test);
    }
}

/* ---- Rotations ---- */

typedef struct {
  const char *attributes;
  SymShape x, angles;
  gint64 positions[6]; /* as many as there are rows of samples; none where the first is -9 */
  gboolean is_turned;  /* x comes out of a transpose */
} Rotation;

static SymId
add_positions (Net *self, const Rotation *test, gint64 n_rows)
{
  SymId flat = add_integers (self, test->positions, 2 * n_rows);
  SymId shape = add_integers (self, (gint64[]){ 2, n_rows }, 2);

  return add (self, "Reshape", "{}", (SymId[]){ flat, shape }, 2);
}

static void
check_rotation (const Rotation *test)
{
  g_auto (Net) net = net_new (test->x);
  SymId x = test->is_turned ? add (&net, "Transpose", "{'perm': [0, 2, 1, 3]}", &net.input, 1)
                            : net.input;
  gint64 n_rows = test->x.rank == 3 || test->is_turned ? test->x.dims[1] : test->x.dims[2];
  SymId operands[] = { x, add_numbers (&net, test->angles, -1, 1),
                       add_numbers (&net, test->angles, -1, 1), SYM_NO_ID };

  if (test->positions[0] != -9)
    operands[3] = add_positions (&net, test, n_rows);
  finish (&net, add_of_version (&net, "RotaryEmbedding", 23, test->attributes, operands, 4));
  assert_same (&net, 1, test->is_turned ? 2 : 1);
}

static void
rotates_pairs (void)
{
  const Rotation cases[] = {
    { "{}", SYM_SHAPE (2, 4, 3, 10), SYM_SHAPE (7, 5), { 0, 6, 2, -1, 3, 3 } },
    { "{'interleaved': 1}", SYM_SHAPE (2, 4, 3, 44), SYM_SHAPE (7, 22), { 0, 6, 2, -1, 3, 3 } },
    { "{'rotary_embedding_dim': 6}", SYM_SHAPE (2, 4, 3, 10), SYM_SHAPE (7, 3), { 5, 4, 3, 2 } },
    { "{'rotary_embedding_dim': 4, 'interleaved': 1}",
      SYM_SHAPE (2, 4, 3, 10),
      SYM_SHAPE (2, 3, 2),
      { -9 } },
    { "{'num_heads': 4}", SYM_SHAPE (2, 3, 80), SYM_SHAPE (7, 10), { 1, 2, 3, 4, 5, 6 } },
    { "{'num_heads': 4, 'interleaved': 1}", SYM_SHAPE (2, 3, 80), SYM_SHAPE (2, 3, 10), { -9 } },
    { "{}", SYM_SHAPE (2, 3, 4, 40), SYM_SHAPE (7, 20), { 0, 6, 2, 1, 3, 3 }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_rotation (&cases[i]);
}

static void
refuses_positions_that_are_not_there (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 1, 4));
  SymId angles = add_numbers (&net, SYM_SHAPE (3, 2), -1, 1);
  SymId place = add (&net, "Reshape", "{}",
                     (SymId[]){ add_integers (&net, (gint64[]){ 3 }, 1),
                                add_integers (&net, (gint64[]){ 1, 1 }, 2) },
                     2);
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  g_autoptr (SymDatum) datum = NULL;
  g_autoptr (GError) error = NULL;

  finish (&net, add_of_version (&net, "RotaryEmbedding", 23, "{}",
                                (SymId[]){ net.input, angles, angles, place }, 4));
  plan = new_plan (net.model, 2);
  run = sym_run_new (plan);
  datum = new_input (&net);
  g_assert_true (sym_run_feed (run, net.input, datum, NULL));
  g_assert_false (sym_run_execute (run, NULL, &error));
  g_assert_nonnull (strstr (error->message, "there is no position 3 among 3"));
}

/* ---- A cache ---- */

typedef struct {
  const char *attributes;
  gint64 n_queries, n_past, total;
  gint32 last[2]; /* places of two samples */
} Cached;

static SymId
add_places (Net *self, const gint32 *numbers, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_INT32, shape);
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes =
      g_bytes_new (numbers, (shape.rank == 0 ? 1 : (gsize) shape.dims[0]) * sizeof *numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_INT32, &shape, blob, 0, NULL));
  return value;
}

/* Two samples, four heads of eight queries that share two of keys. */
static void
add_cached (Net *net, const Cached *test)
{
  g_autoptr (SymLayer) layer =
      new_layer ("com.microsoft", "GroupQueryAttention", test->attributes, 0);
  SymId factor = add (net, "ReduceMax", "{'keepdims': 0}", &net->input, 1), call;
  SymShape keys = SYM_SHAPE (2, test->n_queries, 16), past = SYM_SHAPE (2, 2, test->n_past, 8);
  SymId operands[] = { net->input,
                       add_computed (net, keys, factor),
                       add_computed (net, keys, factor),
                       test->n_past > 0 ? add_computed (net, past, factor) : SYM_NO_ID,
                       test->n_past > 0 ? add_computed (net, past, factor) : SYM_NO_ID,
                       add_places (net, test->last, SYM_SHAPE (2)),
                       add_places (net, (gint32[]){ (gint32) test->total }, SYM_SHAPE ()),
                       add_numbers (net, SYM_SHAPE (40, 4), -1, 1),
                       add_numbers (net, SYM_SHAPE (40, 4), -1, 1) };

  call = sym_model_builder_add_call (net->builder, NULL, layer, operands, 9, 3);
  for (guint i = 1; i < 3; i++)
    sym_model_builder_add_output (net->builder,
                                  sym_model_builder_get_result (net->builder, call, i));
  finish (net, sym_model_builder_get_result (net->builder, call, 0));
}

#define GROUP "'num_heads': 4, 'kv_num_heads': 2, 'do_rotary': 1"

static void
keeps_what_was_said (void)
{
  const Cached cases[] = {
    { "{" GROUP "}", 7, 0, 7, { 6, 6 } },
    { "{" GROUP "}", 1, 9, 10, { 9, 9 } },
    { "{" GROUP ", 'rotary_interleaved': 1}", 1, 9, 10, { 9, 4 } },
    { "{" GROUP ", 'local_window_size': 3, 'softcap': 4.0}", 3, 9, 12, { 11, 11 } },
    { "{" GROUP "}", 1, 30, 10, { 9, 4 } },
    { "{" GROUP "}", 7, 30, 7, { 6, 6 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, cases[i].n_queries, 32));

      add_cached (&net, &cases[i]);
      assert_same (&net, 1, cases[i].n_past > 0 ? 6 : 4);
    }
}

static void
refuses_words_beyond_the_cache (void)
{
  const Cached test = { "{" GROUP "}", 1, 9, 10, { 9, 10 } };
  g_auto (Net) net = net_new (SYM_SHAPE (2, 1, 32));
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  g_autoptr (SymDatum) datum = NULL;
  g_autoptr (GError) error = NULL;

  add_cached (&net, &test);
  plan = new_plan (net.model, 2);
  run = sym_run_new (plan);
  datum = new_input (&net);
  g_assert_true (sym_run_feed (run, net.input, datum, NULL));
  g_assert_false (sym_run_execute (run, NULL, &error));
  g_assert_nonnull (strstr (error->message, "rows from 10 on are not within 9"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile/attention/computes-it", computes_attention);
  g_test_add_func ("/run/compile/attention/hides-keys", hides_keys);
  g_test_add_func ("/run/compile/attention/joins-the-past", joins_the_past);
  g_test_add_func ("/run/compile/attention/leaves-the-rest", leaves_the_rest_to_the_kernel);
  g_test_add_func ("/run/compile/rotation/rotates-pairs", rotates_pairs);
  g_test_add_func ("/run/compile/rotation/refuses-positions", refuses_positions_that_are_not_there);
  g_test_add_func ("/run/compile/cache/keeps-what-was-said", keeps_what_was_said);
  g_test_add_func ("/run/compile/cache/refuses-words-beyond-it", refuses_words_beyond_the_cache);
  return g_test_run ();
}
