/* SPDX-License-Identifier: MIT */
#include "draw/sym-rgb.h"

#include <math.h>
#include <pango/pango.h>
#include <string.h>

/* As it is where the files that bring such colours are made for. */
static SymRgb
put_on_white (const double parts[3], double alpha)
{
  SymRgb rgb = 0;

  for (guint i = 0; i < 3; i++)
    rgb = rgb << 8 | (SymRgb) (CLAMP (parts[i] * alpha + 1 - alpha, 0, 1) * 255 + 0.5);
  return rgb;
}

/* "255", "40%": of @most; steps over it and the comma behind it. */
static gboolean
parse_part (const char **text, double most, double *part)
{
  char *end;

  *part = g_ascii_strtod (*text, &end);
  if (end == *text || !isfinite (*part))
    return FALSE;
  *part /= *end == '%' ? 100 : most;
  end += *end == '%';
  *text = end + strspn (end, " ,/");
  return TRUE;
}

/* "rgb(1, 2, 3)", "rgba(1 2 3 / 50%)"; names and hexadecimal ones are Pango's. */
static gboolean
parse_function (const char *text, SymRgb *rgb)
{
  double parts[3], alpha = 1;

  if (!g_str_has_prefix (text, "rgb(") && !g_str_has_prefix (text, "rgba("))
    return FALSE;
  text = strchr (text, '(') + 1;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!parse_part (&text, 255, &parts[i]))
      return FALSE;
  if (*text != ')' && !parse_part (&text, 1, &alpha))
    return FALSE;
  if (!g_str_equal (text, ")"))
    return FALSE;
  *rgb = put_on_white (parts, CLAMP (alpha, 0, 1));
  return TRUE;
}

gboolean
sym_rgb_parse (const char *text, SymRgb *rgb)
{
  PangoColor color;
  guint16 alpha;

  if (text == NULL)
    return FALSE;
  if (!pango_color_parse_with_alpha (&color, &alpha, text))
    return parse_function (text, rgb);
  const double parts[] = { color.red / 65535.0, color.green / 65535.0, color.blue / 65535.0 };

  *rgb = put_on_white (parts, alpha / 65535.0);
  return TRUE;
}

SymRgb
sym_rgb_mix (SymRgb a, SymRgb b, double part)
{
  SymRgb color = 0;

  for (guint shift = 0; shift <= 16; shift += 8)
    {
      double from = a >> shift & 0xff;
      double to = b >> shift & 0xff;

      color |= (SymRgb) (from + (to - from) * part + 0.5) << shift;
    }
  return color;
}

guint
sym_rgb_get_distance (SymRgb a, SymRgb b)
{
  guint sum = 0;

  for (guint shift = 0; shift <= 16; shift += 8)
    {
      int difference = (int) (a >> shift & 0xff) - (int) (b >> shift & 0xff);

      sum += (guint) (difference * difference);
    }
  return sum;
}

gboolean
sym_rgb_mix_stops (const SymRgbStop *stops, guint n, double place, SymRgb *rgb)
{
  guint next = 0;

  if (n == 0)
    return FALSE;
  while (next < n && stops[next].place < place)
    next++;
  if (next == 0 || next == n || stops[next].place <= stops[next - 1].place)
    {
      *rgb = stops[MIN (next, n - 1)].rgb;
      return TRUE;
    }
  const SymRgbStop *before = &stops[next - 1], *behind = &stops[next];

  *rgb = sym_rgb_mix (before->rgb, behind->rgb,
                      (place - before->place) / (behind->place - before->place));
  return TRUE;
}
