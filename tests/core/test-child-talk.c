/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../stand-in.h"
#include "core/sym-child-talk.h"
#include "worker/sym-frame-protocol.h"

/* Scripts speak: a frame is "smw1", its kind and its size, each number's lowest byte first. */
#define QUESTION 16
#define ANSWER 17
#define FRAME(kind, size) "printf 'smw1" kind "\\0\\0\\0" size "\\0\\0\\0\\0'\n"
#define FOUR FRAME ("\\021", "\\4\\0\\0\\0")
#define MANY (9 << 20)

#define PATIENCE (30 * G_USEC_PER_SEC)

static SymChild *
start (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymChild *child = sym_child_new (path, "the child", -1, &error);

  g_assert_no_error (error);
  return child;
}

/* Its answer to one question, of at most 100 bytes. */
static GBytes *
ask (const SymChildTalk *talk, GError **error)
{
  guint64 size;

  if (!sym_child_talk_send (talk, QUESTION, "he", 2, "ad", 2, error) ||
      !sym_child_talk_expect (talk, ANSWER, 100, &size, error))
    return NULL;
  return sym_child_talk_receive_bytes (talk, size, error);
}

/* What is no answer costs the child, and each question after it. */
static const struct {
  const char *script;
  int code;
  const char *message;
} broken[] = {
  { "exit 0\n", G_IO_ERROR_BROKEN_PIPE, "the child has died" },
  { "head -c 20 >/dev/null; kill -9 $$\n", G_IO_ERROR_BROKEN_PIPE, "the child has died" },
  { FOUR "printf 123\n", G_IO_ERROR_BROKEN_PIPE, "the child has died" },
  { "kill -STOP $$\n", G_IO_ERROR_TIMED_OUT, "the child was stopped" },
  { "printf 'nonsense nonsense'; exec sleep 100\n", G_IO_ERROR_INVALID_DATA,
    "the child does not speak its protocol" },
  { FRAME ("\\020", "\\4\\0\\0\\0") "exec sleep 100\n", G_IO_ERROR_INVALID_DATA,
    "the child does not speak its protocol" },
  { FRAME ("\\021", "\\145\\0\\0\\0") "exec sleep 100\n", G_IO_ERROR_INVALID_DATA,
    "the child does not speak its protocol" },
  { FRAME ("\\3", "\\1\\020\\0\\0") "exec sleep 100\n", G_IO_ERROR_INVALID_DATA,
    "the child does not speak its protocol" },
};

static void
test_broken_children (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autofree char *script = g_strconcat ("#!/bin/sh\n", broken[i].script, NULL);
      char *path = stand_in_new (script);
      g_autoptr (SymChild) child = start (path);
      const SymChildTalk talk = { child, NULL, 30, 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) again = NULL;

      g_assert_null (ask (&talk, &error));
      g_assert_error (error, G_IO_ERROR, broken[i].code);
      g_assert_cmpstr (error->message, ==, broken[i].message);
      g_assert_null (ask (&talk, &again));
      g_assert_error (again, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
      stand_in_free (path);
    }
}

/* Neither the end that was set for all of it nor the time of a piece is waited beyond. */
static void
test_silent_child (void)
{
  char *path = stand_in_new ("#!/bin/sh\n" FOUR "exec sleep 100\n");

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymChild) child = start (path);
      gint64 begun = g_get_monotonic_time ();
      const SymChildTalk talk = { .child = child,
                                  .silent_seconds = i == 0 ? 1 : 100,
                                  .deadline = i == 0 ? 0 : begun + G_USEC_PER_SEC / 2 };
      g_autoptr (GError) error = NULL;

      g_assert_null (ask (&talk, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
      g_assert_cmpstr (error->message, ==, "the child took too long");
      g_assert_cmpint (g_get_monotonic_time () - begun, <, PATIENCE);
    }
  stand_in_free (path);
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
  g_autoptr (SymChild) child = start (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const SymChildTalk talk = { child, cancellable, 100, 0 };
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);

  g_assert_null (ask (&talk, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  stand_in_free (path);
}

/* A failure is in the child's own words, of which valid text is made; it then waits for the next
 * question. */
static void
test_failure (void)
{
  char *path = stand_in_new ("#!/bin/sh\nhead -c 20 >/dev/null\n" FRAME (
      "\\3", "\\4\\0\\0\\0") "printf 'no \\377'\nhead -c 20 >/dev/null\n" FOUR "printf yes!\n"
                             "exec sleep 100\n");
  g_autoptr (SymChild) child = start (path);
  const SymChildTalk talk = { child, NULL, 30, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) answer = NULL;

  g_assert_null (ask (&talk, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "no \357\277\275");
  g_clear_error (&error);
  answer = ask (&talk, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (answer, NULL), g_bytes_get_size (answer), "yes!", 4);
  stand_in_free (path);
}

/* More than is moved at once, both ways: what was sent comes back without its frame. */
static void
test_many_bytes (void)
{
  char *path = stand_in_new ("#!/bin/sh\nfile=$(mktemp)\nhead -c 16 >/dev/null\n"
                             "head -c 9437184 >\"$file\"\n" FRAME (
                                 "\\021", "\\0\\0\\220\\0") "cat \"$file\"\nrm \"$file\"\n"
                                                            "exec sleep 100\n");
  g_autoptr (SymChild) child = start (path);
  const SymChildTalk talk = { child, NULL, 30, 0 };
  g_autofree guint8 *sent = g_malloc (MANY);
  g_autoptr (GBytes) answer = NULL;
  g_autoptr (GError) error = NULL;
  guint64 size;

  for (guint i = 0; i < MANY; i++)
    sent[i] = (guint8) (i * 2654435761u >> 24);
  g_assert_true (sym_child_talk_send (&talk, QUESTION, sent, 5, sent + 5, MANY - 5, &error));
  g_assert_true (sym_child_talk_expect (&talk, ANSWER, MANY, &size, &error));
  g_assert_cmpuint (size, ==, MANY);
  answer = sym_child_talk_receive_bytes (&talk, size, &error);
  g_assert_no_error (error);
  g_assert_cmpint (memcmp (g_bytes_get_data (answer, NULL), sent, MANY), ==, 0);
  stand_in_free (path);
}

static void
test_missing_program (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_child_new ("/nowhere/at-all", "the child", -1, &error));
  g_assert_nonnull (strstr (error->message, "/nowhere/at-all"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/child-talk/survives-any-child", test_broken_children);
  g_test_add_func ("/core/child-talk/waits-no-longer-than-it-should", test_silent_child);
  g_test_add_func ("/core/child-talk/cancels-at-once", test_cancelled);
  g_test_add_func ("/core/child-talk/tells-failures-and-asks-again", test_failure);
  g_test_add_func ("/core/child-talk/moves-many-bytes", test_many_bytes);
  g_test_add_func ("/core/child-talk/tells-a-missing-program", test_missing_program);
  return g_test_run ();
}
