/* SPDX-License-Identifier: MIT */
#include "raise-mxnet.h"

/* Layers that compare and choose, as MXNet's symbols: read back, they make the same numbers.  Steps
 * are the data in quarters, many of which are equal. */

#define DATA "float[2,3,4] x"
#define OPEN "float[n,3,4] x"
#define TIES "float four = {4}"
#define STEPS "q = Mul (x, four) s = Floor (q) "
#define SIDE "float half = {0.5}, float[3,1] w = {0.2,0.5,0.8}"

static const RaiseCase cases[] = {
  { "finds-the-greatest", DATA, TIES, STEPS "y = ArgMax <axis = 1> (s)" },
  { "finds-the-last-of-the-greatest", DATA, TIES,
    STEPS "y = ArgMax <axis = -1, keepdims = 0, select_last_index = 1> (s)" },
  { "finds-the-least", DATA, TIES, STEPS "y = ArgMin <axis = 2, keepdims = 0> (s)" },
  { "finds-the-last-of-the-least", DATA, TIES,
    STEPS "y = ArgMin <axis = 0, select_last_index = 1> (s)" },
  { "finds-the-greatest-integer", DATA, TIES,
    STEPS "i = Cast <to = 6> (s) y = ArgMax <axis = 1> (i)" },
  { "finds-the-greatest-half", DATA, TIES,
    STEPS "h = Cast <to = 10> (x) y = ArgMax <axis = 2> (h)" },
  { "takes-the-first-ones", DATA, "int64[1] k = {2}",
    "v, i = TopK (x, k) f = Cast <to = 1> (i) y = Add (v, f)" },
  { "takes-the-first-of-those-that-are-equal", "float[2,40] x", "int64[1] k = {3}, " TIES,
    STEPS "v, y = TopK <largest = 0> (s, k)" },
  { "takes-the-least-along-another-axis", DATA, "int64[1] k = {2}, " TIES,
    STEPS "v, i = TopK <axis = 1, largest = 0> (s, k) f = Cast <to = 1> (i) y = Sub (v, f)" },
  { "marks-the-greatest", DATA, TIES, STEPS "y = Hardmax <axis = 1> (s)" },
  { "marks-the-greatest-of-all", "float[5] x", "", "y = Hardmax (x)" },
  { "marks-places", "float[2,3] x", TIES ", int64 d = {4}, float[2] v = {-1.5,2.5}",
    STEPS "i = Cast <to = 7> (s) y = OneHot (i, d, v)" },
  { "marks-places-from-the-end", "float[2,3] x",
    TIES ", float two = {2}, int64 d = {3}, int32[2] v = {7,-3}",
    STEPS "t = Sub (s, two) i = Cast <to = 6> (t) y = OneHot <axis = 1> (i, d, v)" },
  { "marks-places-told-in-floats", "float[2,3] x",
    TIES ", float two = {2.5}, int64 d = {3}, float[2] v = {0,1}",
    STEPS "t = Sub (s, two) y = OneHot <axis = 0> (t, d, v)" },
  { "looks-up-places", DATA, "int64[2,2] i = {1,-1,0,1}", "y = GatherND (x, i)" },
  { "looks-up-one-place-of-each", DATA, "int64[3,1] i = {1,0,-1}", "y = GatherND (x, i)" },
  { "looks-up-a-part", DATA, "int64[2] i = {1,2}", "y = GatherND (x, i)" },

  { "compares", DATA, SIDE, "t = Greater (x, w) y = Cast <to = 1> (t)" },
  { "compares-with-a-number", DATA, SIDE,
    "a = Less (half, x) b = LessOrEqual (x, half) c = GreaterOrEqual (half, x) d = Xor (a, b) "
    "e = And (c, d) y = Cast <to = 7> (e)" },
  { "compares-integers", DATA, TIES ", int64[4] n = {0,1,2,3}",
    STEPS "i = Cast <to = 7> (s) a = Equal (i, n) b = GreaterOrEqual (n, i) c = Or (a, b) "
          "y = Cast <to = 6> (c)" },
  { "compares-what-is-true", DATA, SIDE ", bool[4] m = {1,0,1,0}",
    "a = Greater (x, w) b = Equal (a, m) c = Not (b) d = And (m, c) y = Cast <to = 1> (d)" },
  { "gives-what-is-true", DATA, SIDE, "a = Less (x, w) y = Not (a)" },
  { "takes-numbers-as-truth", DATA, TIES,
    STEPS "i = Cast <to = 6> (s) a = Cast <to = 9> (i) b = Cast <to = 9> (s) c = And (a, b) "
          "y = Cast <to = 3> (c)" },
  { "takes-truth-from-outside", "bool[2,3] x", "", "a = Not (x) y = Cast <to = 1> (a)" },
  { "gives-truth-as-it-came", "bool[2,3] x", "", "a = Not (x) y = And (a, x)" },
  { "moves-what-is-true", DATA, SIDE ", int64[2] r = {6,-1}, int64[2] g = {3,0}",
    "a = Greater (x, w) b = Reshape (a, r) c = Transpose <perm = [1,0]> (b) d = Gather (c, g) "
    "y = Cast <to = 1> (d)" },
  { "compares-in-doubles", DATA, "double[3,1] w = {0.2,0.5,0.8}",
    "d = Cast <to = 11> (x) a = Less (w, d) b = Cast <to = 9> (x) c = And (a, b) "
    "y = Cast <to = 11> (c)" },
  { "finds-what-is-no-number", DATA, "float[4] n = {1,-1,1,-1}",
    "a = Mul (x, n) b = Log (a) c = IsNaN (b) y = Cast <to = 1> (c)" },
  { "casts-like-another", DATA, "int32[1] i = {1}",
    "a = Add (x, x) b = CastLike (a, i) y = Add (b, b)" },

  { "chooses", DATA, SIDE, "a = Less (x, w) b = Neg (x) y = Where (a, x, b)" },
  { "chooses-among-what-is-smaller", DATA, SIDE ", bool[2,1,1] m = {1,0}, float[4] v = {1,2,3,4}",
    "a = Neg (w) b = Add (x, a) y = Where (m, b, v)" },
  { "chooses-a-number", DATA, SIDE ", float low = {-10000}",
    "a = Greater (x, half) y = Where (a, low, x)" },
  { "chooses-by-a-column", DATA, SIDE, "c = Less (w, half) d = Exp (x) y = Where (c, d, x)" },
  { "chooses-what-is-true", DATA, SIDE,
    "a = Greater (x, w) b = Less (x, half) c = Where (a, b, a) y = Cast <to = 1> (c)" },
  { "chooses-integers", DATA, SIDE ", int64 n = {-5}, int64[4] m = {1,2,3,4}",
    "a = Greater (x, w) y = Where (a, n, m)" },
  { "chooses-among-sizes-that-are-open", OPEN, SIDE ", float low = {-10000}",
    "a = Greater (x, w) b = Where (a, low, x) c = Less (w, half) y = Where (c, b, w)" },
};

static void
test_case (gconstpointer data)
{
  g_autoptr (SymModel) model = raise_case_read (data);

  raise_mxnet_compare (model);
}

/* ---- What MXNet does not have ---- */

static void
test_refuses (void)
{
  static const RaiseCase refused[] = {
    { "ArgMax", "int64[2,3] x", "", "y = ArgMax (x)" },
    { "ArgMax", OPEN, "", "y = ArgMax <axis = 0, select_last_index = 1> (x)" },
    { "TopK", OPEN, "", "s = Size (x) k = Unsqueeze (s, z) c = Mul (k, k) v, y = TopK (x, c)" },
    { "GatherND", DATA, "int64[2,1] i = {1,2}", "y = GatherND <batch_dims = 1> (x, i)" },
    { "Cast", DATA, "", "y = Cast <to = 12> (x)" },
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
      g_autofree char *path = g_strconcat ("/run/raise-mxnet-choose/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/run/raise-mxnet-choose/refuses-what-mxnet-has-not", test_refuses);
  return g_test_run ();
}
