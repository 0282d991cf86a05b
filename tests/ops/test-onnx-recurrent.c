/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

/* RNN, GRU and LSTM against the equations of their documents, a number at a time in double. */

#define T 5
#define B 3
#define I 4
#define H 3

typedef struct {
  const char *op, *attributes;
  const char *dtype;
  const char *operands; /* which of B, sequence_lens, initial_h, initial_c, P there are: "Blhcp" */
} CellCase;

/* What the attributes of a case say, for the loops below. */
typedef struct {
  int n_gates, n_directions, direction, functions;
  gboolean reverse, batch_first, linear_first, is_coupled;
  double clip;
  double (*f[3]) (double);
} Cell;

static double
sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}

static double
relu (double x)
{
  return MAX (x, 0);
}

static double
leaky (double x)
{
  return x < 0 ? 0.25 * x : x;
}

static double
affine (double x)
{
  return 0.5 * x + 0.125;
}

static double
hard_sigmoid (double x)
{
  return CLAMP (0.2 * x + 0.5, 0, 1);
}

static double
softsign (double x)
{
  return x / (1 + fabs (x));
}

static SymDatum *
new_operand (SymDType dtype, const SymShape *shape, GRand *random)
{
  SymDatum *datum = sym_datum_new (dtype, shape, NULL);
  const SymArray *array = sym_datum_get_array (datum);

  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    sym_element_set_double (dtype, array->data, i, g_rand_double_range (random, -1, 1));
  return datum;
}

static double
get (SymDatum *datum, gsize i)
{
  const SymArray *array;

  if (datum == NULL)
    return 0;
  array = sym_datum_get_array (datum);
  return sym_element_get_double (array->dtype, array->data, i);
}

/* An activation of what is kept within the clip. */
static double
apply (const Cell *cell, int function, double x)
{
  return cell->f[function](CLAMP (x, -cell->clip, cell->clip));
}

/* W x + Wb and R h + Rb of one feature of one gate; @reset, where given, acts on the states. */
static void
sum (const Cell *cell,
     SymDatum *const *in,
     gsize place,
     int gate,
     int j,
     const double *h,
     const double *reset,
     double *from_x,
     double *from_h)
{
  int row = (cell->direction * cell->n_gates + gate) * H + j;
  int bias = cell->direction * 2 * cell->n_gates * H + gate * H + j;

  *from_x = get (in[3], (gsize) bias);
  *from_h = get (in[3], (gsize) (bias + cell->n_gates * H));
  for (int i = 0; i < I; i++)
    *from_x += get (in[0], place * I + (gsize) i) * get (in[1], (gsize) (row * I + i));
  for (int i = 0; i < H; i++)
    *from_h += (reset == NULL ? 1 : reset[i]) * h[i] * get (in[2], (gsize) (row * H + i));
}

static void
step_rnn (const Cell *cell, SymDatum *const *in, gsize place, double *h)
{
  double next[H], a, b;

  for (int j = 0; j < H; j++)
    {
      sum (cell, in, place, 0, j, h, NULL, &a, &b);
      next[j] = apply (cell, 0, a + b);
    }
  memcpy (h, next, sizeof next);
}

static void
step_gru (const Cell *cell, SymDatum *const *in, gsize place, double *h)
{
  double z[H], r[H], next[H], a, b;

  for (int j = 0; j < H; j++)
    {
      sum (cell, in, place, 0, j, h, NULL, &a, &b);
      z[j] = apply (cell, 0, a + b);
      sum (cell, in, place, 1, j, h, NULL, &a, &b);
      r[j] = apply (cell, 0, a + b);
    }
  for (int j = 0; j < H; j++)
    {
      sum (cell, in, place, 2, j, h, cell->linear_first ? NULL : r, &a, &b);
      next[j] = apply (cell, 1, a + (cell->linear_first ? r[j] * b : b));
      next[j] = (1 - z[j]) * next[j] + z[j] * h[j];
    }
  memcpy (h, next, sizeof next);
}

static void
step_lstm (const Cell *cell, SymDatum *const *in, gsize place, double *h, double *c)
{
  double next[H];

  for (int j = 0; j < H; j++)
    {
      gsize peep = (gsize) (cell->direction * 3 * H + j);
      double g[4], a, b;

      for (int gate = 0; gate < 4; gate++)
        {
          sum (cell, in, place, gate, j, h, NULL, &a, &b);
          g[gate] = a + b;
        }
      g[0] = apply (cell, 0, g[0] + get (in[7], peep) * c[j]);
      g[2] = cell->is_coupled ? 1 - g[0] : apply (cell, 0, g[2] + get (in[7], peep + 2 * H) * c[j]);
      c[j] = g[2] * c[j] + g[0] * apply (cell, 1, g[3]);
      next[j] = apply (cell, 0, g[1] + get (in[7], peep + H) * c[j]) * apply (cell, 2, c[j]);
    }
  memcpy (h, next, sizeof next);
}

static Cell
read_cell (const CellCase *self)
{
  Cell cell = { .n_directions = strstr (self->attributes, "bidirectional") ? 2 : 1,
                .reverse = strstr (self->attributes, "'reverse'") != NULL,
                .batch_first = strstr (self->attributes, "layout=1") != NULL,
                .linear_first = strstr (self->attributes, "linear_before_reset=1") != NULL,
                .is_coupled = strstr (self->attributes, "input_forget=1") != NULL,
                .clip = strstr (self->attributes, "clip=0.5") ? 0.5 : INFINITY,
                .f = { sigmoid, tanh, tanh } };

  cell.n_gates = g_str_has_prefix (self->op, "RNN")   ? 1
                 : g_str_has_prefix (self->op, "GRU") ? 3
                                                      : 4;
  if (cell.n_gates == 1)
    cell.f[0] = tanh;
  return cell;
}

/* The case that names other activations names these, for one direction or for the second of two. */
static void
choose_functions (const CellCase *self, Cell *cell)
{
  if (strstr (self->attributes, "'LeakyRelu', 'Affine'") && cell->direction == 0)
    {
      cell->f[0] = leaky;
      cell->f[1] = affine;
      cell->f[2] = relu;
    }
  if (strstr (self->attributes, "'hardsigmoid'") && cell->direction == 1)
    {
      cell->f[0] = hard_sigmoid;
      cell->f[1] = softsign;
    }
}

static void
make_operands (const CellCase *self, const Cell *cell, SymDatum *in[8])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  int d = cell->n_directions, g = cell->n_gates;
  SymShape state = cell->batch_first ? SYM_SHAPE (B, d, H) : SYM_SHAPE (d, B, H);
  SymDType dtype;

  g_assert_true (sym_dtype_from_string (self->dtype, &dtype));
  in[0] =
      new_operand (dtype, cell->batch_first ? &SYM_SHAPE (B, T, I) : &SYM_SHAPE (T, B, I), random);
  in[1] = new_operand (dtype, &SYM_SHAPE (d, g * H, I), random);
  in[2] = new_operand (dtype, &SYM_SHAPE (d, g * H, H), random);
  if (strchr (self->operands, 'B'))
    in[3] = new_operand (dtype, &SYM_SHAPE (d, 2 * g * H), random);
  if (strchr (self->operands, 'l'))
    in[4] = kernel_case_read ("int32 3: 5 0 3");
  if (strchr (self->operands, 'h'))
    in[5] = new_operand (dtype, &state, random);
  if (strchr (self->operands, 'c'))
    in[6] = new_operand (dtype, &state, random);
  if (strchr (self->operands, 'p'))
    in[7] = new_operand (dtype, &SYM_SHAPE (d, 3 * H), random);
}

static void
assert_near (const CellCase *self, SymDatum *datum, gsize i, double expected)
{
  double tolerance = g_str_equal (self->dtype, "float64")   ? 1e-12
                     : g_str_equal (self->dtype, "float32") ? 1e-5
                     : g_str_equal (self->dtype, "float16") ? 2e-3
                                                            : 2e-2;

  if (!(fabs (get (datum, i) - expected) <= tolerance))
    g_error ("%s (%s): number %" G_GSIZE_FORMAT " is %g, not %g", self->op, self->attributes, i,
             get (datum, i), expected);
}

/* One element of the batch in one direction. */
static void
check_element (const CellCase *self, Cell *cell, SymDatum *in[8], SymDatum *out[3], int b)
{
  int n = in[4] == NULL ? T : (int) get (in[4], (gsize) b), d = cell->direction;
  int nd = cell->n_directions;
  gsize state = (gsize) (cell->batch_first ? (b * nd + d) * H : (d * B + b) * H);
  gboolean reverse = cell->reverse || d == 1;
  double h[H], c[H];

  for (int j = 0; j < H; j++)
    {
      h[j] = get (in[5], state + (gsize) j);
      c[j] = get (in[6], state + (gsize) j);
    }
  for (int step = 0; step < T; step++)
    {
      int t = reverse && step < n ? n - 1 - step : step;
      gsize place = (gsize) (cell->batch_first ? b * T + t : t * B + b);
      gsize y =
          (gsize) (cell->batch_first ? ((b * T + t) * nd + d) * H : ((t * nd + d) * B + b) * H);

      if (step < n && cell->n_gates == 1)
        step_rnn (cell, in, place, h);
      else if (step < n && cell->n_gates == 3)
        step_gru (cell, in, place, h);
      else if (step < n)
        step_lstm (cell, in, place, h, c);
      for (int j = 0; j < H; j++)
        assert_near (self, out[0], y + (gsize) j, step < n ? h[j] : 0);
    }
  for (int j = 0; j < H; j++)
    {
      assert_near (self, out[1], state + (gsize) j, h[j]);
      if (cell->n_gates == 4)
        assert_near (self, out[2], state + (gsize) j, c[j]);
    }
}

static void
check_cell (gconstpointer data)
{
  const CellCase *self = data;
  const KernelCase named = { self->op, self->attributes };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&named);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  SymDatum *in[8] = { NULL }, *out[3] = { NULL };
  Cell cell = read_cell (self);
  GError *error = NULL;

  make_operands (self, &cell, in);
  for (int round = 0; round < 2; round++)
    {
      g_assert_true (sym_kernel_run (kernel, in, 8, out, cell.n_gates == 4 ? 3 : 2, NULL, &error));
      g_assert_no_error (error);
      for (cell.direction = 0; cell.direction < cell.n_directions; cell.direction++)
        {
          choose_functions (self, &cell);
          for (int b = 0; b < B; b++)
            check_element (self, &cell, in, out, b);
        }
      cell = read_cell (self);
    }
  for (int i = 0; i < 8; i++)
    g_clear_pointer (&in[i], sym_datum_unref);
  for (int i = 0; i < 3; i++)
    g_clear_pointer (&out[i], sym_datum_unref);
}

#define NAMED                                                                   \
  "activations=['LeakyRelu', 'Affine', 'Relu']; activation_alpha=[0.25, 0.5]; " \
  "activation_beta=[0.125]"

static const CellCase cells[] = {
  { "RNN", "", "float32", "" },
  { "RNN", "hidden_size=3", "float64", "Blh" },
  { "RNN", "direction='reverse'", "float64", "Bl" },
  { "RNN", "direction='bidirectional'; clip=0.5", "float32", "Bh" },
  { "RNN", "direction='bidirectional'; layout=1", "float64", "Blh" },
  { "RNN-7", "", "float16", "Bh" },
  { "GRU", "", "float32", "" },
  { "GRU", "direction='reverse'; layout=1", "float64", "Blh" },
  { "GRU", "direction='bidirectional'", "float32", "Bl" },
  { "GRU", "direction='bidirectional'; linear_before_reset=1", "float64", "Blh" },
  { "GRU", "direction='bidirectional'; activations=['Sigmoid', 'Tanh', 'hardsigmoid', 'Softsign']",
    "float64", "Bh" },
  { "GRU", "linear_before_reset=1; clip=0.5", "float32", "h" },
  { "GRU-3", "", "bfloat16", "B" },
  { "LSTM", "", "float32", "" },
  { "LSTM", "direction='reverse'", "float64", "Blhcp" },
  { "LSTM", "direction='bidirectional'; layout=1", "float64", "Blhcp" },
  { "LSTM", "direction='bidirectional'; input_forget=1", "float32", "Bhcp" },
  { "LSTM", "clip=0.5", "float64", "Bhcp" },
  { "LSTM", NAMED, "float64", "Bhc" },
  { "LSTM-7", "direction='bidirectional'", "float16", "Blc" },
  { "LSTM-1", "", "float64", "h" },
};

#define WEIGHTS_RNN "float32 1,1,1: 1; float32 1,1,1: 1"

static const KernelCase refusals[] = {
  { "RNN", "", "float32 2,1,1: 1 1; float32 1,1,1: 0.5; float32 1,1,1: 1; float32 1,2: 1 1; -; -",
    "float32 2,1,1,1: 0.9866143 0.9981285; -", .tolerance = 1e-5 },
  { "RNN", "activations=['ThresholdedRelu']; activation_alpha=[2.0]",
    "float32 2,1,1: 1 3; " WEIGHTS_RNN, "float32 2,1,1,1: 0 3; float32 1,1,1: 3" },
  { "RNN", "activations=['ThresholdedRelu']", "float32 2,1,1: 0.5 1; " WEIGHTS_RNN,
    "float32 2,1,1,1: 0 1; float32 1,1,1: 1" },
  { "RNN", "activations=['ScaledTanh']; activation_alpha=[2.0]; activation_beta=[0.5]",
    "float64 1,1,1: 2; float64 1,1,1: 1; float64 1,1,1: 0", "float64 1,1,1,1: 1.5231883119115297",
    .tolerance = 1e-15 },
  { "RNN", "activations=['Elu']; activation_alpha=[2.0]",
    "float64 2,1,1: -1 4; float64 1,1,1: 1; float64 1,1,1: 0",
    "float64 2,1,1,1: -1.2642411176571153 4", .tolerance = 1e-15 },
  { "RNN", "activations=['Softplus']",
    "float64 3,1,1: 0 1000 -1000; float64 1,1,1: 1; float64 1,1,1: 0",
    "float64 3,1,1,1: 0.6931471805599453 1000 0", .tolerance = 1e-15 },
  { "RNN", "", "float32 0,1,1:; " WEIGHTS_RNN "; -; -; float32 1,1,1: 7",
    "float32 0,1,1,1:; float32 1,1,1: 7" },
  { "RNN", "", "float32 2,0,1:; " WEIGHTS_RNN, "float32 2,1,0,1:; float32 1,0,1:" },
  { "RNN", "activations=['Sine']", "float32 1,1,1: 1; " WEIGHTS_RNN,
    .error = "there is no activation Sine" },
  { "RNN", "activations=['Tanh', 'Tanh']", "float32 1,1,1: 1; " WEIGHTS_RNN,
    .error = "there are 2 activations; there should be 1" },
  { "RNN", "direction='up'", "float32 1,1,1: 1; " WEIGHTS_RNN,
    .error = "there is no direction up" },
  { "RNN", "hidden_size=2", "float32 1,1,1: 1; " WEIGHTS_RNN,
    .error = "hidden_size is 2, and R has states of 1 features" },
  { "RNN", "clip=-1.0", "float32 1,1,1: 1; " WEIGHTS_RNN, .error = "clip is -1" },
  { "RNN", "", "float32 1,1: 1; " WEIGHTS_RNN,
    .error = "X and R must have 3 axes and have 2 and 3" },
  { "RNN", "", "float32 1,1,2: 1 2; " WEIGHTS_RNN,
    .error = "operand 1 has shape [1,1,1]; it should be [1,1,2]" },
  { "RNN", "", "float32 1,1,1: 1; " WEIGHTS_RNN "; -; int32 1: 2",
    .error = "sequence 0 has length 2, and there are 1 steps" },
  { "RNN", "", "float32 1,1,1: 1; " WEIGHTS_RNN "; -; int32 2: 1 1",
    .error = "sequence_lens must be 1 integers" },
  { "RNN", "", "int32 1,1,1: 1; " WEIGHTS_RNN, .error = "RNN has no kernel for int32" },
  { "LSTM", "", "float32 1,1,1: 1; float32 1,4,1: 1 1 1 1", .error = "operand 2 (R)" },
  { "GRU", "", "float32 1,1,1: 1; float32 1,4,1: 1 1 1 1; float32 1,3,1: 1 1 1",
    .error = "operand 1 has shape [1,4,1]; it should be [1,3,1]" },
  { NULL },
};

static const RuleCase rules[] = {
  { "RNN", "hidden_size=8", "5,2,4:float32 * * - *", NULL,
    "5,2,4:float32 1,8,4:float32 1,8,8:float32 * 2 -> 5,1,2,8:float32", .domain = "" },
  { "GRU", "hidden_size=8; direction=bidirectional; layout=1", "2,5,4:float16 * * * - *", NULL,
    "2,5,4:float16 2,24,4:float16 2,24,8:float16 2,48:float16 * 2,2,8:float16 -> 2,5,2,8:float16",
    .domain = "" },
  { "LSTM", "direction=reverse", "5,2,4:float64 * 1,32,8 * - * * *", NULL,
    "5,2,4:float64 1,32,4:float64 1,32,8:float64 1,64:float64 * 1,2,8:float64 1,2,8:float64 "
    "1,24:float64 -> 5,1,2,8:float64",
    .domain = "" },
  { "LSTM", "hidden_size=8", "*:float32 * *", NULL,
    "?,?,?:float32 1,32,?:float32 1,32,8:float32 -> ?,1,?,8:float32", .domain = "" },
  { "LSTM", "hidden_size=8", "5,2,4:float32 1,24,4 *", .error = "24", .domain = "" },
  { "RNN", "", "5,2:float32 * *", .error = "X must have 3 axes and has 2", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/recurrent/%02u-%s", i, cells[i].op);

      g_test_add_data_func (path, &cells[i], check_cell);
    }
  kernel_case_add_all ("recurrent", refusals);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/rules/recurrent/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
