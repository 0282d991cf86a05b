/* SPDX-License-Identifier: MIT */
#include "query-graphs.h"
#include "query/sym-trace.h"

/* The call or input of that name. */
static SymEntry
find_entry (SymModel *model, const char *name)
{
  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);
      const char *other = entry.is_call ? sym_model_get_call_name (model, entry.id)
                                        : sym_model_get_value_name (model, entry.id);

      if (g_strcmp0 (other, name) == 0)
        return entry;
    }
  g_error ("the graph of a test has no %s", name);
}

static char *
print_calls (const SymTrace *trace)
{
  SymModel *model = trace ? sym_trace_get_model (trace) : NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; trace && i < sym_trace_get_calls (trace).n; i++)
    g_string_append (text, sym_model_get_call_name (model, sym_trace_get_calls (trace).ids[i]));
  return g_string_free (text, FALSE);
}

static const char diamond[] =
    "a=Conv x; b=Relu a; c=Tanh a; d=Add b c; e=Relu d; f=Relu y; g=Add e f; h=Add a g";

typedef struct {
  const char *node;
  const char *ancestors, *descendants, *both;
} TraceCase;

static const TraceCase traces[] = {
  { "a", "a", "abcdegh", "abcdegh" },
  { "b", "ab", "bdegh", "abdegh" },
  { "d", "abcd", "degh", "abcdegh" },
  { "f", "f", "fgh", "fgh" },
  { "h", "abcdefgh", "h", "abcdefgh" },
  { "x", "", "abcdegh", "abcdegh" },
  { "y", "", "fgh", "fgh" },
  { "z", "", "", "" },
};

static void
test_traces (void)
{
  g_autoptr (SymModel) model = new_graph (diamond);

  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    for (SymTraceDirection k = SYM_TRACE_ANCESTORS; k <= SYM_TRACE_BOTH; k++)
      {
        SymEntry entry = find_entry (model, traces[i].node);
        g_autoptr (SymTrace) trace = sym_trace_new (model, entry, k);
        g_autofree char *text = print_calls (trace);

        g_assert_cmpstr (text, ==,
                         k == SYM_TRACE_ANCESTORS     ? traces[i].ancestors
                         : k == SYM_TRACE_DESCENDANTS ? traces[i].descendants
                                                      : traces[i].both);
        g_assert_true (entry.is_call ? sym_trace_has_call (trace, entry.id)
                                     : sym_trace_has_value (trace, entry.id));
      }
}

typedef struct {
  const char *from, *to;
  const char *path, *between;
} PathCase;

static const PathCase paths[] = {
  { "a", "d", "abd", "abcd" },   { "d", "a", "abd", "abcd" },   { "b", "c", "", "" },
  { "a", "h", "ah", "abcdegh" }, { "x", "e", "abde", "abcde" }, { "y", "h", "fgh", "fgh" },
  { "a", "a", "a", "a" },        { "x", "f", "", "" },
};

static void
test_paths (void)
{
  g_autoptr (SymModel) model = new_graph (diamond);

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      SymEntry from = find_entry (model, paths[i].from);
      SymEntry to = find_entry (model, paths[i].to);
      g_autoptr (SymTrace) path = sym_trace_new_path (model, from, to);
      g_autoptr (SymTrace) between = sym_trace_new_between (model, from, to);
      g_autofree char *path_text = print_calls (path);
      g_autofree char *between_text = print_calls (between);

      g_assert_cmpstr (path_text, ==, paths[i].path);
      g_assert_cmpstr (between_text, ==, paths[i].between);
      g_assert_true ((path == NULL) == (paths[i].path[0] == '\0'));
      g_assert_true ((between == NULL) == (path == NULL));
    }
}

/* From a value a trace goes on through that value only. */
static void
test_values (void)
{
  g_autoptr (SymModel) model = new_graph ("a=Conv x; b=Relu a; c=Tanh b");
  SymId call = find_entry (model, "b").id;
  SymId value = sym_model_get_results (model, call).ids[0];
  g_autoptr (SymTrace) down = sym_trace_new (model, SYM_TRACE_VALUE (value), SYM_TRACE_DESCENDANTS);
  g_autoptr (SymTrace) up = sym_trace_new (model, SYM_TRACE_VALUE (value), SYM_TRACE_ANCESTORS);

  g_assert_false (sym_trace_has_call (down, call));
  g_assert_cmpuint (sym_trace_get_n_values (down), ==, 2);
  g_assert_true (sym_trace_has_call (up, call));
  g_assert_cmpuint (sym_trace_get_n_values (up), ==, 3);
  g_assert_true (sym_trace_has_value (up, find_entry (model, "x").id));
}

/* Two calls that use each other's results, and one that only has to run after them. */
static void
test_cycles_and_controls (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymId none = SYM_NO_ID;
  SymId a = sym_model_builder_add_call (builder, "a", layer, &none, 1, 1);
  SymId of_a = sym_model_builder_get_result (builder, a, 0);
  SymId b = sym_model_builder_add_call (builder, "b", layer, &of_a, 1, 1);
  SymId c = sym_model_builder_add_call (builder, "c", layer, NULL, 0, 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymTrace) down = NULL;
  g_autoptr (SymTrace) up = NULL;
  g_autoptr (SymTrace) between = NULL;

  sym_model_builder_set_operand (builder, a, 0, sym_model_builder_get_result (builder, b, 0));
  sym_model_builder_add_control (builder, c, b);
  model = sym_model_builder_end (builder);
  g_assert_true (sym_model_has_cycle (model));
  down = sym_trace_new (model, SYM_TRACE_CALL (b), SYM_TRACE_DESCENDANTS);
  up = sym_trace_new (model, SYM_TRACE_CALL (c), SYM_TRACE_ANCESTORS);
  between = sym_trace_new_between (model, SYM_TRACE_CALL (a), SYM_TRACE_CALL (c));
  g_assert_cmpuint (sym_trace_get_calls (down).n, ==, 3);
  g_assert_cmpuint (sym_trace_get_calls (up).n, ==, 3);
  g_assert_cmpuint (sym_trace_get_calls (between).n, ==, 3);
}

static void
test_long_chain (void)
{
  enum { N = 100000 };
  g_autofree const char **names = g_new0 (const char *, N + 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymTrace) all = NULL;
  g_autoptr (SymTrace) path = NULL;
  SymIds order;

  for (guint i = 0; i < N; i++)
    names[i] = "thing";
  model = new_chain (names);
  order = sym_model_get_execution_order (model);
  all = sym_trace_new (model, SYM_TRACE_CALL (order.ids[N / 2]), SYM_TRACE_BOTH);
  path =
      sym_trace_new_path (model, SYM_TRACE_CALL (order.ids[N - 1]), SYM_TRACE_CALL (order.ids[0]));
  g_assert_cmpuint (sym_trace_get_calls (all).n, ==, N);
  g_assert_cmpuint (sym_trace_get_calls (path).n, ==, N);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/query/trace/ancestors-and-descendants", test_traces);
  g_test_add_func ("/query/trace/a-path-and-all-paths", test_paths);
  g_test_add_func ("/query/trace/from-a-value", test_values);
  g_test_add_func ("/query/trace/walks-cycles-once-and-follows-controls", test_cycles_and_controls);
  g_test_add_func ("/query/trace/chain-of-100000", test_long_chain);
  return g_test_run ();
}
