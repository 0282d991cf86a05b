/* SPDX-License-Identifier: MIT */
#include "draw/sym-rgb.h"

static void
test_colours_are_read (void)
{
  static const struct {
    const char *text;
    SymRgb rgb;
  } cases[] = {
    { "red", 0xff0000 },
    { "Purple", 0x800080 },
    { "#0a0", 0x00aa00 },
    { "#ff6347", 0xff6347 },
    { "#ff000080", 0xff7f7f },
    { "#f000", 0xffffff },
    { "rgb(1, 2, 3)", 0x010203 },
    { "rgb(1 2 3)", 0x010203 },
    { "rgb(0, 0, 100%)", 0x0000ff },
    { "rgb(300, -5, 0)", 0xff0000 },
    { "rgba(255, 0, 0, 0.5)", 0xff8080 },
    { "rgb(255 0 0 / 50%)", 0xff8080 },
    { "rgba(0, 0, 0, 7)", 0x000000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymRgb rgb = 0x123456;

      g_test_message ("%s", cases[i].text);
      g_assert_true (sym_rgb_parse (cases[i].text, &rgb));
      g_assert_cmphex (rgb, ==, cases[i].rgb);
    }
}

static void
test_what_is_none_is_refused (void)
{
  static const char *cases[] = { NULL,
                                 "",
                                 "blurple",
                                 "#12",
                                 "#ggg",
                                 "rgb",
                                 "rgb(",
                                 "rgb(1, 2)",
                                 "rgb(1, 2, 3",
                                 "rgb(1, 2, x)",
                                 "rgb(1, 2, nan)",
                                 "rgb(1, 2, 3, 4, 5)",
                                 "rgb(1, 2, 3) and more",
                                 "hsl(1, 2%, 3%)" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymRgb rgb = 0x123456;

      g_test_message ("%s", cases[i]);
      g_assert_false (sym_rgb_parse (cases[i], &rgb));
      g_assert_cmphex (rgb, ==, 0x123456);
    }
}

static void
test_two_are_mixed (void)
{
  g_assert_cmphex (sym_rgb_mix (0x000000, 0xffffff, 0), ==, 0x000000);
  g_assert_cmphex (sym_rgb_mix (0x000000, 0xffffff, 1), ==, 0xffffff);
  g_assert_cmphex (sym_rgb_mix (0xff0000, 0x0000ff, 0.5), ==, 0x800080);
  g_assert_cmpuint (sym_rgb_get_distance (0x102030, 0x102030), ==, 0);
  g_assert_cmpuint (sym_rgb_get_distance (0x000000, 0xffffff), ==, 3 * 255 * 255);
  g_assert_cmpuint (sym_rgb_get_distance (0x000300, 0x000004), ==, 3 * 3 + 4 * 4);
}

static void
test_gradients_go_from_stop_to_stop (void)
{
  static const SymRgbStop stops[] = {
    { 0.25, 0x000000 }, { 0.5, 0xff0000 }, { 0.5, 0x0000ff }, { 1, 0x00ff00 }
  };
  static const struct {
    double place;
    SymRgb rgb;
  } cases[] = {
    { 0, 0x000000 },    { 0.25, 0x000000 }, { 0.375, 0x800000 }, { 0.5, 0xff0000 },
    { 0.75, 0x008080 }, { 1, 0x00ff00 },    { 2, 0x00ff00 },
  };
  SymRgb rgb = 0x123456;

  g_assert_false (sym_rgb_mix_stops (stops, 0, 0.5, &rgb));
  g_assert_cmphex (rgb, ==, 0x123456);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%g", cases[i].place);
      g_assert_true (sym_rgb_mix_stops (stops, G_N_ELEMENTS (stops), cases[i].place, &rgb));
      g_assert_cmphex (rgb, ==, cases[i].rgb);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/rgb/colours-are-read", test_colours_are_read);
  g_test_add_func ("/draw/rgb/what-is-none-is-refused", test_what_is_none_is_refused);
  g_test_add_func ("/draw/rgb/two-are-mixed", test_two_are_mixed);
  g_test_add_func ("/draw/rgb/gradients-go-from-stop-to-stop", test_gradients_go_from_stop_to_stop);
  return g_test_run ();
}
