/* SPDX-License-Identifier: MIT */
#include "ops/sym-op.h"
#include "query-graphs.h"
#include "query/sym-query.h"

static SymQueryIndex *
new_index (void)
{
  g_autoptr (SymModel) model =
      new_graph ("a=Conv:3 x; b=Conv:3 a; c=Concat a b; d=Relu c; e=Odd.Type d");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  return sym_query_index_new (summary, NULL);
}

/* The text with each completion put in, "|" between. */
static char *
complete (SymQueryIndex *index, const char *text, gsize cursor)
{
  g_autoptr (GPtrArray) found = sym_query_complete (index, text, cursor, 4);
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const SymQueryCompletion *one = found->pdata[i];

      g_string_append (all, i > 0 ? "|" : "");
      g_string_append_len (all, text, (gssize) one->start);
      g_string_append (all, one->text);
      g_string_append (all, text + one->end);
    }
  return g_string_free (all, FALSE);
}

static void
test_completions (void)
{
  static const struct {
    const char *text;
    gsize cursor;
    const char *completions;
  } cases[] = {
    { "unu", 3, "unused:" },
    { "a -unu", 6, "a -unused:" },
    { "(unu", 4, "(unused:" },
    { "unu b", 3, "unused: b" },
    { "siz", 3, "size:" },
    { "Con", 3, "type:Conv|type:Concat" },
    { "par", 3, "params>|parent:|parents>" },
    { "type:Con", 8, "type:Conv|type:Concat" },
    { "type:", 5, "type:Input|type:Conv|type:Concat|type:Odd.Type" },
    { "-type:rel", 9, "-type:Relu" },
    { "unused:", 7, "unused:yes|unused:no" },
    { "dtype:f", 7, "dtype:float32" },
    { "shape:", 6, "shape:1x8" },
    { "parent:rel", 10, "parent:Relu" },
    { "kernel:", 7, "" },
    { "zzz", 3, "" },
    { "", 0, "after:|attr:|before:|body:" },
    { "\"unu", 4, "" },
  };
  g_autoptr (SymQueryIndex) index = new_index ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = complete (index, cases[i].text, cases[i].cursor);

      g_assert_cmpstr (text, ==, cases[i].completions);
    }
}

static void
test_meanings (void)
{
  g_autoptr (SymQueryIndex) index = new_index ();
  g_autoptr (GPtrArray) types = sym_query_complete (index, "type:Con", 8, 9);
  g_autoptr (GPtrArray) fields = sym_query_complete (index, "unus", 4, 9);

  g_assert_cmpstr (((SymQueryCompletion *) types->pdata[0])->meaning, ==, "2 nodes");
  g_assert_cmpstr (((SymQueryCompletion *) types->pdata[1])->meaning, ==, "1 node");
  g_assert_cmpstr (((SymQueryCompletion *) fields->pdata[0])->meaning, ==,
                   "whether nothing uses it and it is no output");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/complete/completions", test_completions);
  g_test_add_func ("/query/complete/meanings", test_meanings);
  return g_test_run ();
}
