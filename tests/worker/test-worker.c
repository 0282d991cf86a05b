/* SPDX-License-Identifier: MIT */
#include "../stand-in.h"
#include "layout/sym-layout-worker.h"
#include "worker/sym-worker-protocol.h"

#include <math.h>
#include <string.h>

#define TIMEOUT_MS 30000

/* The worker's path, the first argument. */
static const char *program;

static GBytes *
make_request (const SymWorkerRequest *head, const SymWorkerEdge *edges, const guint32 *rows)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) head, sizeof *head);
  for (guint32 i = 0; i < head->n_nodes; i++)
    {
      SymWorkerNode node = { 80, 40 };

      g_byte_array_append (bytes, (const guint8 *) &node, sizeof node);
    }
  g_byte_array_append (bytes, (const guint8 *) edges, head->n_edges * (guint) sizeof *edges);
  g_byte_array_append (bytes, (const guint8 *) rows, head->n_row_words * (guint) sizeof *rows);
  return g_byte_array_free_to_bytes (bytes);
}

static const SymWorkerEdge diamond[] = { { 0, 1, 1, 0 },
                                         { 0, 2, 1, 0 },
                                         { 1, 3, 1, 0 },
                                         { 2, 3, 1, 0 } };

static GBytes *
make_diamond (gboolean wants_splines)
{
  SymWorkerRequest head = { .n_nodes = 4,
                            .n_edges = 4,
                            .wants_splines = (guint32) wants_splines,
                            .node_gap = 20,
                            .rank_gap = 30,
                            .effort = 10 };

  return make_request (&head, diamond, NULL);
}

static const SymWorkerPoint *
get_points (GBytes *answer, SymWorkerPlaces *head)
{
  const char *data = g_bytes_get_data (answer, NULL);

  g_assert_cmpuint (g_bytes_get_size (answer), >=, sizeof *head);
  memcpy (head, data, sizeof *head);
  g_assert_cmpuint (g_bytes_get_size (answer), >=,
                    sizeof *head + head->n_nodes * sizeof (SymWorkerPoint));
  return (const void *) (data + sizeof *head);
}

static SymLayoutWorker *
start (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymLayoutWorker *worker = sym_layout_worker_new (path, &error);

  g_assert_no_error (error);
  return worker;
}

static GBytes *
ask (SymLayoutWorker *worker, GBytes *take_request)
{
  g_autoptr (GBytes) request = take_request;
  g_autoptr (GError) error = NULL;
  GBytes *answer = sym_layout_worker_ask (worker, request, TIMEOUT_MS, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static void
test_diamond (void)
{
  g_autoptr (SymLayoutWorker) worker = start (NULL);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GBytes) answer = ask (worker, make_diamond (FALSE));
      SymWorkerPlaces head;
      const SymWorkerPoint *points = get_points (answer, &head);

      g_assert_cmpuint (head.n_nodes, ==, 4);
      g_assert_cmpuint (head.n_edges, ==, 0);
      g_assert_cmpfloat (points[0].y + 70, ==, points[1].y);
      g_assert_cmpfloat (points[1].y, ==, points[2].y);
      g_assert_cmpfloat (fabs (points[1].x - points[2].x), >=, 99);
      g_assert_cmpfloat (points[3].y, <, head.height);
    }
}

static void
test_splines (void)
{
  g_autoptr (SymLayoutWorker) worker = start (NULL);
  g_autoptr (GBytes) answer = ask (worker, make_diamond (TRUE));
  SymWorkerPlaces head;
  const SymWorkerPoint *points = get_points (answer, &head);
  const char *p = (const char *) (points + head.n_nodes);
  const char *end = (const char *) g_bytes_get_data (answer, NULL) + g_bytes_get_size (answer);

  g_assert_cmpuint (head.n_edges, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      SymWorkerPoint first;
      SymWorkerPoint last;
      guint64 n;

      memcpy (&n, p, sizeof n);
      p += sizeof n;
      g_assert_cmpuint (n % 3, ==, 1);
      memcpy (&first, p, sizeof first);
      p += n * sizeof first;
      memcpy (&last, p - sizeof last, sizeof last);
      g_assert_cmpfloat (fabs (first.y - (points[diamond[i].from].y + 20)), <, 2);
      g_assert_cmpfloat (fabs (last.y - (points[diamond[i].to].y - 20)), <, 2);
    }
  g_assert_true (p == end);
}

static void
test_rows (void)
{
  const guint32 rows[] = { 3, 2, 0, 1 };
  SymWorkerRequest head = { .n_nodes = 3, .n_row_words = 4, .node_gap = 20, .rank_gap = 20 };
  g_autoptr (SymLayoutWorker) worker = start (NULL);
  g_autoptr (GBytes) answer = ask (worker, make_request (&head, NULL, rows));
  SymWorkerPlaces places;
  const SymWorkerPoint *points = get_points (answer, &places);

  g_assert_cmpfloat (points[2].x, <, points[0].x);
  g_assert_cmpfloat (points[0].x, <, points[1].x);
  g_assert_cmpfloat (points[0].y, ==, points[1].y);
}

static void
test_empty (void)
{
  SymWorkerRequest head = { 0 };
  g_autoptr (SymLayoutWorker) worker = start (NULL);
  g_autoptr (GBytes) answer = ask (worker, make_request (&head, NULL, NULL));
  SymWorkerPlaces places;

  get_points (answer, &places);
  g_assert_cmpuint (places.n_nodes, ==, 0);
}

static GBytes *
make_wrong (guint i)
{
  SymWorkerRequest head = { .n_nodes = 2, .n_edges = 1, .node_gap = 20, .rank_gap = 20 };
  SymWorkerEdge edge = { 0, 1, 1, 0 };
  guint32 rows[] = { 2, 0, 0 };

  if (i == 0)
    edge.to = 2;
  else if (i == 1)
    edge.weight = 0;
  else if (i == 2)
    head.node_gap = (double) NAN;
  else if (i == 3)
    head.n_row_words = 3;
  else if (i == 4)
    return g_bytes_new_static ("short", 5);
  else if (i == 5)
    {
      head.n_row_words = 1;
      rows[0] = G_MAXUINT32;
    }
  return make_request (&head, &edge, rows);
}

static void
test_wrong_requests (void)
{
  g_autoptr (SymLayoutWorker) worker = start (NULL);
  g_autoptr (GBytes) answer = NULL;

  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GBytes) request = make_wrong (i);
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_layout_worker_ask (worker, request, TIMEOUT_MS, NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
    }
  answer = ask (worker, make_diamond (FALSE));
  g_assert_nonnull (answer);
}

static void
test_lies_about_counts (void)
{
  SymWorkerRequest head = { .n_nodes = G_MAXUINT32, .n_edges = G_MAXUINT32 };
  g_autoptr (GBytes) request = g_bytes_new (&head, sizeof head);
  g_autoptr (SymLayoutWorker) worker = start (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_layout_worker_ask (worker, request, TIMEOUT_MS, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
}

static void
test_broken_workers (void)
{
  const struct {
    const char *text;
    int code;
  } cases[] = {
    { "#!/bin/sh\nexit 0\n", G_IO_ERROR_BROKEN_PIPE },
    { "#!/bin/sh\nhead -c 20 >/dev/null; kill -9 $$\n", G_IO_ERROR_BROKEN_PIPE },
    { "#!/bin/sh\nexec cat\n", G_IO_ERROR_INVALID_DATA },
    { "#!/bin/sh\nprintf 'nonsense nonsense'; exec cat >/dev/null\n", G_IO_ERROR_INVALID_DATA },
    { "#!/bin/sh\nexec sleep 100\n", G_IO_ERROR_TIMED_OUT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *path = stand_in_new (cases[i].text);
      g_autoptr (SymLayoutWorker) worker = start (path);
      g_autoptr (GBytes) request = make_diamond (FALSE);
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) again = NULL;

      guint patience_ms = cases[i].code == G_IO_ERROR_TIMED_OUT ? 200 : TIMEOUT_MS;

      g_assert_null (sym_layout_worker_ask (worker, request, patience_ms, NULL, &error));
      g_assert_error (error, G_IO_ERROR, cases[i].code);
      g_assert_null (sym_layout_worker_ask (worker, request, patience_ms, NULL, &again));
      g_assert_error (again, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
      stand_in_free (path);
    }
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (50000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancelled (void)
{
  char *path = stand_in_new ("#!/bin/sh\nexec sleep 100\n");
  g_autoptr (SymLayoutWorker) worker = start (path);
  g_autoptr (GBytes) request = make_diamond (FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);

  g_assert_null (sym_layout_worker_ask (worker, request, TIMEOUT_MS, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  stand_in_free (path);
}

static void
test_missing (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_layout_worker_new ("/nowhere/at-all", &error));
  g_assert_nonnull (error);
}

/* Runs the program itself on bytes; returns its exit status. */
static int
run_raw (const void *input, gsize size, GBytes **out, GBytes **err)
{
  g_autoptr (GBytes) bytes = g_bytes_new (input, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                            G_SUBPROCESS_FLAGS_STDERR_PIPE,
                        &error, program, NULL);

  g_assert_no_error (error);
  g_subprocess_communicate (process, bytes, NULL, out, err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  return g_subprocess_get_exit_status (process);
}

static void
test_raw_bytes (void)
{
  SymWorkerFrame huge = { SYM_WORKER_MAGIC, SYM_WORKER_LAYOUT, G_MAXUINT64 };
  SymWorkerFrame cut = { SYM_WORKER_MAGIC, SYM_WORKER_LAYOUT, 1000 };
  const struct {
    const void *input;
    gsize size;
    int status;
  } cases[] = {
    { "", 0, 0 },
    { "x", 1, 1 },
    { "no frame at all, but long enough for one", 40, 1 },
    { &huge, sizeof huge, 1 },
    { &cut, sizeof cut, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) out = NULL;
      g_autoptr (GBytes) err = NULL;

      g_assert_cmpint (run_raw (cases[i].input, cases[i].size, &out, &err), ==, cases[i].status);
      g_assert_cmpuint (g_bytes_get_size (err), ==, 0);
    }
}

static void
test_silence (void)
{
  g_autoptr (GBytes) request = make_diamond (TRUE);
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, SYM_WORKER_LAYOUT, g_bytes_get_size (request) };
  g_autoptr (GByteArray) input = g_byte_array_new ();
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_byte_array_append (input, (const guint8 *) &frame, sizeof frame);
      g_byte_array_append (input, g_bytes_get_data (request, NULL), (guint) frame.size);
    }
  g_assert_cmpint (run_raw (input->data, input->len, &out, &err), ==, 0);
  g_assert_cmpuint (g_bytes_get_size (err), ==, 0);
  g_assert_cmpuint (g_bytes_get_size (out) % 2, ==, 0);
  g_assert_cmpmem (g_bytes_get_data (out, NULL), g_bytes_get_size (out) / 2,
                   (const char *) g_bytes_get_data (out, NULL) + g_bytes_get_size (out) / 2,
                   g_bytes_get_size (out) / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  program = argv[1];
  g_test_add_func ("/worker/lays-out-a-diamond-again-and-again", test_diamond);
  g_test_add_func ("/worker/gives-splines-when-asked", test_splines);
  g_test_add_func ("/worker/keeps-rows-in-their-order", test_rows);
  g_test_add_func ("/worker/lays-out-nothing", test_empty);
  g_test_add_func ("/worker/refuses-wrong-requests-and-lives-on", test_wrong_requests);
  g_test_add_func ("/worker/does-not-trust-counts", test_lies_about_counts);
  g_test_add_func ("/worker/exits-at-the-end-and-on-garbage", test_raw_bytes);
  g_test_add_func ("/worker/says-nothing-when-all-is-well", test_silence);
  g_test_add_func ("/worker/client/survives-any-worker", test_broken_workers);
  g_test_add_func ("/worker/client/cancels-at-once", test_cancelled);
  g_test_add_func ("/worker/client/tells-a-missing-program", test_missing);
  return g_test_run ();
}
