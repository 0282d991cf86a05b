/* SPDX-License-Identifier: MIT */
#include "check-groups.h"
#include "query-graphs.h"

/* Calls in order by their names; pieces in parentheses, branches in brackets, scopes in braces. */
static char *
print_nesting (const SymGroups *groups)
{
  static const char opening[] = { '{', '(', '[', '<' };
  static const char closing[] = { '}', ')', ']', '>' };
  SymModel *model = sym_groups_get_model (groups);
  SymIds order = sym_groups_get_order (groups);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < order.n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ' ');
      for (guint k = 0; k < sym_groups_get_n (groups); k++)
        if (sym_groups_get_calls (groups, k).ids[0] == order.ids[i])
          g_string_append_c (text, opening[sym_groups_get (groups, k)->kind]);
      g_string_append (text, sym_model_get_call_name (model, order.ids[i]));
      for (guint k = sym_groups_get_n (groups); k-- > 0;)
        {
          SymIds calls = sym_groups_get_calls (groups, k);

          if (calls.ids[calls.n - 1] == order.ids[i])
            g_string_append_c (text, closing[sym_groups_get (groups, k)->kind]);
        }
    }
  return g_string_free (text, FALSE);
}

typedef struct {
  const char *what;
  const char *graph;
  const char *nesting;
} Case;

static const Case cases[] = {
  { "nothing-in-an-empty-model", "", "" },
  { "nothing-in-one-call", "a=Conv x", "a" },
  { "nothing-in-a-diamond", "a=Conv x; b=Relu a; c=Tanh a; d=Add b c", "a b c d" },
  { "residual-blocks-end-with-their-activation",
    "s=Pool x;"
    "a=Conv s; b=Norm a; c=Relu b; d=Conv c; e=Add d s; f=Relu e;"
    "g=Conv f; h=Norm g; i=Relu h; j=Conv i; k=Add j f; l=Relu k; m=Dense l",
    "s (a b c d e f) (g h i j k l) m" },
  { "blocks-that-begin-with-an-activation-end-with-the-sum",
    "s=Conv:7 x;"
    "a=Norm s; b=Relu a; c=Conv b; d=Norm c; e=Relu d; f=Conv e; g=Add f s;"
    "h=Norm g; i=Relu h; j=Conv i; k=Norm j; l=Relu k; m=Conv l; n=Add m g; o=Norm n; p=Relu o",
    "s (a b c d e f g) (h i j k l m n) o p" },
  { "attributes-that-differ-are-other-layers",
    "a=Conv:1 x; b=Norm a; c=Relu b; d=Conv:1 c; e=Norm d; f=Relu e; g=Conv:1 f; h=Norm g; i=Relu "
    "h;"
    "j=Conv:2 i; k=Norm j; l=Relu k; m=Conv:2 l; n=Norm m; o=Relu n; p=Conv:2 o; q=Norm p; r=Relu "
    "q",
    "(a b c) (d e f) (g h i) (j k l) (m n o) (p q r)" },
  { "a-hub-may-feed-all-pieces",
    "h=Mask y; s=Embed x;"
    "a=Dense s; b=Add a h; c=Softmax b; d=Dense c; e=Norm d;"
    "f=Dense e; g=Add f h; i=Softmax g; j=Dense i; k=Norm j;"
    "l=Dense k; m=Add l h; n=Softmax m; o=Dense n; p=Norm o",
    "h s (a b c d e) (f g i j k) (l m n o p)" },
  { "more-operands-from-before-in-each-piece",
    "s=Conv:7 x; t=Norm s; "
    "a=Conv t; b=Tanh a; c=Relu b; d=Tanh c; e=Concat s d;"
    "f=Conv e; g=Tanh f; h=Relu g; i=Tanh h; j=Concat s d i;"
    "k=Conv j; l=Tanh k; m=Relu l; n=Tanh m; o=Concat s d i n",
    "s t (a b c d e) (f g h i j) (k l m n o)" },
  { "pieces-within-pieces",
    "a=Conv x; b=Relu a; c=Conv b; d=Relu c; e=Conv d; f=Relu e; g=Conv f; h=Relu g; i=Pool h;"
    "j=Conv i; k=Relu j; l=Conv k; m=Relu l; n=Conv m; o=Relu n; p=Conv o; q=Relu p; r=Pool q",
    "((a b) (c d) (e f) (g h) i) ((j k) (l m) (n o) (p q) r)" },
  { "steps-of-two-equal-cells",
    "a=Dense x; b=Dense y; c=Add a b; d=Tanh c; e=Dense d; f=Dense z; g=Add e f; h=Tanh g;"
    "i=Dense x; j=Dense d; k=Add i j; l=Tanh k; m=Dense l; n=Dense h; o=Add m n; p=Tanh o;"
    "q=Dense x; r=Dense l; s=Add q r; t=Tanh s; u=Dense t; v=Dense p; w=Add u v; w2=Tanh w",
    "(a b c d e f g h) (i j k l m n o p) (q r s t u v w w2)" },
  { "branches-of-a-split",
    "s=Split x; a=Conv s; b=Conv s; c=Conv s; d=Conv s; e=Concat a b c d; f=Relu e",
    "s [a] [b] [c] [d] e f" },
  { "branches-of-several-calls",
    "a=Conv x; b=Relu a; c=Conv x; d=Relu c; e=Conv x; f=Relu e; g=Concat b d f",
    "[a b] [c d] [e f] g" },
  { "heads-of-different-sources",
    "s=Conv:7 x; t=Pool s; u=Dense t;"
    "a=Conv s; b=Relu a; c=Conv t; d=Relu c; e=Conv u; f=Relu e; g=Concat b d f; h=Mul g u",
    "s t u [a b] [c d] [e f] g h" },
  { "heads-between-the-blocks-of-the-trunk",
    "s=Conv:7 x; a=Conv s; b=Relu a; t=Pool s; c=Conv t; d=Relu c; u=Dense t; e=Conv u; f=Relu e;"
    "g=Concat b d f; h=Mul g u",
    "s t u [a b] [c d] [e f] g h" },
  { "what-many-use-goes-ahead",
    "s=Embed x; a=Dense s; m=Sin y; h=Mask m; b=Add a h; c=Softmax b; d=Dense c; e=Norm d;"
    "f=Dense e; g=Add f h; i=Softmax g; j=Dense i; k=Norm j",
    "m h s (a b c d e) (f g i j k)" },
  { "what-others-need-stands-by-its-source",
    "s=Embed x; a=Dense s; b=Tanh a; c=Softmax b; d=Dense c; e=Norm d; f=Dense e; g=Tanh f;"
    "h=Softmax g; i=Dense h; j=Norm i; q=Exp c; r=Exp h",
    "s (a b c q d e) (f g h r i j)" },
  { "steps-whose-layers-use-the-step-before",
    "a=Dense x; b=Dense y; c=Add a b; d=Tanh c; e=Dense d; f=Dense z; g=Add e f; h=Tanh g;"
    "j=Dense d; i=Dense x; k=Add i j; l=Tanh k; n=Dense h; m=Dense l; o=Add m n; p=Tanh o;"
    "r=Dense l; v=Dense p; q=Dense x; s=Add q r; t=Tanh s; u=Dense t; w=Add u v; w2=Tanh w",
    "(a b c d e f g h) (i j k l m n o p) (q r s t u v w w2)" },
  { "not-of-two-branches", "a=Conv x; b=Conv x; c=Concat a b", "a b c" },
  { "not-of-branches-to-different-calls", "a=Conv x; b=Conv x; c=Conv x; d=Mul a b; e=Sub c d",
    "a b d c e" },
  { "not-of-what-is-not-joined",
    "a=Conv x; b=Relu x; c=Conv x; d=Relu x; e=Conv x; f=Relu x; g=Conv x; h=Relu x;"
    "i=Concat a b c d e f g h",
    "a b c d e f g h i" },
  { "chains-that-the-file-mixes",
    "a=Conv x; b=Relu y; c=Conv a; d=Relu b; e=Conv c; f=Relu d; g=Conv e; h=Relu f; i=Add g h",
    "a c e g b d f h i" },
  { "chain-of-equal-calls-in-twos",
    "a=Relu x; b=Relu a; c=Relu b; d=Relu c; e=Relu d; f=Relu e; g=Relu f; h=Relu g",
    "(a b) (c d) (e f) (g h)" },
  { "equal-scopes",
    "s=Conv:7 x; l.0.a=Dense s; l.0.b=Relu l.0.a; l.1.a=Dense l.0.b; l.1.b=Relu l.1.a; t=Conv "
    "l.1.b",
    "s {{l.0.a l.0.b} {l.1.a l.1.b}} t" },
};

static void
test_nesting (gconstpointer data)
{
  const Case *item = data;
  g_autoptr (SymModel) model = new_graph (item->graph);
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autofree char *text = print_nesting (groups);

  check_groups (groups);
  g_assert_cmpstr (text, ==, item->nesting);
}

static void
test_scope_runs (void)
{
  g_autoptr (SymModel) model = new_graph (
      "s=Conv x; a0/1=Dense s; a0/2=Relu a0/1; a1/1=Dense a0/2; a1/2=Relu a1/1; t=Pool a1/2");
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  guint n;

  g_assert_cmpuint (sym_groups_get_n (groups), ==, 2);
  g_assert_cmpuint (sym_groups_get (groups, 0)->run, ==, sym_groups_get (groups, 1)->run);
  sym_groups_get_run (groups, sym_groups_get (groups, 0)->run, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (sym_groups_get (groups, 1)->name, ==, "a1");
}

static void
test_names (void)
{
  g_autoptr (SymModel) model =
      new_graph ("s=Embed x; a=Dense s; b=Relu a; c=Dense b; d=Relu c; e=Dense d; f=Relu e; "
                 "g=Dense f; h=Relu g;"
                 "up_1=Pool h; up_2=Tanh up_1; up_3=Exp up_2; up_4=Log up_3; up_5=Abs up_4;"
                 "tail=Pool up_5; tanh=Tanh tail; exp=Exp tanh; log=Log exp; abs=Abs log");
  g_autoptr (SymGroups) groups = sym_groups_new (model);

  check_groups (groups);
  g_assert_cmpuint (sym_groups_get_n (groups), ==, 6);
  g_assert_cmpstr (sym_groups_get (groups, 0)->name, ==, "Dense, Relu");
  g_assert_cmpstr (sym_groups_get (groups, 4)->name, ==, "Pool, Tanh, Exp …");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/query/groups/pieces/", cases[i].what, NULL);

      g_test_add_data_func (path, &cases[i], test_nesting);
    }
  g_test_add_func ("/query/groups/pieces/equal-scopes-are-a-run", test_scope_runs);
  g_test_add_func ("/query/groups/pieces/named-by-types-or-names", test_names);
  return g_test_run ();
}
