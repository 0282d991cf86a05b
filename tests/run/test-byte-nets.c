/* SPDX-License-Identifier: MIT */
#include "text-net.h"

/* Nets of quantised layers: compiled to products and convolutions of bytes, beside the reference
 * kernels.  A number may be rounded to the next one where a sum is on the edge. */

#define STEP 1.1 /* of what is quantised; one is 1 */

typedef struct {
  const char *name;
  guint channels, filters, size, kernel, stride, pad, dilation, groups;
  gboolean is_unsigned; /* weights, with a zero point of each filter */
  gboolean has_signed;  /* codes */
} NetCase;

static const NetCase cases[] = {
  { "pixels", 8, 40, 9, 1, 1, 0, 1, 1, FALSE, FALSE },
  { "pixels-of-few-channels", 3, 5, 6, 1, 1, 0, 1, 1, TRUE, TRUE },
  { "windows", 3, 64, 20, 7, 2, 3, 1, 1, FALSE, TRUE },
  { "windows-less-a-zero-point", 5, 33, 9, 3, 1, 1, 1, 1, TRUE, FALSE },
  { "steps-of-pixels", 16, 17, 10, 1, 2, 0, 1, 1, FALSE, FALSE },
  { "wide-windows", 8, 48, 12, 3, 1, 2, 2, 1, FALSE, FALSE },
  { "groups", 16, 40, 8, 3, 1, 1, 1, 4, FALSE, FALSE },
  { "groups-less-a-zero-point", 16, 8, 8, 3, 2, 1, 1, 2, TRUE, TRUE },
  { "groups-of-few-channels", 6, 4, 8, 3, 1, 1, 1, 2, FALSE, FALSE },
  { "channels-alone", 40, 40, 9, 3, 1, 1, 1, 40, FALSE, FALSE },
  { "channels-alone-in-steps", 16, 16, 12, 5, 2, 2, 1, 16, TRUE, TRUE },
  { "few-channels-alone", 6, 6, 7, 3, 1, 1, 1, 6, FALSE, FALSE },
};

/* As many channels come out as go in. */
static const NetCase blocks[] = {
  { "blocks", 20, 20, 9, 3, 1, 1, 1, 1, FALSE, FALSE },
  { "blocks-of-few-channels", 6, 6, 9, 3, 1, 1, 1, 1, TRUE, TRUE },
};

static void
append_numbers (GString *text, GRand *random, guint n, int low, int high)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%d", i == 0 ? "" : ", ", g_rand_int_range (random, low, high));
}

static void
append_scales (GString *text, guint n, double scale)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%g", i == 0 ? "" : ", ", scale * (1 + i % 5));
}

/* Codes of x, and weights of a layer of the case. */
static void
append_head (GString *text, const NetCase *self, GRand *random)
{
  guint inner = self->channels / self->groups;
  guint n = self->filters * inner * self->kernel * self->kernel;
  const char *dtype = self->is_unsigned ? "uint8" : "int8";

  g_string_append_printf (text, "<float s = {0.01}, %s z = {%d}, %s[%u, %u, %u, %u] w = {",
                          self->has_signed ? "int8" : "uint8", self->has_signed ? -9 : 120, dtype,
                          self->filters, inner, self->kernel, self->kernel);
  append_numbers (text, random, n, self->is_unsigned ? 0 : -128, self->is_unsigned ? 256 : 128);
  g_string_append_printf (text, "}, float[%u] ws = {", self->filters);
  append_scales (text, self->filters, 0.3 / n * self->filters);
  g_string_append_printf (text, "}, %s[%u] wz = {", dtype, self->filters);
  append_numbers (text, random, self->filters, self->is_unsigned ? 100 : 0,
                  self->is_unsigned ? 150 : 1);
  g_string_append_printf (text, "}, int32[%u] b = {", self->filters);
  append_numbers (text, random, self->filters, -500, 500);
  g_string_append (text, "}");
}

static void
append_attributes (GString *text, const NetCase *self)
{
  g_string_append_printf (text,
                          "<pads = [%u, %u, %u, %u], strides = [%u, %u], dilations = [%u, %u],"
                          " group = %u>",
                          self->pad, self->pad, self->pad, self->pad, self->stride, self->stride,
                          self->dilation, self->dilation, self->groups);
}

static guint
get_places (const NetCase *self)
{
  return (self->size + 2 * self->pad - self->dilation * (self->kernel - 1) - 1) / self->stride + 1;
}

static void
compare (const char *name, const char *text, double most)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = text_net_read (name, text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);
  SymId output = sym_model_get_outputs (model).ids[0];
  g_autoptr (SymRun) plain = text_net_run (model, NULL);

  g_assert_no_error (error);
  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    {
      SymPlanOptions options = { .inference = inference, .n_threads = n_threads };
      g_autoptr (SymRun) run = text_net_run (model, &options);
      const SymArray *found = sym_datum_get_array (sym_run_get (run, output));
      const SymArray *right = sym_datum_get_array (sym_run_get (plain, output));
      gsize n = sym_array_get_n_elements (right), n_bound = 0;
      double difference = 0, least = INFINITY, greatest = -INFINITY;

      g_assert_true (found->dtype == right->dtype &&
                     sym_shape_equal (&found->shape, &right->shape));
      for (gsize i = 0; i < n; i++)
        {
          double a = sym_element_get_double (found->dtype, found->data, i);
          double b = sym_element_get_double (right->dtype, right->data, i);

          difference = fmax (difference, fabs (a - b));
          n_bound += fabs (a - b) > 1e-4 ? 1 : 0;
          least = fmin (least, b);
          greatest = fmax (greatest, b);
        }
      g_assert_cmpfloat (difference, <=, most);
      g_assert_cmpuint (n_bound, <=, n / 20 + 1);
      g_assert_cmpfloat (greatest - least, >, 5);
    }
}

/* The result is in steps of 1. */
static void
convolves_codes (gconstpointer data)
{
  const NetCase *self = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new ("<ir_version: 10, opset_import: [\"\" : 21]>\n");
  guint n = get_places (self);

  g_string_append_printf (text, "m (float[2, %u, %u, %u] x) => (float[2, %u, %u, %u] y) ",
                          self->channels, self->size, self->size, self->filters, n, n);
  append_head (text, self, random);
  g_string_append (text, ", float t = {1}, uint8 tz = {60}> { q = QuantizeLinear (x, s, z)"
                         " d = DequantizeLinear (q, s, z) bs = Mul (ws, s)"
                         " v = DequantizeLinear <axis = 0> (w, ws, wz)"
                         " u = DequantizeLinear <axis = 0> (b, bs) c = Conv ");
  append_attributes (text, self);
  g_string_append (text, " (d, v, u) r = Relu (c) p = QuantizeLinear (r, t, tz)"
                         " y = DequantizeLinear (p, t, tz) }");
  compare (self->name, text->str, STEP);
}

/* One after the other, with a way around them; the codes of each go to the next. */
static void
adds_codes (gconstpointer data)
{
  const NetCase *self = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new ("<ir_version: 10, opset_import: [\"\" : 21]>\n");

  g_string_append_printf (text,
                          "m (float[1, %u, %u, %u] x) =>"
                          " (float[1, %u, %u, %u] y, float[1, %u, %u, %u] c3) ",
                          self->channels, self->size, self->size, self->channels, self->size,
                          self->size, self->channels, self->size, self->size);
  append_head (text, self, random);
  g_string_append (text, ", float t = {0.05}, uint8 tz = {100}, float o = {0.08}, int8 oz = {-20},"
                         " float f = {0.1}, float g = {0}, float e = {1}> {"
                         " q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z)"
                         " v = DequantizeLinear <axis = 0> (w, ws, wz) c = Conv ");
  append_attributes (text, self);
  g_string_append (text, " (d, v) r = Clip (c, g, e) p = QuantizeLinear (r, t, tz)"
                         " a = DequantizeLinear (p, t, tz) c2 = Conv ");
  append_attributes (text, self);
  g_string_append (text, " (a, v) p2 = QuantizeLinear (c2, o, oz)"
                         " a2 = DequantizeLinear (p2, o, oz) j = Add (a2, d) k = Relu (j)"
                         " p3 = QuantizeLinear (k, f, oz) a3 = DequantizeLinear (p3, f, oz)"
                         " c3 = Conv ");
  append_attributes (text, self);
  g_string_append (text, " (a3, v) h = Constant <value_float = 10.0> () y = Mul (a3, h) }");
  compare (self->name, text->str, 3 * STEP);
}

/* What a layer makes is quantised, bounded, and quantised anew for the next one. */
static void
bounds_codes (gconstpointer data)
{
  const NetCase *self = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new ("<ir_version: 10, opset_import: [\"\" : 21]>\n");

  g_string_append_printf (text, "m (float[1, %u, %u, %u] x) => (float[1, %u, %u, %u] y) ",
                          self->channels, self->size, self->size, self->channels, self->size,
                          self->size);
  append_head (text, self, random);
  g_string_append (text, ", float t = {0.05}, uint8 tz = {100}, float o = {0.03}, uint8 oz = {0},"
                         " float g = {0}, float e = {6}> {"
                         " q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z)"
                         " v = DequantizeLinear <axis = 0> (w, ws, wz) c = Conv ");
  append_attributes (text, self);
  g_string_append (text, " (d, v) p = QuantizeLinear (c, t, tz) a = DequantizeLinear (p, t, tz)"
                         " r = Clip (a, g, e) p2 = QuantizeLinear (r, o, oz)"
                         " a2 = DequantizeLinear (p2, o, oz) c2 = Conv ");
  append_attributes (text, self);
  g_string_append (text, " (a2, v) h = Constant <value_float = 4.0> () y = Mul (c2, h) }");
  compare (self->name, text->str, 3 * STEP);
}

/* Linear layers of a transformer, whose codes stay bytes from one to the next. */
static void
multiplies_codes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new ("<ir_version: 10, opset_import: [\"\" : 21]>\n");

  g_string_append (text, "m (float[2, 13, 30] x) => (float[2, 13, 30] y) <float s = {0.01},"
                         " uint8 z = {120}, float t = {1}, uint8 tz = {9}, int8[30, 70] w = {");
  append_numbers (text, random, 2100, -128, 128);
  g_string_append (text, "}, float ws = {0.05}, int8 wz = {0}, int8[70, 30] v = {");
  append_numbers (text, random, 2100, -128, 128);
  g_string_append (text, "}, float vs = {0.001}> { q = QuantizeLinear (x, s, z)"
                         " d = DequantizeLinear (q, s, z) a = DequantizeLinear (w, ws, wz)"
                         " b = MatMul (d, a) r = Relu (b) p = QuantizeLinear (r, t, tz)"
                         " e = DequantizeLinear (p, t, tz) f = DequantizeLinear (v, vs, wz)"
                         " g = MatMul (e, f) o = QuantizeLinear (g, t, tz)"
                         " y = DequantizeLinear (o, t, tz) }");
  compare ("linear", text->str, STEP);
}

/* Two convolutions, the second of which takes the codes of the first for others: by another zero
 * point, of what is between windows, too. */
static void
takes_codes_for_others (void)
{
  const NetCase net = { "others", 8, 8, 9, 3, 1, 1, 1, 1, FALSE, FALSE };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new ("<ir_version: 10, opset_import: [\"\" : 21]>\n"
                                           "m (float[1, 8, 9, 9] x) => (float[1, 8, 9, 9] y) ");

  append_head (text, &net, random);
  g_string_append (text, ", float t = {0.05}, uint8 tz = {0}, uint8 oz = {128},"
                         " float one = {1}> { q = QuantizeLinear (x, s, z) c = QLinearConv ");
  append_attributes (text, &net);
  g_string_append (text, " (q, s, z, w, ws, wz, t, tz, b) c2 = QLinearConv ");
  append_attributes (text, &net);
  g_string_append (text, " (c, s, oz, w, ws, wz, t, z, b) y = DequantizeLinear (c2, one, oz) }");
  compare ("others", text->str, 3 * STEP);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/byte-nets/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], convolves_codes);
      if (cases[i].channels == cases[i].filters && cases[i].stride == 1)
        {
          g_autofree char *sum = g_strconcat ("/run/byte-nets/sums-of-", cases[i].name, NULL);

          g_autofree char *bounds = g_strconcat ("/run/byte-nets/bounds-of-", cases[i].name, NULL);

          g_test_add_data_func (sum, &cases[i], adds_codes);
          g_test_add_data_func (bounds, &cases[i], bounds_codes);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autofree char *path = g_strconcat ("/run/byte-nets/", blocks[i].name, NULL);
      g_autofree char *bounds = g_strconcat ("/run/byte-nets/bounds-of-", blocks[i].name, NULL);

      g_test_add_data_func (path, &blocks[i], adds_codes);
      g_test_add_data_func (bounds, &blocks[i], bounds_codes);
    }
  g_test_add_func ("/run/byte-nets/multiplies-codes", multiplies_codes);
  g_test_add_func ("/run/byte-nets/takes-codes-for-others", takes_codes_for_others);
  return g_test_run ();
}
