/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "net.h"

/* What a run needs it has taken by the end of the first one.  The C library's functions are
 * replaced by ones that count; sanitizers have their own. */

/* Of this thread: others take what a thread begins with whenever they do begin. */
static _Thread_local guint n_allocations;

#ifndef HAS_SANITIZER

void *__libc_malloc (size_t n);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *memory, size_t n);

void *
malloc (size_t n)
{
  n_allocations++;
  return __libc_malloc (n);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t n)
{
  n_allocations++;
  return __libc_realloc (memory, n);
}

#endif

static void
assert_takes_nothing (const Net *net, guint n_threads)
{
  g_autoptr (SymPlan) plan = new_plan (net->model, n_threads);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) datum = new_input (net);
  guint before;

  execute (run, net->input, datum);
  execute (run, net->input, datum);
  before = n_allocations;
  for (guint i = 0; i < 5; i++)
    g_assert_true (sym_run_execute (run, NULL, NULL));
  g_assert_cmpuint (n_allocations, ==, before);
}

static void
counts_what_is_taken (void)
{
#ifdef HAS_SANITIZER
  g_test_skip ("a sanitizer has the functions");
#else
  const char *preloaded = g_getenv ("LD_PRELOAD");
  guint before = n_allocations;

  if (preloaded != NULL && strstr (preloaded, "vgpreload") != NULL)
    {
      g_test_skip ("valgrind has the functions");
      return;
    }
  g_free (g_malloc (100));
  g_assert_cmpuint (n_allocations, >, before);
#endif
}

static SymId
convolve (Net *net, SymId x, gint64 inner, gint64 outer, gint64 size, const char *attributes)
{
  SymId operands[] = { x, add_numbers (net, SYM_SHAPE (outer, inner, size, size), -1, 1),
                       add_numbers (net, SYM_SHAPE (outer), -1, 1) };

  return add (net, "Conv", attributes, operands, 3);
}

static void
a_second_run_takes_no_memory (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 24, 24));
  SymId x =
      add_unary (&net, "Relu", convolve (&net, net.input, 3, 32, 3, "{'pads': [1, 1, 1, 1]}"));
  SymId y = convolve (&net, x, 32, 32, 3, "{'pads': [1, 1, 1, 1]}");
  SymId gemm[3];

  x = add_unary (&net, "Sigmoid", add_binary (&net, "Add", x, y));
  x = convolve (&net, x, 32, 20, 1, "{}");
  x = add (&net, "MaxPool", "{'kernel_shape': [3, 3], 'strides': [2, 2]}", &x, 1);
  x = add (&net, "Flatten", "{}", (SymId[]){ add_unary (&net, "GlobalAveragePool", x) }, 1);
  gemm[0] = x;
  gemm[1] = add_numbers (&net, SYM_SHAPE (20, 10), -1, 1);
  gemm[2] = add_numbers (&net, SYM_SHAPE (10), -1, 1);
  finish (&net, add (&net, "Gemm", "{}", gemm, 3));
  assert_takes_nothing (&net, 1);
  assert_takes_nothing (&net, 3);
}

static void
neither_does_one_of_many_elementwise_calls (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (30, 70));
  SymId values[40];

  values[0] = net.input;
  for (guint i = 1; i < G_N_ELEMENTS (values); i++)
    values[i] = add_unary (&net, i % 2 == 0 ? "Tanh" : "Neg", values[i - 1]);
  for (guint i = 0; i + 1 < G_N_ELEMENTS (values); i++)
    values[i + 1] = add_binary (&net, "Add", values[i], values[i + 1]);
  finish (&net, values[G_N_ELEMENTS (values) - 1]);
  assert_takes_nothing (&net, 1);
}

static void
nor_one_that_is_not_compiled (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (4, 5));

  finish (&net, add_unary (&net, "Relu", add_unary (&net, "Tanh", net.input)));
  assert_takes_nothing (&net, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/allocations/counts-what-is-taken", counts_what_is_taken);
  g_test_add_func ("/run/allocations/a-second-run-takes-no-memory", a_second_run_takes_no_memory);
  g_test_add_func ("/run/allocations/neither-does-one-of-many-elementwise-calls",
                   neither_does_one_of_many_elementwise_calls);
  g_test_add_func ("/run/allocations/nor-one-that-is-not-compiled", nor_one_that_is_not_compiled);
  return g_test_run ();
}
