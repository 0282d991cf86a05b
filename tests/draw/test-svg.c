/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <glib/gstdio.h>
#include <string.h>

#include "draw/sym-picture-private.h"
#include "picture-fixture.h"

#include "../scene/nested-graphs.h"

/* What a parser saw of an SVG. */
typedef struct {
  guint n_items;
  guint n_edges;
  guint n_titles;
  guint n_dimmed;
  GHashTable *ids;
  GString *text; /* of <text> elements, a line each */
  gboolean in_text;
} Seen;

static void
start_cb (GMarkupParseContext *context,
          const char *element,
          const char **names,
          const char **values,
          gpointer user_data,
          GError **error)
{
  Seen *seen = user_data;

  seen->in_text = g_str_equal (element, "text");
  seen->n_titles += g_str_equal (element, "title");
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_str_equal (names[i], "id"))
        g_assert_true (g_hash_table_add (seen->ids, g_strdup (values[i])));
      if (g_str_equal (names[i], "class"))
        {
          seen->n_items += g_str_equal (values[i], "item");
          seen->n_edges += g_str_equal (values[i], "edge");
          seen->n_dimmed += g_str_equal (values[i], "dimmed");
        }
    }
}

static void
end_cb (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Seen *seen = user_data;

  if (seen->in_text)
    g_string_append_c (seen->text, '\n');
  seen->in_text = FALSE;
}

static void
text_cb (GMarkupParseContext *context,
         const char *text,
         gsize size,
         gpointer user_data,
         GError **error)
{
  Seen *seen = user_data;

  if (seen->in_text)
    g_string_append_len (seen->text, text, (gssize) size);
}

static void
parse (GBytes *svg, Seen *seen)
{
  static const GMarkupParser parser = { start_cb, end_cb, text_cb };
  g_autoptr (GMarkupParseContext) context = NULL;
  g_autoptr (GError) error = NULL;

  *seen = (Seen){ 0 };
  seen->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  seen->text = g_string_new (NULL);
  context = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, seen, NULL);
  g_markup_parse_context_parse (context, g_bytes_get_data (svg, NULL),
                                (gssize) g_bytes_get_size (svg), &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
}

static void
clear_seen (Seen *seen)
{
  g_hash_table_unref (seen->ids);
  g_string_free (seen->text, TRUE);
}

/* A strict parser where one is installed: GMarkup lets through some of what XML forbids. */
static void
lint (const char *path)
{
  g_autofree char *xmllint = g_find_program_in_path ("xmllint");
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  if (xmllint == NULL)
    return;
  process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, xmllint, "--noout", "--huge", path, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_no_error (error);
}

static GBytes *
write_svg (SymPicture *picture, const char *name)
{
  g_autofree char *path = fixture_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_picture_write_svg (picture, path, NULL, &error));
  g_assert_no_error (error);
  lint (path);
  return fixture_read (path);
}

static void
test_residual (void)
{
  SymPictureOptions options = { .legend = TRUE };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), NULL, &options);
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  g_autoptr (GBytes) svg = write_svg (picture, "residual.svg");
  Seen seen;

  parse (svg, &seen);
  g_assert_cmpuint (seen.n_items, ==, sym_scene_get_n_items (scene));
  g_assert_cmpuint (seen.n_items, ==, 10);
  g_assert_cmpuint (seen.n_edges, ==, sym_scene_get_n_edges (scene));
  g_assert_cmpuint (seen.n_titles, ==, 1 + seen.n_items + seen.n_edges + 1);
  g_assert_true (g_hash_table_contains (seen.ids, "item0"));
  g_assert_true (g_hash_table_contains (seen.ids, "legend"));
  g_assert_nonnull (strstr (seen.text->str, "block_2_output\n"));
  g_assert_nonnull (strstr (seen.text->str, "MaxPool2d"));
  g_assert_nonnull (strstr (seen.text->str, "1×64×10×10"));
  g_assert_nonnull (strstr (seen.text->str, "Input node\nOutput node\nHidden node\n"));
  g_assert_nonnull (strstr (seen.text->str, "Pooling\n"));
  g_assert_null (strstr (seen.text->str, "Loss\n"));
  clear_seen (&seen);
}

static void
test_same_bytes (void)
{
  g_autoptr (SymPicture) first = fixture_plain_picture (fixture_residual ());
  g_autoptr (SymPicture) second = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) a = write_svg (first, "first.svg");
  g_autoptr (GBytes) b = write_svg (second, "second.svg");
  g_autoptr (GBytes) again = write_svg (first, "first.svg");

  g_assert_true (g_bytes_equal (a, b));
  g_assert_true (g_bytes_equal (a, again));
}

/* How many times @text has @what. */
static guint
count_of (const char *text, const char *what)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, what)) != NULL; at += strlen (what))
    n++;
  return n;
}

/* A line down a chain is one straight stroke that ends within its head; one around a block keeps
 * its corners. */
static void
test_straight_lines (void)
{
  g_autoptr (SymPicture) chain = fixture_plain_picture (fixture_chain (3));
  g_autoptr (SymPicture) residual = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) straight = write_svg (chain, "chain.svg");
  g_autoptr (GBytes) turning = write_svg (residual, "turning.svg");
  SymLayout *layout = sym_picture_get_layout (chain);
  guint n = sym_scene_get_n_edges (sym_layout_get_scene (layout)), n_points;
  const SymPoint *course = sym_layout_get_course (layout, 0, &n_points);
  SymLineEnd end = sym_picture_get_line_end (chain, 0);
  g_autofree char *first = g_strdup_printf ("d=\"M%g %gV%g\"", course[0].x, course[0].y, end.end.y);
  g_autofree char *text =
      g_strndup (g_bytes_get_data (straight, NULL), g_bytes_get_size (straight));
  g_autofree char *other = g_strndup (g_bytes_get_data (turning, NULL), g_bytes_get_size (turning));

  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (count_of (text, "class=\"line line-data\""), >=, n);
  g_assert_nonnull (strstr (text, first));
  g_assert_true (g_regex_match_simple ("d=\"M[0-9. ]+V[0-9.]+C[0-9. ]+H[0-9.]+C", other, 0, 0));
}

/* Numbers have a point whatever the user's language, and at most two decimals. */
static void
test_numbers (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) plain = write_svg (picture, "plain.svg");
  gboolean has_german = setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
  g_autoptr (GBytes) german = write_svg (picture, "german.svg");

  setlocale (LC_ALL, "C");
  g_assert_true (g_bytes_equal (plain, german));
  g_assert_false (g_regex_match_simple ("[0-9]\\.[0-9]{3}", g_bytes_get_data (plain, NULL), 0, 0));
  g_assert_false (
      g_regex_match_simple ("\"-0\"|[ M]-0[ \"]", g_bytes_get_data (plain, NULL), 0, 0));
  if (!has_german)
    g_test_message ("no German locale here");
}

static void
test_names (void)
{
  static const char *const names[] = {
    "a&b<c>\"d\"'e'",
    "tab\tnew\nline",
    "bell\a",
    "bad\xff\xfeutf",
    "\xef\xbf\xbe",
    "brain 🧠",
    "שלום",
    "]]>",
    "",
    NULL,
  };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_named (names));
  g_autoptr (GBytes) svg = write_svg (picture, "names.svg");
  Seen seen;

  parse (svg, &seen);
  g_assert_cmpuint (seen.n_items, ==, 9);
  g_assert_nonnull (strstr (seen.text->str, "a&b<c>\"d\"'e'"));
  g_assert_nonnull (strstr (seen.text->str, "brain 🧠"));
  g_assert_nonnull (strstr (seen.text->str, "שלום"));
  g_assert_true (
      g_utf8_validate (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg), NULL));
  clear_seen (&seen);
}

/* In the drawing of data it would be nowhere else. */
static void
test_layer_names (void)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2));
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Conv2d", NULL, NULL);
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  SymId call = sym_model_builder_add_call (builder, "Conv_0", layer, &x, 1, 1);
  SymId result = sym_model_builder_get_result (builder, call, 0);
  SymId last = sym_model_builder_add_call (builder, "fc", layer, &result, 1, 1);

  sym_model_builder_set_value_name (builder, result, "_317");
  sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, last, 0),
                                    "fc_output");
  g_autoptr (SymPicture) picture = fixture_plain_picture (sym_model_builder_end (builder));
  g_autoptr (GBytes) svg = write_svg (picture, "layer-names.svg");

  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), "<title>_317 (Conv_0, Conv2d)</title>"));
  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), "<title>fc_output (Conv2d)</title>"));
}

static void
test_empty (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_empty ());
  SymRect extent = sym_picture_get_extent (picture);
  g_autoptr (GBytes) svg = write_svg (picture, "empty.svg");
  Seen seen;

  parse (svg, &seen);
  g_assert_cmpuint (seen.n_items, ==, 0);
  g_assert_cmpfloat (extent.width, >, 0);
  g_assert_cmpfloat (extent.height, >, 0);
  clear_seen (&seen);
}

static void
test_kept (void)
{
  g_autoptr (SymModel) model = fixture_residual ();
  SymId output = sym_model_get_outputs (model).ids[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) kept = sym_selection_new (model, NULL, 0, &output, 1, NULL, &error);
  SymPictureOptions options = { .kept = kept };
  g_autoptr (SymPicture) picture = NULL;
  g_autoptr (GBytes) svg = NULL;
  Seen seen;

  g_assert_no_error (error);
  picture = fixture_picture (sym_model_ref (model), NULL, &options);
  svg = write_svg (picture, "kept.svg");
  parse (svg, &seen);
  g_assert_cmpuint (seen.n_dimmed, ==, 4); /* chips and boxes of the last two items */
  clear_seen (&seen);
}

static guint
count_boxes (const SymPicture *picture)
{
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  guint n = 0;

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    n += sym_scene_get_item (scene, i)->n_boxes;
  return n;
}

static void
test_traced (void)
{
  g_autoptr (SymModel) model = fixture_residual ();
  SymId input = sym_model_get_inputs (model).ids[0];
  g_autoptr (SymTrace) trace = sym_trace_new (model, SYM_TRACE_VALUE (input), SYM_TRACE_ANCESTORS);
  SymPictureOptions options = { .traced = trace };
  g_autoptr (SymPicture) picture = fixture_picture (sym_model_ref (model), NULL, &options);
  g_autoptr (GBytes) svg = write_svg (picture, "traced.svg");
  Seen seen;

  parse (svg, &seen);
  g_assert_cmpuint (count_boxes (picture), >, 4);
  g_assert_cmpuint (seen.n_dimmed, ==, count_boxes (picture) - 1); /* an input comes from nothing */
  clear_seen (&seen);
}

static void
test_dimmed_frames (void)
{
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
  SymIds outputs = sym_model_get_outputs (open->model);
  g_autoptr (SymTrace) trace =
      sym_trace_new (open->model, SYM_TRACE_VALUE (outputs.ids[0]), SYM_TRACE_DESCENDANTS);
  SymPictureOptions options = { .traced = trace };
  g_autoptr (SymPicture) picture = sym_picture_new (open->layout, &options);
  g_autoptr (GBytes) svg = write_svg (picture, "dimmed-frames.svg");
  g_autofree char *text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));

  g_assert_cmpuint (count_of (text, " dimmed-frame\""), ==, 3);
}

static void
test_transparent (void)
{
  SymPictureOptions options = { .transparent = TRUE, .theme = SYM_THEME_DARK };
  g_autoptr (SymPicture) clear = fixture_picture (fixture_residual (), NULL, &options);
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) clear_svg = write_svg (clear, "clear.svg");
  g_autoptr (GBytes) plain_svg = write_svg (plain, "plain.svg");

  g_assert_null (strstr (g_bytes_get_data (clear_svg, NULL), "class=\"background\""));
  g_assert_nonnull (strstr (g_bytes_get_data (plain_svg, NULL), "class=\"background\""));
}

static void
test_cycle (void)
{
  SymPictureOptions options = { .legend = TRUE };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_cycle (), NULL, &options);
  g_autoptr (GBytes) svg = write_svg (picture, "cycle.svg");

  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), "class=\"line line-back\""));
  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), "class=\"line line-control\""));
  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), ">Closes a cycle<"));
}

static void
test_layers (void)
{
  SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), &layers, NULL);
  g_autoptr (GBytes) svg = write_svg (picture, "layers.svg");

  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), "class=\"label\""));
  g_assert_nonnull (strstr (g_bytes_get_data (svg, NULL), "class=\"mark mark-output\""));
}

static void
test_refused (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  g_autofree char *path = fixture_path ("no/such/folder.svg");
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_picture_write_svg (picture, path, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "folder.svg"));
}

/* What is in a body is dimmed with its layer, whatever its ids are. */
static void
test_kept_bodies (void)
{
  static const struct {
    const char *kept;
    guint n_dimmed;
  } cases[] = { { "last", 0 },
                { "first", 6 + 12 } }; /* y, flag, nest and last, and all in the bodies */
  g_autoptr (SymModel) model = graph_nested (2);
  g_autoptr (SymOpenBodies) all = sym_open_bodies_new_all ();
  SymSceneOptions scene_options = { .open_bodies = all };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymId output;
      gboolean found = sym_model_resolve (model, cases[i].kept, &output, NULL);
      g_autoptr (SymSelection) kept = sym_selection_new (model, NULL, 0, &output, 1, NULL, NULL);
      SymPictureOptions options = { .kept = kept };
      g_autoptr (SymPicture) picture =
          fixture_picture (sym_model_ref (model), &scene_options, &options);
      g_autoptr (GBytes) svg = write_svg (picture, "bodies.svg");
      Seen seen;

      g_assert_true (found);
      parse (svg, &seen);
      g_assert_cmpuint (seen.n_dimmed, ==, cases[i].n_dimmed);
      g_assert_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg),
                                      "<title>5b.end (End)</title>"));
      clear_seen (&seen);
    }
}

static void
test_frames (void)
{
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
  g_autoptr (SymPicture) closed = fixture_folded_picture (FALSE);
  g_autoptr (GBytes) open_svg = write_svg (open, "open.svg");
  g_autoptr (GBytes) closed_svg = write_svg (closed, "closed.svg");
  Seen seen;

  parse (open_svg, &seen);
  g_assert_true (g_hash_table_contains (seen.ids, "frame2"));
  g_assert_false (g_hash_table_contains (seen.ids, "frame3"));
  g_assert_cmpuint (seen.n_items, ==, 8);
  g_assert_nonnull (strstr (seen.text->str, "\nc\n"));
  clear_seen (&seen);

  parse (closed_svg, &seen);
  g_assert_false (g_hash_table_contains (seen.ids, "frame0"));
  g_assert_cmpuint (seen.n_items, ==, 5); /* x, stem, a, b, head */
  g_assert_nonnull (strstr (seen.text->str, "3 layers"));
  g_assert_nonnull (strstr (seen.text->str, "Folded group"));
  clear_seen (&seen);
}

/* An open group tells how many layers it has. */
static void
test_large_frame (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 8));
  SymId value = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);

  for (guint i = 0; i < 1201; i++)
    {
      g_autofree char *name = g_strdup_printf (i < 1200 ? "a/%u" : "head%u", i);
      SymId call = sym_model_builder_add_call (builder, name, layer, &value, 1, 1);

      value = sym_model_builder_get_result (builder, call, 0);
    }
  sym_model_builder_add_output (builder, value);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  g_autoptr (SymFolding) folding = sym_folding_new_open (groups);
  SymSceneOptions scene_options = { .folding = folding };
  g_autoptr (SymPicture) picture = fixture_picture (sym_model_ref (model), &scene_options, NULL);
  g_autoptr (GBytes) svg = write_svg (picture, "large-frame.svg");

  g_assert_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg),
                                  "<title>a (1,200 layers)</title>"));
}

/* What has to be written is known without the rest. */
static void
test_crop (void)
{
  SymRect crop = { 0, 0, 150, 120 };
  SymPictureOptions options = { .legend = TRUE, .crop = &crop };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_chain (200), NULL, &options);
  g_autoptr (GBytes) svg = write_svg (picture, "crop.svg");
  const char *text = g_bytes_get_data (svg, NULL);
  Seen seen;

  parse (svg, &seen);
  g_assert_nonnull (strstr (text, "width=\"150\" height=\"120\" viewBox=\"0 0 150 120\""));
  g_assert_true (g_hash_table_contains (seen.ids, "crop"));
  g_assert_true (g_hash_table_contains (seen.ids, "item0"));
  g_assert_false (g_hash_table_contains (seen.ids, "item9"));
  g_assert_false (g_hash_table_contains (seen.ids, "legend"));
  g_assert_true (g_hash_table_contains (seen.ids, "edge0"));
  g_assert_cmpuint (seen.n_edges, <, 5);
  clear_seen (&seen);
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, part)) != NULL; at += strlen (part))
    n++;
  return n;
}

/* The first call takes 8 ms, the second 1 ms; nothing is known of the others. */
static void
test_heat (void)
{
  static const double costs[] = { 8, 1 };
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_residual ());
  SymLayout *layout = sym_picture_get_layout (plain);
  g_autoptr (SymHeat) heat =
      sym_heat_new (sym_layout_get_scene (layout), costs, G_N_ELEMENTS (costs), "ms");
  SymPictureOptions options = { .heat = heat };
  g_autoptr (SymPicture) hot = sym_picture_new (layout, &options);
  g_autoptr (GBytes) plain_svg = write_svg (plain, "plain.svg");
  g_autoptr (GBytes) hot_svg = write_svg (hot, "hot.svg");
  g_autofree char *plain_text =
      g_strndup (g_bytes_get_data (plain_svg, NULL), g_bytes_get_size (plain_svg));
  g_autofree char *hot_text =
      g_strndup (g_bytes_get_data (hot_svg, NULL), g_bytes_get_size (hot_svg));

  g_assert_null (sym_picture_get_heat (plain));
  g_assert_true (sym_picture_get_heat (hot) == heat);
  g_assert_cmpuint (count (plain_text, "heat"), ==, 0);
  g_assert_cmpuint (count (plain_text, "<g class=\"weights\""), >, 0);
  g_assert_cmpuint (count (hot_text, "<g class=\"weights\""), ==, 0);
  g_assert_cmpuint (count (hot_text, "<g class=\"heat5\""), ==, 1);
  g_assert_cmpuint (count (hot_text, "<g class=\"heat3\""), ==, 1);
  g_assert_cmpuint (count (hot_text, ".heat5>rect{"), ==, 1);
}

static void
test_heat_legend (void)
{
  static const double costs[] = { 8, 1 };
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_residual ());
  SymLayout *layout = sym_picture_get_layout (plain);
  g_autoptr (SymHeat) heat =
      sym_heat_new (sym_layout_get_scene (layout), costs, G_N_ELEMENTS (costs), "ms");
  SymPictureOptions options = { .heat = heat, .legend = TRUE };
  g_autoptr (SymPicture) hot = sym_picture_new (layout, &options);
  g_autoptr (GBytes) svg = write_svg (hot, "hot.svg");
  Seen seen;

  parse (svg, &seen);
  g_assert_nonnull (strstr (seen.text->str, "4 ms and more\n2 ms and more\n"));
  g_assert_nonnull (strstr (seen.text->str, "Less than 250 µs\n"));
  g_assert_null (strstr (seen.text->str, "Pooling\n"));
  clear_seen (&seen);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/svg/straight-lines", test_straight_lines);
  g_test_add_func ("/draw/svg/has-an-element-per-item-and-real-text", test_residual);
  g_test_add_func ("/draw/svg/is-the-same-bytes-twice", test_same_bytes);
  g_test_add_func ("/draw/svg/dims-bodies-with-their-layers", test_kept_bodies);
  g_test_add_func ("/draw/svg/has-frames-under-everything", test_frames);
  g_test_add_func ("/draw/svg/writes-short-numbers-in-any-locale", test_numbers);
  g_test_add_func ("/draw/svg/survives-every-name", test_names);
  g_test_add_func ("/draw/svg/names-layers-that-are-called-otherwise", test_layer_names);
  g_test_add_func ("/draw/svg/of-nothing-is-a-picture", test_empty);
  g_test_add_func ("/draw/svg/dims-what-a-cut-leaves-out", test_kept);
  g_test_add_func ("/draw/svg/dims-frames-with-all-in-them", test_dimmed_frames);
  g_test_add_func ("/draw/svg/dims-what-a-trace-leaves-out", test_traced);
  g_test_add_func ("/draw/svg/may-have-no-background", test_transparent);
  g_test_add_func ("/draw/svg/tells-cycles-and-control", test_cycle);
  g_test_add_func ("/draw/svg/tells-how-large-a-group-is", test_large_frame);
  g_test_add_func ("/draw/svg/labels-lines-between-layers", test_layers);
  g_test_add_func ("/draw/svg/names-the-file-it-cannot-write", test_refused);
  g_test_add_func ("/draw/svg/may-be-of-a-rectangle", test_crop);
  g_test_add_func ("/draw/svg/colours-layers-by-what-they-cost", test_heat);
  g_test_add_func ("/draw/svg/tells-what-the-colours-of-costs-mean", test_heat_legend);
  status = g_test_run ();
  fixture_remove ();
  return status;
}
