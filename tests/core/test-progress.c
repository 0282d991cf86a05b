/* SPDX-License-Identifier: MIT */
#include "core/sym-progress.h"

static void
assert_is (GCancellable *cancellable, SymStage stage, double fraction, gboolean is_known)
{
  SymProgress progress;

  g_assert_true (sym_progress_get (cancellable, &progress));
  g_assert_cmpint (progress.stage, ==, stage);
  g_assert_cmpfloat_with_epsilon (progress.fraction, fraction, 1e-6);
  g_assert_cmpint (progress.is_known, ==, is_known);
}

static void
test_begins_with_nothing (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  sym_progress_watch (cancellable);
  assert_is (cancellable, SYM_STAGE_NONE, 0, TRUE);
}

static void
test_needs_no_record (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  SymProgress progress = { SYM_STAGE_READ, 0.5, TRUE };
  SymProgressPart whole;

  whole = sym_progress_enter (cancellable, 0.2, 0.4);
  sym_progress_begin (cancellable, SYM_STAGE_INFER);
  sym_progress_tell (cancellable, 1, 2);
  sym_progress_tell_unknown (NULL);
  sym_progress_leave (cancellable, whole);
  g_assert_false (sym_progress_get (cancellable, &progress));
  g_assert_false (sym_progress_get (NULL, &progress));
  g_assert_cmpfloat (progress.fraction, ==, 0.5);
}

static void
test_divides_itself_among_parts (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  SymProgressPart whole;
  SymProgressPart part;

  sym_progress_watch (cancellable);
  sym_progress_begin (cancellable, SYM_STAGE_READ);
  whole = sym_progress_enter (cancellable, 0.2, 0.6);
  assert_is (cancellable, SYM_STAGE_READ, 0.2, TRUE);
  sym_progress_tell (cancellable, 1, 4);
  assert_is (cancellable, SYM_STAGE_READ, 0.3, TRUE);
  part = sym_progress_enter (cancellable, 0.5, 1);
  sym_progress_tell (cancellable, 1, 2);
  assert_is (cancellable, SYM_STAGE_READ, 0.5, TRUE);
  sym_progress_leave (cancellable, part);
  sym_progress_leave (cancellable, whole);
  assert_is (cancellable, SYM_STAGE_READ, 0.6, TRUE);
  sym_progress_begin (cancellable, SYM_STAGE_LAYOUT);
  sym_progress_tell (cancellable, 3, 4);
  assert_is (cancellable, SYM_STAGE_LAYOUT, 0.75, TRUE);
}

static void
test_takes_nothing_for_done (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  sym_progress_watch (cancellable);
  sym_progress_tell (cancellable, 0, 0);
  assert_is (cancellable, SYM_STAGE_NONE, 1, TRUE);
}

static void
test_says_when_it_does_not_know (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  sym_progress_watch (cancellable);
  sym_progress_tell (cancellable, 1, 1);
  sym_progress_tell_unknown (cancellable);
  sym_progress_tell_unknown (cancellable);
  assert_is (cancellable, SYM_STAGE_NONE, 1, FALSE);
  sym_progress_tell (cancellable, 3, 4);
  assert_is (cancellable, SYM_STAGE_NONE, 0.75, TRUE);
}

static void
test_steps_tell_and_stop (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  sym_progress_watch (cancellable);
  g_assert_false (sym_progress_step (cancellable, 2048, 4096));
  assert_is (cancellable, SYM_STAGE_NONE, 0.5, TRUE);
  g_assert_false (sym_progress_step (cancellable, 3000, 4096));
  assert_is (cancellable, SYM_STAGE_NONE, 0.5, TRUE);
  g_cancellable_cancel (cancellable);
  g_assert_true (sym_progress_step (cancellable, 3072, 4096));
  g_assert_false (sym_progress_step (cancellable, 3073, 4096));
  g_assert_false (sym_progress_step (NULL, 1024, 4096));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/progress/begins-with-nothing", test_begins_with_nothing);
  g_test_add_func ("/core/progress/needs-no-record", test_needs_no_record);
  g_test_add_func ("/core/progress/divides-itself-among-parts", test_divides_itself_among_parts);
  g_test_add_func ("/core/progress/takes-nothing-for-done", test_takes_nothing_for_done);
  g_test_add_func ("/core/progress/says-when-it-does-not-know", test_says_when_it_does_not_know);
  g_test_add_func ("/core/progress/steps-tell-and-stop", test_steps_tell_and_stop);
  return g_test_run ();
}
