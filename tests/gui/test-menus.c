/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-canvas-private.h"
#include "app/scope-inspector.h"
#include "app/scope-window-private.h"
#include "robot.h"
#include "toy.h"

static GtkWidget *
get_canvas (Robot *robot)
{
  return robot_find_part (robot, SCOPE_TYPE_CANVAS);
}

static GtkWidget *
wait_for_menu (Robot *robot)
{
  robot_idle (300);
  return robot_wait_for (get_canvas (robot), GTK_TYPE_POPOVER_MENU, NULL);
}

static void
assert_offers (GtkWidget *menu, const char *label)
{
  g_assert_nonnull (robot_find (menu, GTK_TYPE_LABEL, label));
}

static void
assert_offers_not (GtkWidget *menu, const char *label)
{
  g_assert_null (robot_find (menu, GTK_TYPE_LABEL, label));
}

static void
choose (Robot *robot, const char *action)
{
  g_assert_true (gtk_widget_activate_action (get_canvas (robot), action, NULL));
  robot_do ("key Escape");
  robot_settle (robot);
}

/* Each tells its keys. */
static void
test_node_and_empty_place_have_their_own (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "relu1_output", "click 3");
  GtkWidget *menu = wait_for_menu (&robot);

  assert_offers (menu, "Mark as Output");
  assert_offers (menu, "O");
  assert_offers (menu, "Copy Name");
  assert_offers_not (menu, "Clear Marks"); /* there are none */
  assert_offers_not (menu, "Original Size");
  robot_wait_selected (&robot, "relu1_output");
  robot_do ("key Escape");
  robot_idle (300);
  robot_point (get_canvas (&robot), 8, 300, "click 3");
  menu = wait_for_menu (&robot);
  assert_offers (menu, "Original Size");
  assert_offers (menu, "View");
  assert_offers_not (menu, "Mark as Output");
  g_assert_true (scope_node_is_none (scope_document_get_selected (robot_get_document (&robot))));
  robot_do ("key Escape");
  robot_idle (300);
  robot_stop (&robot);
}

static void
test_keys_open_it (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key Menu"); /* nothing is selected: it is that of the drawing */
  assert_offers (wait_for_menu (&robot), "Original Size");
  robot_do ("key Escape");
  robot_idle (300);
  robot_do ("key Home");
  robot_do ("key shift+F10");
  assert_offers (wait_for_menu (&robot), "Mark as Output");
  robot_do ("key o"); /* its mnemonic */
  robot_settle (&robot);
  g_assert_cmpuint (scope_state_get_marks (scope_document_get_state (robot_get_document (&robot)),
                                           SCOPE_MARK_OUTPUT)
                        .n,
                    ==, 1);
  robot_stop (&robot);
}

static void
test_line_leads_to_its_ends (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_do ("key e");
  robot_do ("key Menu");
  assert_offers (wait_for_menu (&robot), "Go to Where It Ends");
  assert_offers (wait_for_menu (&robot), "Mark as Output");
  choose (&robot, "canvas.line-target");
  robot_wait_selected (&robot, "relu1_output");
  robot_stop (&robot);
}

static void
test_group_is_closed_and_opened (void)
{
  g_autofree char *path = toy_write_stages ();
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  SymScene *scene =
      sym_layout_get_scene (sym_picture_get_layout (scope_document_get_picture (document)));

  g_assert_cmpuint (sym_scene_get_n_frames (scene), >, 0);
  scope_document_select_frame (document, sym_scene_get_frame (scene, 0)->group);
  robot_settle (&robot);
  robot_do ("key Menu");
  GtkWidget *menu = wait_for_menu (&robot);

  assert_offers (menu, "Close Group");
  assert_offers_not (menu, "Open Group");
  choose (&robot, "canvas.close");
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, SYM_NO_GROUP);
  robot_do ("key Menu");
  menu = wait_for_menu (&robot);
  assert_offers (menu, "Open Group");
  assert_offers_not (menu, "Close Group");
  choose (&robot, "canvas.open");
  g_assert_true (robot_is_drawn (&robot, "stage0/act1_output"));
  robot_stop (&robot);
}

/* A row, its section, or all that is told. */
static gboolean
is_all_in_sight (GtkWidget *menu)
{
  GtkWidget *scroller = robot_find (menu, GTK_TYPE_SCROLLED_WINDOW, NULL);
  GtkAdjustment *vertical = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  return gtk_adjustment_get_page_size (vertical) >= gtk_adjustment_get_upper (vertical);
}

/* With what only nodes within a group have, and the line above it. */
static void
test_nothing_of_it_is_cut_off (void)
{
  g_autofree char *path = toy_write_stages ();
  Robot robot;

  robot_start (&robot, path);
  scope_document_open_all (robot_get_document (&robot));
  robot_settle (&robot);
  robot_point_at_node (&robot, "stage0/act1_output", "click 3");
  GtkWidget *menu = wait_for_menu (&robot);

  assert_offers (menu, "Close the Group Around");
  g_assert_true (is_all_in_sight (menu));
  robot_do ("key Escape");
  robot_idle (300);
  robot_stop (&robot);
}

static void
test_inspector_is_copied (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);
  GtkWidget *label = robot_find (inspector, GTK_TYPE_LABEL, "relu1_output");

  robot_point (label, 5, 5, "click 3");
  robot_idle (300);
  GtkWidget *menu = robot_wait_for (inspector, GTK_TYPE_POPOVER_MENU, NULL);

  assert_offers (menu, "Copy");
  assert_offers (menu, "Go There");
  g_assert_true (gtk_widget_activate_action (label, "section.copy", NULL));
  g_autofree char *section = robot_read_clipboard (&robot);

  g_assert_cmpstr (section, ==, "Children\nrelu1_output\trank ?\n");
  g_assert_true (gtk_widget_activate_action (label, "page.copy", NULL));
  robot_idle (100);
  g_autofree char *page = robot_read_clipboard (&robot);

  g_assert_nonnull (strstr (page, "Name\tfc1_output\n"));
  g_assert_nonnull (strstr (page, "num_hidden\t8\n"));
  g_assert_nonnull (strstr (page, "\nChildren\nrelu1_output\trank ?\n"));
  robot_do ("key g"); /* the mnemonic of going there: the row goes, and its menu with it */
  robot_settle (&robot);
  robot_wait_selected (&robot, "relu1_output");
  robot_idle (300);
  g_assert_null (robot_find (inspector, GTK_TYPE_POPOVER_MENU, NULL));
  robot_stop (&robot);
}

static gboolean
is_closed (gpointer menu)
{
  return !gtk_widget_get_mapped (menu);
}

/* GTK 4.8 may still have the pointer in it, and asks for its surface at the next layout. */
static void
test_closed_menu_keeps_its_surface (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "relu1_output", "click 3");
  GtkWidget *menu = wait_for_menu (&robot);

  g_object_add_weak_pointer (G_OBJECT (menu), (gpointer *) &menu);
  robot_do ("mousemove_relative 20 20");
  robot_do ("key Escape");
  robot_wait_until (is_closed, menu);
  robot_idle (300);
  g_assert_nonnull (menu);
  g_assert_nonnull (gtk_native_get_surface (GTK_NATIVE (menu)));
  robot_point_at_node (&robot, "fc1_output", "click 3");
  g_assert_true (wait_for_menu (&robot) == menu);
  robot_do ("key Escape");
  robot_stop (&robot);
  g_assert_null (menu);
}

/* Of two items with the same letter, a key would choose none. */
static void
check_letters (GMenuModel *menu, GHashTable *letters)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *label = NULL;
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) inner = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
      g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL);

      if (section != NULL)
        check_letters (section, letters);
      if (inner != NULL)
        check_letters (inner, own);
      if (section != NULL || !g_menu_model_get_item_attribute (menu, i, "label", "s", &label))
        continue;
      const char *line = strchr (label, '_');

      g_assert_nonnull (line);
      if (!g_hash_table_add (letters, GINT_TO_POINTER (g_ascii_tolower (line[1]))))
        g_error ("two items of a menu have the letter of “%s”", label);
    }
}

static void
test_letters_are_told_apart (void)
{
  static const char *const files[] = { "scope-menus.ui", "scope-canvas.ui" };
  guint n_menus = 0;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat ("/org/symscope/Symscope/", files[i], NULL);
      g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (path);
      GSList *objects = gtk_builder_get_objects (builder);

      for (GSList *l = objects; l != NULL; l = l->next)
        {
          g_autoptr (GHashTable) letters = g_hash_table_new (NULL, NULL);

          if (!G_IS_MENU_MODEL (l->data) || g_menu_model_get_n_items (l->data) == 0)
            continue;
          check_letters (l->data, letters);
          n_menus++;
        }
      g_slist_free (objects);
    }
  g_assert_cmpuint (n_menus, >=, 7);
}

/* Those of the window that are in sight; the array's free function unrefs them. */
static void
collect_menu_buttons (GtkWidget *widget, GPtrArray *buttons)
{
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget) &&
      gtk_widget_get_tooltip_text (widget) != NULL)
    g_ptr_array_add (buttons, g_object_ref (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_menu_buttons (child, buttons);
}

/* What is told of a button that the pointer came to a moment before would come up over its menu. */
static void
test_menus_are_not_below_tooltips (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GPtrArray) buttons = g_ptr_array_new_with_free_func (g_object_unref);
  Robot robot;

  robot_start (&robot, path);
  collect_menu_buttons (GTK_WIDGET (robot.window), buttons);
  g_assert_cmpuint (buttons->len, >=, 3); /* the window's, the view's, the table's */
  for (guint i = 0; i < buttons->len; i++)
    {
      g_assert_true (gtk_widget_get_has_tooltip (buttons->pdata[i]));
      gtk_menu_button_popup (buttons->pdata[i]);
      robot_idle (200);
      g_assert_false (gtk_widget_get_has_tooltip (buttons->pdata[i]));
      gtk_menu_button_popdown (buttons->pdata[i]);
      robot_idle (200);
      g_assert_true (gtk_widget_get_has_tooltip (buttons->pdata[i]));
    }
  g_clear_pointer (&buttons, g_ptr_array_unref);
  robot_stop (&robot);
}

/* Also one that was left from within a submenu. */
static void
test_closed_menu_gives_the_keyboard_back (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "relu1_output", "click 1");
  robot_wait_selected (&robot, "relu1_output");
  GtkWidget *canvas = get_canvas (&robot);

  g_assert_true (gtk_widget_has_focus (canvas));
  robot_click (robot.window->view_button);
  robot_idle (500);
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (robot.window->view_button));

  robot_do ("key c"); /* what it is coloured by */
  robot_idle (500);
  robot_do ("key Escape");
  robot_idle (500);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (popover)));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (robot.window)) == canvas);
  robot_press (&robot, "Up");
  robot_wait_selected (&robot, "fc1_output");
  robot_stop (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/menus/node-and-empty-place-have-their-own",
                   test_node_and_empty_place_have_their_own);
  g_test_add_func ("/gui/menus/keys-open-it", test_keys_open_it);
  g_test_add_func ("/gui/menus/line-leads-to-its-ends", test_line_leads_to_its_ends);
  g_test_add_func ("/gui/menus/group-is-closed-and-opened", test_group_is_closed_and_opened);
  g_test_add_func ("/gui/menus/nothing-of-it-is-cut-off", test_nothing_of_it_is_cut_off);
  g_test_add_func ("/gui/menus/inspector-is-copied", test_inspector_is_copied);
  g_test_add_func ("/gui/menus/letters-are-told-apart", test_letters_are_told_apart);
  g_test_add_func ("/gui/menus/closed-menu-keeps-its-surface", test_closed_menu_keeps_its_surface);
  g_test_add_func ("/gui/menus/closed-menu-gives-the-keyboard-back",
                   test_closed_menu_gives_the_keyboard_back);
  g_test_add_func ("/gui/menus/are-not-below-tooltips", test_menus_are_not_below_tooltips);
  return g_test_run ();
}
