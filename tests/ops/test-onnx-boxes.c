/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-kernel.h"
#include "ops/sym-op.h"

/* NonMaxSuppression of so many boxes that several of those that were chosen are compared at once,
 * beside a comparison of each with each. */

#define MOST_BOXES 300

typedef struct {
  int n_boxes, n_classes;
  float width, threshold; /* of boxes in a square of 1; of what they share */
} Case;

/* [x, y, x, y]; some boxes are empty, and some the same as others. */
static void
fill (const Case *self, GRand *random, float *boxes, float *scores)
{
  for (int i = 0; i < self->n_boxes; i++)
    {
      int other = g_rand_int_range (random, 0, i + 1);

      if (i % 9 == 8)
        memcpy (boxes + i * 4, boxes + other * 4, 4 * sizeof *boxes);
      else
        for (int k = 0; k < 2; k++)
          {
            boxes[i * 4 + k] = (float) g_rand_double (random);
            boxes[i * 4 + 2 + k] =
                boxes[i * 4 + k] + (i % 17 == 0 ? 0 : self->width * (float) g_rand_double (random));
          }
    }
  for (int i = 0; i < self->n_boxes * self->n_classes; i++)
    scores[i] = (float) g_rand_int_range (random, 0, 200) / 200;
}

static float
get_area (const float *box)
{
  return (box[2] - box[0]) * (box[3] - box[1]);
}

static gboolean
overlap (const float *a, const float *b, float threshold)
{
  float width = MIN (a[2], b[2]) - MAX (a[0], b[0]), height = MIN (a[3], b[3]) - MAX (a[1], b[1]);
  volatile float shared = width * height;

  return width > 0 && height > 0 && get_area (a) > 0 && get_area (b) > 0 &&
         shared / (get_area (a) + get_area (b) - shared) > threshold;
}

/* The boxes of one class, the best first; of equal ones the first. */
static guint
choose (const Case *self, const float *boxes, const float *scores, int *chosen)
{
  gboolean used[MOST_BOXES] = { FALSE };
  guint n = 0;

  for (int round = 0; round < self->n_boxes; round++)
    {
      gboolean is_free = TRUE;
      int best = -1;

      for (int i = 0; i < self->n_boxes; i++)
        if (!used[i] && (best < 0 || scores[i] > scores[best]))
          best = i;
      used[best] = TRUE;
      for (guint k = 0; k < n; k++)
        is_free = is_free && !overlap (boxes + best * 4, boxes + chosen[k] * 4, self->threshold);
      if (is_free)
        chosen[n++] = best;
    }
  return n;
}

static void
assert_chosen (const Case *self, const float *boxes, const float *scores, const SymArray *y)
{
  const gint64 *row = y->data;
  int chosen[MOST_BOXES];
  gint64 n_all = 0;

  for (int class = 0; class < self->n_classes; class ++)
    {
      guint n = choose (self, boxes, scores + class * self->n_boxes, chosen);

      n_all += n;
      g_assert_cmpint (n_all, <=, y->shape.dims[0]);
      for (guint i = 0; i < n; i++, row += 3)
        g_assert_true (row[0] == 0 && row[1] == class && row[2] == chosen[i]);
    }
  g_assert_cmpint (n_all, ==, y->shape.dims[0]);
}

static void
chooses_of_many (void)
{
  static const Case cases[] = {
    { MOST_BOXES, 2, 0.05f, 0.3f }, { MOST_BOXES, 1, 0.3f, 0.5f }, { MOST_BOXES, 1, 0.5f, 0 },
    { 33, 3, 0.2f, 0.2f },          { 16, 1, 0.01f, 0.5f },        { 1, 1, 0.5f, 0.5f },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *self = &cases[i];
      g_autoptr (SymDatum) boxes =
          sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (1, self->n_boxes, 4), NULL);
      g_autoptr (SymDatum) scores =
          sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (1, self->n_classes, self->n_boxes), NULL);
      g_autoptr (SymDatum) most = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (1), NULL);
      g_autoptr (SymDatum) threshold = sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (1), NULL);
      g_autoptr (SymLayer) layer =
          sym_layer_new ("NonMaxSuppression", sym_op_find ("", "NonMaxSuppression", 11), NULL);
      g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
      g_autoptr (SymDatum) y = NULL;
      g_autoptr (GError) error = NULL;

      fill (self, random, sym_datum_get_array (boxes)->data, sym_datum_get_array (scores)->data);
      *(gint64 *) sym_datum_get_array (most)->data = self->n_boxes;
      *(float *) sym_datum_get_array (threshold)->data = self->threshold;
      sym_kernel_run (kernel, (SymDatum *[]){ boxes, scores, most, threshold }, 4, &y, 1, NULL,
                      &error);
      g_assert_no_error (error);
      assert_chosen (self, sym_datum_get_array (boxes)->data, sym_datum_get_array (scores)->data,
                     sym_datum_get_array (y));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/onnx-boxes/chooses-of-many", chooses_of_many);
  return g_test_run ();
}
