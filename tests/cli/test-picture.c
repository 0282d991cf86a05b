/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>

/* draw and layout. */
#define SMALL fixture ("small-symbol.json")

static void
test_draw (void)
{
  static const struct {
    const char *suffix, *magic;
  } cases[] = { { "svg", "<?xml" }, { "png", "\x89PNG" }, { "pdf", "%PDF" }, { "dot", "digraph" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("picture.%s", cases[i].suffix);
      g_autoptr (Ending) to_file = run_line ("draw %s -o %s", SMALL, scratch (name));
      g_autoptr (Ending) to_stdout = run_line ("draw %s -o - --to %s", SMALL, cases[i].suffix);
      g_autofree char *bytes = NULL;
      gsize n;

      assert_status (to_file, 0);
      assert_status (to_stdout, 0);
      g_assert_true (g_file_get_contents (scratch (name), &bytes, &n, NULL));
      g_assert_true (n == to_stdout->n_out && memcmp (bytes, to_stdout->out, n) == 0);
      g_assert_true (g_str_has_prefix (bytes, cases[i].magic));
    }
}

static void
test_draw_options (void)
{
  static const char *const options[] = {
    "--nodes layers",          "--direction right",
    "--labels variable,shape", "--theme dark",
    "--theme contrast",        "--theme dark-contrast",
    "--transparent",           "--no-legend",
    "--shape data=2,3,8,8",    "--around pool0 --hops 1",
    "--outputs pool0",         "--inputs pool0,softmax_label",
    "--crop 0,0,100,100",
  };
  g_autoptr (Ending) plain = run_line ("draw %s -o - --to svg", SMALL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (Ending) ending = run_line ("draw %s -o - --to svg %s", SMALL, options[i]);

      assert_status (ending, 0);
      g_assert_false (g_str_equal (ending->out, plain->out));
    }
}

/* The size of a PNG, as its first chunk tells. */
static void
get_png_size (const Ending *ending, guint *width, guint *height)
{
  const guint8 *bytes = (const guint8 *) ending->out;

  assert_status (ending, 0);
  g_assert_cmpuint (ending->n_out, >, 24);
  g_assert_cmpint (memcmp (bytes, "\x89PNG", 4), ==, 0);
  *width = (guint) bytes[18] << 8 | bytes[19];
  *height = (guint) bytes[22] << 8 | bytes[23];
}

static void
test_thumbnail (void)
{
  g_autoptr (Ending) usual = run_line ("thumbnail %s -o -", SMALL);
  g_autoptr (Ending) large = run_line ("thumbnail -s 512 -o - -- %s", SMALL);
  g_autoptr (Ending) none = run_line ("thumbnail %s -o - --size 0", SMALL);
  guint width, height;

  get_png_size (usual, &width, &height);
  g_assert_cmpuint (MAX (width, height), ==, 256);
  g_assert_cmpuint (MIN (width, height), >, 64);
  get_png_size (large, &width, &height);
  g_assert_cmpuint (MAX (width, height), ==, 512);
  assert_refused (none, 2, "--size: “0” is no number of pixels");
}

static void
test_scale (void)
{
  g_autoptr (Ending) plain = run_line ("draw %s -o - --to svg", SMALL);
  g_autoptr (Ending) svg = run_line ("draw %s -o - --to svg --scale 2", SMALL);
  g_autoptr (Ending) png = run_line ("draw %s -o - --to png --scale 2", SMALL);

  assert_status (svg, 0);
  assert_err (svg, "symscope: -: note: --scale changes nothing");
  g_assert_cmpstr (svg->out, ==, plain->out);
  assert_status (png, 0);
  g_assert_cmpstr (png->err, ==, "");
}

static void
test_nothing_to_fold (void)
{
  g_autoptr (Ending) plain = run_line ("draw %s -o - --to svg", SMALL);
  g_autoptr (Ending) folded = run_line ("draw %s -o - --to svg --fold", SMALL);

  assert_status (folded, 0);
  assert_err (folded, "small-symbol.json: note: --fold: no groups were found");
  g_assert_cmpstr (folded->out, ==, plain->out);
}

/* A chain of activations, ten in each block, ten blocks in each stage. */
static void
write_chain (const char *path, guint n)
{
  g_autoptr (GString) json = g_string_new ("{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", "
                                           "\"inputs\": []}");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (json,
                            ", {\"op\": \"Activation\", \"name\": \"stage%u/block%u/act%u\", "
                            "\"attrs\": {\"act_type\": \"relu\"}, \"inputs\": [[%u, 0, 0]]}",
                            i / 100, i / 10, i, i);
  g_string_append_printf (json, "], \"arg_nodes\": [0], \"heads\": [[%u, 0, 0]]}", n);
  g_file_set_contents (path, json->str, -1, &error);
  g_assert_no_error (error);
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;

  for (const char *p = strstr (text, what); p; p = strstr (p + 1, what))
    n++;
  return n;
}

static void
test_fold (void)
{
  g_autofree char *few = g_strdup (scratch ("few-symbol.json"));
  g_autofree char *many = g_strdup (scratch ("many-symbol.json"));
  g_autoptr (Ending) open = NULL;
  g_autoptr (Ending) folded = NULL;
  g_autoptr (Ending) layout = NULL;

  write_chain (few, 120);
  write_chain (many, 900);
  open = run_line ("draw %s -o - --to svg --fold", few);
  assert_status (open, 0);
  g_assert_cmpuint (count (open->out, "class=\"frame "), >=, 2 + 12);
  g_assert_cmpuint (count (open->out, "class=\"item\""), ==, 121);

  folded = run_line ("draw %s -o - --to svg --fold", many);
  assert_status (folded, 0);
  g_assert_cmpuint (count (folded->out, "class=\"group\""), >, 0);
  g_assert_cmpuint (count (folded->out, "class=\"item\""), <=, 151);

  layout = run_line ("layout %s -o - --fold", few);
  assert_status (layout, 0);
  g_assert_nonnull (strstr (layout->out, "\"frames\":"));
}

/* A layer with two bodies, in each of them a layer with one. */
#define NESTED fixture ("../symscope/bodies.json")

static void
test_expand (void)
{
  const char *file = NESTED;
  g_autoptr (Ending) plain = run_line ("draw %s -o - --to svg", file);
  g_autoptr (Ending) expanded = run_line ("draw %s -o - --to svg --expand", file);
  g_autoptr (Ending) again = run_line ("draw %s -o - --to svg --expand", file);
  g_autoptr (Ending) layout = run_line ("layout %s -o - --expand", file);

  assert_status (expanded, 0);
  g_assert_cmpstr (expanded->err, ==, "");
  g_assert_cmpstr (expanded->out, ==, again->out);
  g_assert_cmpuint (count (plain->out, "class=\"sign\""), ==, 0);
  g_assert_cmpuint (count (plain->out, "class=\"item\""), ==, 2);
  g_assert_cmpuint (count (expanded->out, "class=\"item\""), ==, 2 + 2 * 2 + 2 * 2);
  g_assert_cmpuint (count (expanded->out, "class=\"frame "), ==, 2 + 2);
  g_assert_nonnull (strstr (expanded->out, "<title>y: else (1 layer)</title>"));
  g_assert_nonnull (strstr (expanded->out, "<title>2a.2.y (Activation)</title>"));
  g_assert_nonnull (strstr (expanded->out, "<title>2a.2.t → 2a.2.y</title>"));
  assert_status (layout, 0);
  g_assert_nonnull (strstr (layout->out, "{\"from\": \"2b.x\", \"to\": \"2b.2.t\""));
  g_assert_nonnull (strstr (layout->out, "{\"name\": \"y: then\""));
}

/* That a layer cannot be opened is no matter of room. */
static void
test_expand_what_cannot_be_told (void)
{
  static const char text[] =
      "{\"class_name\": \"Sequential\", \"config\": {\"layers\": ["
      "{\"class_name\": \"Dense\", \"config\": {\"name\": \"fc\", \"units\": 2,"
      " \"activation\": \"mystery\", \"batch_input_shape\": [null, 3]}}]}}";

  g_assert_true (g_file_set_contents (scratch ("mystery.json"), text, -1, NULL));
  g_autoptr (Ending) ending = run_line ("draw %s -o - --to svg --expand", scratch ("mystery.json"));

  assert_status (ending, 0);
  assert_err (ending, "mystery.json: note: --expand: 1 layer is left closed: what it is made of "
                      "cannot be told");
  g_assert_null (strstr (ending->err, "too deep"));
  g_assert_null (strstr (ending->err, "nothing is inside"));
}

static void
test_nothing_to_expand (void)
{
  g_autoptr (Ending) plain = run_line ("layout %s -o - --fold", SMALL);
  g_autoptr (Ending) expanded = run_line ("layout %s -o - --expand", SMALL);

  assert_status (expanded, 0);
  assert_err (expanded,
              "small-symbol.json: note: --expand: nothing is inside of any layer that is drawn");
  g_assert_cmpuint (count (expanded->out, "\"name\""), ==, count (plain->out, "\"name\""));
}

static void
test_layout_without_fold (void)
{
  g_autoptr (Ending) layout = run_line ("layout %s -o -", SMALL);

  assert_status (layout, 0);
  g_assert_null (strstr (layout->out, "\"frames\""));
  assert_status (layout, 0);
}

static void
test_draw_around (void)
{
  g_autoptr (Ending) ending = run_line ("draw %s -o - --to svg --around pool0 --hops 1", SMALL);
  g_autoptr (Ending) missing = run_line ("draw %s -o - --to svg --around pool1", SMALL);

  assert_status (ending, 0);
  assert_out (ending, "pool0");
  assert_out (ending, "flatten0");
  g_assert_null (strstr (ending->out, "conv0"));
  assert_refused (missing, 1, "pool1");
}

/* A chain of 200 equal layers opens with most of them as one item; what is near that is near any of
 * them. */
static void
test_draw_around_group (void)
{
  g_autoptr (GString) text =
      g_string_new ("{\"nodes\":[{\"op\":\"null\",\"name\":\"data\",\"inputs\":[]}");
  g_autoptr (Ending) ending = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, ",{\"op\":\"tanh\",\"name\":\"a%u\",\"inputs\":[[%u,0,0]]}", i,
                            i);
  g_string_append (text, "],\"arg_nodes\":[0],\"heads\":[[200,0,0]]}");
  g_assert_true (g_file_set_contents (scratch ("chain.json"), text->str, -1, NULL));
  ending = run_line ("draw %s -o - --to svg --fold --around a150 --hops 1", scratch ("chain.json"));
  assert_status (ending, 0);
  assert_out (ending, "2 layers each");
}

static void
test_draw_around_several (void)
{
  g_autoptr (Ending) both =
      run_line ("draw %s -o - --to svg --around data,flatten0 --hops 0", SMALL);
  g_autoptr (Ending) missing = run_line ("draw %s -o - --to svg --around data,pool1", SMALL);

  assert_status (both, 0);
  assert_out (both, "data");
  assert_out (both, "flatten0");
  g_assert_null (strstr (both->out, "pool0"));
  assert_refused (missing, 1, "pool1");
}

static void
test_draw_nowhere (void)
{
  g_autoptr (Ending) ending = run_line ("draw %s -o /nowhere/at-all.svg", SMALL);

  assert_refused (ending, 1, "symscope: /nowhere/at-all.svg");
}

static void
assert_inside (const cJSON *item, double width, double height)
{
  double x = member (item, "x")->valuedouble;
  double y = member (item, "y")->valuedouble;

  g_assert_cmpfloat (x, >=, 0);
  g_assert_cmpfloat (y, >=, 0);
  g_assert_cmpfloat (x + member (item, "width")->valuedouble, <=, width);
  g_assert_cmpfloat (y + member (item, "height")->valuedouble, <=, height);
}

static void
test_layout (void)
{
  static const char *const steps[] = { "load", "infer", "scene", "layout", "total" };
  g_autoptr (Ending) ending = run_line ("layout %s -o -", SMALL);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *items = member (json, "items");
  const cJSON *edges = member (json, "edges");
  const cJSON *size = member (json, "size");
  const cJSON *element;

  /* Nine layers and two inputs; split0 gives sum,0 two values. */
  g_assert_cmpint (cJSON_GetArraySize (items), ==, 11);
  g_assert_cmpint (cJSON_GetArraySize (edges), ==, 11);
  cJSON_ArrayForEach (element, items)
      assert_inside (element, cJSON_GetArrayItem (size, 0)->valuedouble,
                     cJSON_GetArrayItem (size, 1)->valuedouble);
  cJSON_ArrayForEach (element, edges)
  {
    find_named (items, member (element, "from")->valuestring);
    find_named (items, member (element, "to")->valuestring);
    g_assert_cmpint (cJSON_GetArraySize (member (element, "points")) % 3, ==, 1);
  }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    g_assert_cmpfloat (member (member (json, "milliseconds"), steps[i])->valuedouble, >=, 0);
}

static guint
read_number (const Ending *ending, gsize offset)
{
  const guint8 *bytes = (const guint8 *) ending->out;

  g_assert_cmpuint (ending->n_out, >, offset + 4);
  return (guint) bytes[offset] << 24 | (guint) bytes[offset + 1] << 16 |
         (guint) bytes[offset + 2] << 8 | bytes[offset + 3];
}

/* Whatever is drawn, it is exactly as wide or as high as asked for. */
static void
test_size (void)
{
  static const char *const parts[] = { "", "--around pool0", "--crop 1.5,2,33.3,77" };
  static const guint sizes[] = { 1, 77, 1000, 4099 };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        g_autoptr (Ending) wide =
            run_line ("draw %s -o - --to png --width %u %s", SMALL, sizes[k], parts[i]);
        g_autoptr (Ending) high =
            run_line ("draw %s -o - --to png --height %u %s", SMALL, sizes[k], parts[i]);

        assert_status (wide, 0);
        assert_status (high, 0);
        g_assert_cmpuint (read_number (wide, 16), ==, sizes[k]);
        g_assert_cmpuint (read_number (high, 20), ==, sizes[k]);
      }
}

static void
test_refused_options (void)
{
  static const struct {
    const char *options;
    int status;
    const char *part;
  } cases[] = {
    { "--width 0", 2, "--width: “0”" },
    { "--height -5", 2, "--height: “-5”" },
    { "--width 10 --scale 2", 2, "only one of" },
    { "--width 10 --height 10", 2, "only one of" },
    { "--crop 1,2,3", 2, "--crop: “1,2,3”" },
    { "--crop 1,2,3,0", 2, "--crop:" },
    { "--crop 1,2,3,nan", 2, "--crop:" },
    { "--crop 90000,2,3,4", 1, "the drawing is 0,0," },
    { "--paper a9", 2, "a9" },
    { "--around pool0 --outputs pool0", 2, "--around cannot be given" },
    { "--hops 2 --outputs pool0", 2, "--hops needs --around" },
    { "--outputs pool7", 1, "pool7" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending = run_line ("draw %s -o - --to png %s", SMALL, cases[i].options);

      assert_status (ending, cases[i].status);
      assert_err (ending, cases[i].part);
      g_assert_cmpuint (ending->n_out, ==, 0);
    }
}

static void
test_draw_cut (void)
{
  g_autoptr (Ending) before = run_line ("draw %s -o - --to svg --outputs pool0", SMALL);
  g_autoptr (Ending) after =
      run_line ("draw %s -o - --to svg --outputs flatten0 --inputs pool0", SMALL);

  assert_status (before, 0);
  assert_out (before, "conv0");
  g_assert_null (strstr (before->out, "flatten0"));
  assert_status (after, 0);
  assert_out (after, "flatten0");
  g_assert_null (strstr (after->out, "conv0"));
}

static void
test_paper (void)
{
  g_autoptr (Ending) plain = run_line ("draw %s -o - --to pdf", SMALL);
  g_autoptr (Ending) paper = run_line ("draw %s -o - --to pdf --paper a4", SMALL);
  g_autoptr (Ending) scaled = run_line ("draw %s -o - --to pdf --scale 2", SMALL);
  g_autoptr (Ending) svg = run_line ("draw %s -o - --to svg --paper a4", SMALL);

  assert_status (paper, 0);
  assert_status (scaled, 0);
  g_assert_true (plain->n_out != paper->n_out ||
                 memcmp (plain->out, paper->out, plain->n_out) != 0);
  g_assert_true (plain->n_out != scaled->n_out ||
                 memcmp (plain->out, scaled->out, plain->n_out) != 0);
  assert_err (svg, "note: --paper changes nothing: it is for PDF");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/thumbnail/is-as-large-as-asked-for", test_thumbnail);
  g_test_add_func ("/cli/draw/writes-each-format", test_draw);
  g_test_add_func ("/cli/draw/minds-each-option", test_draw_options);
  g_test_add_func ("/cli/draw/scales-what-has-pixels", test_scale);
  g_test_add_func ("/cli/draw/says-when-nothing-folds", test_nothing_to_fold);
  g_test_add_func ("/cli/draw/folds-what-is-large", test_fold);
  g_test_add_func ("/cli/draw/opens-bodies", test_expand);
  g_test_add_func ("/cli/draw/tells-what-cannot-be-expanded", test_expand_what_cannot_be_told);
  g_test_add_func ("/cli/draw/says-when-nothing-opens", test_nothing_to_expand);
  g_test_add_func ("/cli/layout/has-no-frames-without-fold", test_layout_without_fold);
  g_test_add_func ("/cli/draw/draws-what-is-near", test_draw_around);
  g_test_add_func ("/cli/draw/draws-what-is-near-several", test_draw_around_several);
  g_test_add_func ("/cli/draw/draws-what-is-near-a-folded-group", test_draw_around_group);
  g_test_add_func ("/cli/draw/names-where-it-cannot-write", test_draw_nowhere);
  g_test_add_func ("/cli/layout/writes-items-edges-and-times", test_layout);
  g_test_add_func ("/cli/draw/is-as-large-as-asked-for", test_size);
  g_test_add_func ("/cli/draw/refuses-what-makes-no-sense", test_refused_options);
  g_test_add_func ("/cli/draw/draws-what-a-cut-keeps", test_draw_cut);
  g_test_add_func ("/cli/draw/minds-the-paper", test_paper);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
