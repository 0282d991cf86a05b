/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"
#include "layout-families.h"

/* Texts on lines. */

static SymPicture *
draw (const char *family, guint n, SymDirection direction, gboolean rotated)
{
  SymSceneOptions options = { .drawing = SYM_DRAWING_LAYERS,
                              .rotated_labels = rotated,
                              .sideways = direction == SYM_DIRECTION_RIGHT };
  SymLayoutOptions layout_options = { direction };
  g_autoptr (SymModel) model = layout_family_make (layout_family_find (family), n);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymScene) scene = sym_scene_new (inference, &options);
  g_autoptr (SymLayout) layout = sym_layout_new (scene, &layout_options, NULL, NULL);

  return sym_picture_new (layout, NULL);
}

/* Every value that a line with a label carries has one. */
static void
check_complete (const SymPicture *picture)
{
  g_autoptr (GHashTable) labelled = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < picture->labels->len; i++)
    {
      guint edge = g_array_index (picture->labels, SymEdgeLabel, i).edge;

      g_hash_table_add (labelled,
                        GUINT_TO_POINTER (sym_scene_get_edge (picture->scene, edge)->value));
    }
  for (guint i = 0; i < sym_scene_get_n_edges (picture->scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (picture->scene, i);

      if (edge->label)
        g_assert_true (g_hash_table_contains (labelled, GUINT_TO_POINTER (edge->value)));
    }
}

/* No label lies on an item or on another. */
static void
check_clear (const SymPicture *picture)
{
  for (guint i = 0; i < picture->labels->len; i++)
    {
      SymRect rect = sym_edge_label_get_rect (&g_array_index (picture->labels, SymEdgeLabel, i));
      g_autoptr (GArray) items = sym_draw_grid_query (picture->items, &rect);

      for (guint k = 0; k < items->len; k++)
        {
          SymRect item = sym_picture_get_item_rect (picture, g_array_index (items, guint, k));

          g_assert_false (sym_draw_rect_meets (&item, &rect));
        }
      for (guint k = 0; k < i; k++)
        {
          SymRect other =
              sym_edge_label_get_rect (&g_array_index (picture->labels, SymEdgeLabel, k));

          g_assert_false (sym_draw_rect_meets (&other, &rect));
        }
    }
}

/* How far the middle of the label is from where its line begins: along the flow, and across. */
static SymPoint
get_distance (const SymPicture *picture, const SymEdgeLabel *label)
{
  gboolean down = sym_layout_get_direction (picture->layout) == SYM_DIRECTION_DOWN;
  guint n;
  SymPoint start = sym_layout_get_course (picture->layout, label->edge, &n)[0];

  return down ? (SymPoint){ label->center.x - start.x, label->center.y - start.y }
              : (SymPoint){ label->center.y - start.y, label->center.x - start.x };
}

/* Lines that branch, and of drawings that flow right all, have their labels where they begin. */
static void
test_starts (void)
{
  static const char *const families[] = { "resnet", "densenet", "inception" };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (SymDirection direction = SYM_DIRECTION_DOWN; direction <= SYM_DIRECTION_RIGHT; direction++)
      {
        g_autoptr (SymPicture) picture = draw (families[i], 200, direction, FALSE);

        for (guint k = 0; k < picture->labels->len; k++)
          {
            const SymEdgeLabel *label = &g_array_index (picture->labels, SymEdgeLabel, k);
            SymPoint distance = get_distance (picture, label);
            double length = direction == SYM_DIRECTION_DOWN ? label->height : label->width;

            g_assert_cmpfloat (ABS (distance.x), <, 0.01);
            g_assert_cmpfloat (distance.y, <, length / 2 + 20);
          }
      }
}

static void
test_places (gconstpointer data)
{
  SymDirection direction = (SymDirection) GPOINTER_TO_INT (data);
  static const char *const families[] = { "densenet", "bertmask", "sdunet", "rnn", "nas" };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autoptr (SymPicture) picture = draw (families[i], 300, direction, FALSE);

      g_assert_cmpuint (picture->labels->len, >, 0);
      check_complete (picture);
      check_clear (picture);
    }
}

/* Labels that follow their lines cover nothing, either. */
static void
test_rotated (void)
{
  g_autoptr (SymPicture) picture = draw ("rnn", 300, SYM_DIRECTION_DOWN, TRUE);

  g_assert_cmpuint (picture->labels->len, >, 0);
  check_complete (picture);
  check_clear (picture);
}

/* A line to thirty users has one label, not thirty. */
static void
test_bus (void)
{
  g_autoptr (SymPicture) picture = draw ("bertmask", 1000, SYM_DIRECTION_DOWN, FALSE);
  guint n[2] = { 0 };
  SymId hub = SYM_NO_ID;

  for (guint i = 0; i < sym_scene_get_n_edges (picture->scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (picture->scene, i);

      /* The last of the four layers that prepare the mask. */
      if (g_str_equal (sym_scene_get_item (picture->scene, edge->from)->name, "Mul3"))
        hub = edge->value;
      n[0] += hub != SYM_NO_ID && edge->value == hub;
    }
  for (guint i = 0; i < picture->labels->len; i++)
    {
      guint edge = g_array_index (picture->labels, SymEdgeLabel, i).edge;

      n[1] += sym_scene_get_edge (picture->scene, edge)->value == hub;
    }
  g_assert_cmpuint (n[0], >=, 30);
  g_assert_cmpuint (n[1], >=, 1);
  g_assert_cmpuint (n[1], <=, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/draw/labels/all-have-a-place-flowing-down",
                        GINT_TO_POINTER (SYM_DIRECTION_DOWN), test_places);
  g_test_add_data_func ("/draw/labels/all-have-a-place-flowing-right",
                        GINT_TO_POINTER (SYM_DIRECTION_RIGHT), test_places);
  g_test_add_func ("/draw/labels/all-have-a-place-along-their-lines", test_rotated);
  g_test_add_func ("/draw/labels/stand-on-the-beginnings-of-their-lines", test_starts);
  g_test_add_func ("/draw/labels/a-bus-has-one", test_bus);
  return g_test_run ();
}
