/* SPDX-License-Identifier: MIT */
#include "query/sym-compare.h"

#include "query-graphs.h"

/* "=2 ~1 -1 +1", and what differs, "size 3>5", "input 0 a>b". */
static char *
compare (SymModel *before, SymModel *after)
{
  g_autoptr (SymInference) own = sym_infer (before, NULL, 0, NULL, NULL);
  g_autoptr (SymInference) other = sym_infer (after, NULL, 0, NULL, NULL);
  g_autoptr (SymCompare) made = sym_compare_new (own, other, FALSE, NULL, NULL);
  GString *out = g_string_new (NULL);

  g_string_printf (out, "=%u ~%u -%u +%u", sym_compare_count (made, SYM_COMPARE_SAME),
                   sym_compare_count (made, SYM_COMPARE_CHANGED),
                   sym_compare_count (made, SYM_COMPARE_REMOVED),
                   sym_compare_count (made, SYM_COMPARE_ADDED));
  for (guint i = 0; i < sym_compare_get_first_of_models (made); i++)
    {
      const SymDifference *difference = sym_compare_get_difference (made, i);

      g_string_append_printf (out, "; %s %s>%s", difference->what,
                              difference->before == NULL ? "" : difference->before,
                              difference->after == NULL ? "" : difference->after);
    }
  return g_string_free (out, FALSE);
}

static void
assert_compared (const char *before, const char *after, const char *expected)
{
  g_autoptr (SymModel) own = new_graph (before);
  g_autoptr (SymModel) other = new_graph (after);
  g_autofree char *text = compare (own, other);

  g_assert_cmpstr (text, ==, expected);
}

#define NET "a=Conv:3 x; b=Relu a; c=Conv:3 b; d=Relu c; e=Add b d; f=Pool e"

static void
test_same (void)
{
  assert_compared (NET, NET, "=6 ~0 -0 +0");
  assert_compared (NET, "k=Conv:3 x; l=Relu k; m=Conv:3 l; n=Relu m; o=Add l n; p=Pool o",
                   "=6 ~0 -0 +0");
}

/* Branches may be written in any order. */
static void
test_order (void)
{
  assert_compared ("a=Conv:3 x; b=Conv:5 x; c=Relu a; d=Tanh b; e=Add c d",
                   "b=Conv:5 x; d=Tanh b; a=Conv:3 x; c=Relu a; e=Add c d", "=5 ~0 -0 +0");
}

static void
test_attribute (void)
{
  assert_compared (NET, "a=Conv:3 x; b=Relu a; c=Conv:5 b; d=Relu c; e=Add b d; f=Pool e",
                   "=5 ~1 -0 +0; size '3'>'5'");
  assert_compared (NET, "a=Conv:7 x; b=Relu a; c=Conv:5 b; d=Relu c; e=Add b d; f=Pool e",
                   "=4 ~2 -0 +0; size '3'>'7'; size '3'>'5'");
  assert_compared ("a=Conv x", "a=Conv:1 x", "=0 ~1 -0 +0; size >'1'");
}

static void
test_layers (void)
{
  assert_compared (NET, "a=Conv:3 x; b=Relu a; c=Conv:3 b; q=Drop c; d=Relu q; e=Add b d; f=Pool e",
                   "=6 ~0 -0 +1");
  assert_compared (NET, "a=Conv:3 x; b=Relu a; c=Conv:3 b; e=Add b c; f=Pool e", "=5 ~0 -1 +0");
  assert_compared (NET, "a=Conv:3 x; b=Relu a; c=Conv:3 b; d=Gelu c; e=Add b d; f=Pool e",
                   "=5 ~0 -1 +1");
  assert_compared ("", NET, "=0 ~0 -0 +6");
}

static void
test_connection (void)
{
  assert_compared ("a=Conv:3 x; b=Relu a; c=Tanh a; d=Pool b; e=Add d c; f=End e",
                   "a=Conv:3 x; b=Relu a; c=Tanh a; d=Pool b; e=Add b c; f=End e; g=Use d",
                   "=5 ~1 -0 +1; input 0 d>b");
}

/* Of many blocks that are alike the changed one is found. */
static void
test_blocks (void)
{
  g_autoptr (GString) before = g_string_new ("a0=Conv:3 x");
  g_autoptr (GString) after = g_string_new ("a0=Conv:3 x");

  for (guint i = 1; i < 2000; i++)
    {
      g_string_append_printf (before, "; b%u=Relu a%u; a%u=Conv:3 b%u", i, i - 1, i, i);
      g_string_append_printf (after, "; b%u=%s a%u; a%u=Conv:3 b%u", i, i == 700 ? "Tanh" : "Relu",
                              i - 1, i, i);
    }
  assert_compared (before->str, after->str, "=3998 ~0 -1 +1");
}

static SymModel *
new_with_body (const char *text)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Loop", NULL, NULL);
  g_autoptr (SymModel) body = new_graph (text);
  SymId x = add_input (builder, "x");

  sym_layer_add_body (layer, "body", body, FALSE);
  sym_model_builder_add_call (builder, "loop", layer, &x, 1, 1);
  return sym_model_builder_end (builder);
}

static void
test_bodies (void)
{
  g_autoptr (SymModel) before = new_with_body ("a=Conv:3 x; b=Relu a");
  g_autoptr (SymModel) alike = new_with_body ("c=Conv:3 x; d=Relu c");
  g_autoptr (SymModel) other = new_with_body ("a=Conv:5 x; b=Relu a");
  g_autofree char *same = compare (before, alike);
  g_autofree char *different = compare (before, other);

  g_assert_cmpstr (same, ==, "=1 ~0 -0 +0");
  g_assert_cmpstr (different, ==, "=0 ~1 -0 +0; body body 2 layers>2 other layers");
}

static SymModel *
new_with_note (const char *note)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymAttributes *attributes = sym_attributes_new ();
  SymId x = add_input (builder, "x");
  SymId call = sym_model_builder_add_call (builder, "thing", layer, &x, 1, 1);

  sym_attributes_set (attributes, "note", sym_value_new_string (note), NULL);
  sym_model_builder_set_call_attributes (builder, call, attributes);
  return sym_model_builder_end (builder);
}

/* What is said of a call, not of its layer. */
static void
test_call_attributes (void)
{
  g_autoptr (SymModel) before = new_with_note ("a");
  g_autoptr (SymModel) after = new_with_note ("b");
  g_autofree char *same = compare (before, before);
  g_autofree char *different = compare (before, after);

  g_assert_cmpstr (same, ==, "=1 ~0 -0 +0");
  g_assert_cmpstr (different, ==, "=0 ~1 -0 +0; note 'a'>'b'");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/compare/same", test_same);
  g_test_add_func ("/query/compare/order", test_order);
  g_test_add_func ("/query/compare/attribute", test_attribute);
  g_test_add_func ("/query/compare/layers", test_layers);
  g_test_add_func ("/query/compare/connection", test_connection);
  g_test_add_func ("/query/compare/blocks", test_blocks);
  g_test_add_func ("/query/compare/bodies", test_bodies);
  g_test_add_func ("/query/compare/call-attributes", test_call_attributes);
  return g_test_run ();
}
