/* SPDX-License-Identifier: MIT */
#include "raise-mxnet.h"

/* Recurrent layers as MXNet's: no two gates and directions have the same weights. */

#define DATA "float[3,2,2] x"
#define SIX "0.1,-0.7,0.4,0.9,-0.3,0.5"
#define FOUR "0.6,-0.2,-0.8,0.3"
#define TWELVE SIX ",0.2,0.8,-0.5,-0.9,0.7,-0.1"
#define SIXTEEN TWELVE "," FOUR
#define OTHERS \
  "-0.4,0.35,0.15,-0.65,0.45,-0.75,0.95,-0.05,0.55,0.25,-0.85,0.65,-0.15,0.05,0.75,-0.95"

#define LSTM                                                                \
  "float[1,8,2] w = {" SIXTEEN "}, float[1,8,2] r = {" OTHERS "}, float[1," \
  "16] b = {" FOUR "," TWELVE "}"
#define BOTH_LSTM                                                            \
  "float[2,8,2] w = {" SIXTEEN "," OTHERS "}, float[2,8,2] r = {" OTHERS "," \
  "" TWELVE "," FOUR "}, float[2,16] b = {" FOUR "," TWELVE "," OTHERS "}"
#define GRU                                                                 \
  "float[1,6,2] w = {" TWELVE "}, float[1,6,2] r = {" FOUR "," SIX ",0.15," \
  "-0.35}, float[1,12] b = {" SIX "," FOUR ",-0.55,0.85}"
#define RNN                                                                    \
  "float[1,2,2] w = {" FOUR "}, float[1,2,2] r = {0.7,-0.4,0.2,0.5}, float[1," \
  "4] b = {0.1,-0.3,0.25,0.45}"
#define BOTH_RNN                                                              \
  "float[2,2,2] w = {" FOUR ",0.9,-0.5,0.1,0.3}, float[2,2,2] r = {0.7,-0.4," \
  "0.2,0.5," FOUR "}, float[2,4] b = {0.1,-0.3,0.25,0.45," FOUR "}"
#define STATES "float[1,2,2] h = {0.5,-0.25,0.1,0.9}, float[1,2,2] c = {-0.5,0.75,0.2,0.3}"

static const RaiseCase cases[] = {
  { "remembers", DATA, LSTM, "y, h, c = LSTM <hidden_size = 2> (x, w, r, b)" },
  { "remembers-what-came-before", DATA, LSTM ", " STATES,
    "s, g, d = LSTM <hidden_size = 2> (x, w, r, b, \"\", h, c) t = Add (g, d) y = Add (s, t)" },
  { "remembers-the-last-alone", DATA, LSTM, "\"\", y = LSTM <hidden_size = 2> (x, w, r, b)" },
  { "remembers-cells", DATA, LSTM, "s, h, y = LSTM <hidden_size = 2> (x, w, r, b)" },
  { "remembers-without-biases", DATA, LSTM, "y = LSTM <hidden_size = 2> (x, w, r)" },
  { "remembers-backwards", DATA, LSTM,
    "s, h = LSTM <hidden_size = 2, direction = \"reverse\"> (x, w, r, b) y = Add (s, h)" },
  { "remembers-both-ways", DATA, BOTH_LSTM,
    "s, h, c = LSTM <hidden_size = 2, direction = \"bidirectional\"> (x, w, r, b) t = Mul (h, c) "
    "y = Add (s, t)" },
  { "remembers-samples-of-any-number", "float[3,n,2] x", BOTH_LSTM,
    "y = LSTM <hidden_size = 2, direction = \"bidirectional\"> (x, w, r, b)" },
  { "remembers-with-the-samples-first", DATA, BOTH_LSTM,
    "y = LSTM <hidden_size = 2, direction = \"bidirectional\", layout = 1> (x, w, r, b)" },
  { "remembers-states-with-the-samples-first", "float[2,3,2] x", BOTH_LSTM,
    "\"\", y = LSTM <hidden_size = 2, direction = \"bidirectional\", layout = 1> (x, w, r, b)" },
  { "remembers-as-many-steps-as-there-are", DATA, LSTM ", int32[2] n = {3,3}",
    "y = LSTM <hidden_size = 2> (x, w, r, b, n)" },
  { "gates", DATA, GRU,
    "s, h = GRU <hidden_size = 2, linear_before_reset = 1> (x, w, r, b) y = Add (s, h)" },
  { "gates-backwards-from-a-state", DATA, GRU ", " STATES,
    "y = GRU <hidden_size = 2, linear_before_reset = 1, direction = \"reverse\"> "
    "(x, w, r, b, \"\", h)" },
  { "recurs", DATA, RNN, "s, h = RNN <hidden_size = 2> (x, w, r, b) y = Add (s, h)" },
  { "recurs-above-zero-both-ways", DATA, BOTH_RNN,
    "y = RNN <hidden_size = 2, direction = \"bidirectional\", activations = [\"Relu\", \"Relu\"]> "
    "(x, w, r, b)" },
};

static void
test_case (gconstpointer data)
{
  g_autoptr (SymModel) model = raise_case_read (data);

  raise_mxnet_compare (model);
}

static void
test_refuses (void)
{
  static const RaiseCase refused[] = {
    { "GRU", DATA, GRU, "y = GRU <hidden_size = 2> (x, w, r, b)" },
    { "LSTM", DATA, LSTM, "y = LSTM <hidden_size = 2, clip = 0.5> (x, w, r, b)" },
    { "LSTM", DATA, LSTM, "y = LSTM <hidden_size = 2, input_forget = 1> (x, w, r, b)" },
    { "LSTM", DATA, LSTM ", float[1,6] p = {" SIX "}",
      "y = LSTM <hidden_size = 2> (x, w, r, b, \"\", \"\", \"\", p)" },
    { "LSTM", DATA, LSTM,
      "y = LSTM <hidden_size = 2, activations = [\"HardSigmoid\", \"Tanh\", \"Tanh\"]> "
      "(x, w, r, b)" },
    { "LSTM", DATA, LSTM ", int32[2] n = {3,2}", "y = LSTM <hidden_size = 2> (x, w, r, b, n)" },
    { "RNN", DATA, BOTH_RNN,
      "y = RNN <hidden_size = 2, direction = \"bidirectional\", activations = [\"Relu\", "
      "\"Tanh\"]> (x, w, r, b)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    raise_case_refuse (&refused[i], "mxnet");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/raise-mxnet-recurrent/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/run/raise-mxnet-recurrent/refuses-what-mxnet-has-not", test_refuses);
  return g_test_run ();
}
