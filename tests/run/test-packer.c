/* SPDX-License-Identifier: MIT */
#include "net.h"

#include "run/sym-packer-private.h"

/* Packing in slices, and planning that is cancelled. */

#define N_SLICES 1000
#define ENOUGH (1 << 20) /* bytes that are worth several threads */

typedef struct {
  gint n_done[N_SLICES]; /* atomic */
  gint n_all;            /* the same */
  gint last;             /* the slice that cancels, counted as they are begun; 0 for none */
  gint n_then;           /* how many had been begun when it had done so */
  GCancellable *cancellable;
} Work;

static void
do_slice (gpointer data, guint slice)
{
  Work *self = data;

  g_atomic_int_inc (&self->n_done[slice]);
  if (g_atomic_int_add (&self->n_all, 1) + 1 != self->last)
    return;
  g_cancellable_cancel (self->cancellable);
  self->n_then = g_atomic_int_get (&self->n_all);
}

static void
does_every_slice_once (void)
{
  for (guint n_threads = 1; n_threads <= 3; n_threads++)
    {
      g_auto (SymPacker) packer = { .n_threads = n_threads };
      g_autofree Work *work = g_new0 (Work, 1);

      for (guint round = 1; round <= 3; round++)
        {
          sym_packer_run (&packer, do_slice, work, N_SLICES, ENOUGH);
          for (guint i = 0; i < N_SLICES; i++)
            g_assert_cmpint (work->n_done[i], ==, round);
        }
      sym_packer_run (&packer, do_slice, work, 0, 0);
    }
}

/* Each other thread may be about to begin one. */
static void
begins_no_slice_once_cancelled (void)
{
  for (guint n_threads = 1; n_threads <= 3; n_threads++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_auto (SymPacker) packer = { .n_threads = n_threads, .cancellable = cancellable };
      g_autofree Work *work = g_new0 (Work, 1);

      work->cancellable = cancellable;
      work->last = 7;
      g_assert_false (sym_packer_is_cancelled (&packer));
      sym_packer_run (&packer, do_slice, work, N_SLICES, ENOUGH);
      g_assert_true (sym_packer_is_cancelled (&packer));
      g_assert_cmpint (work->n_all, >=, 7);
      g_assert_cmpint (work->n_all, <=, work->n_then + (int) n_threads - 1);
    }
}

/* ---- Plans ---- */

/* Bytes that cancel when they are read for the @n_reads-th time. */
typedef struct {
  SymBlob blob;
  guint n_reads, n_left;
  GCancellable *cancellable;
} Trap;

static gboolean
read_trap (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  Trap *self = (Trap *) blob;

  (void) offset;
  (void) error;
  memset (buffer, 0, size);
  self->n_reads++;
  if (--self->n_left == 0)
    g_cancellable_cancel (self->cancellable);
  return TRUE;
}

static void
free_trap (SymBlob *blob)
{
  g_free (blob);
}

static const SymBlobClass trap_class = { .read = read_trap, .free = free_trap };

#define ROWS 2048
#define COLUMNS 3072 /* of floats: 24 MB, which are read in pieces of 8 */

/* A product whose weights are a trap, borrowed from the model. */
static Trap *
build (Net *net, guint n_left, GCancellable *cancellable)
{
  SymShape shape = SYM_SHAPE (ROWS, COLUMNS);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId w = sym_model_builder_add_value (net->builder, "w", SYM_ROLE_PARAMETER, &type);
  Trap *trap = g_new0 (Trap, 1);
  g_autoptr (SymBlob) blob = &trap->blob;

  trap->blob.klass = &trap_class;
  g_atomic_ref_count_init (&trap->blob.ref_count);
  trap->blob.size = ROWS * COLUMNS * sizeof (float);
  trap->n_left = n_left;
  trap->cancellable = cancellable;
  sym_model_builder_set_tensor (net->builder, w,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL));
  finish (net, add_binary (net, "MatMul", net->input, w));
  return trap;
}

/* Cancelled before, while the first or second piece is read, and when all is read and only packing
 * is left; or not at all. */
static void
planning_ends_when_it_is_cancelled (void)
{
  for (guint n_left = 0; n_left <= 4; n_left++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (4, ROWS));
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Trap *trap = build (&net, n_left, cancellable);
      g_autoptr (SymInference) inference = sym_infer (net.model, NULL, 0, NULL, NULL);
      SymPlanOptions options = { .inference = inference, .n_threads = 2 };
      g_autoptr (GError) error = NULL;
      g_autoptr (SymPlan) plan = NULL;

      trap->n_reads = 0;
      trap->n_left = n_left;
      if (n_left == 0)
        g_cancellable_cancel (cancellable);
      plan = sym_plan_new (net.model, &options, cancellable, &error);
      g_assert_cmpuint (trap->n_reads, ==, MIN (n_left, 3));
      g_assert_true ((plan == NULL) == (n_left < 4));
      if (n_left < 4)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else
        g_assert_true (sym_plan_is_compiled (plan, 0));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run/packer/does-every-slice-once", does_every_slice_once);
  g_test_add_func ("/run/packer/begins-no-slice-once-cancelled", begins_no_slice_once_cancelled);
  g_test_add_func ("/run/packer/planning-ends-when-it-is-cancelled",
                   planning_ends_when_it_is_cancelled);

  return g_test_run ();
}
