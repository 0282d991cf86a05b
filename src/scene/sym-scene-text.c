/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-text.h"

#include <string.h>

#include "core/sym-naming.h"

static const char *
describe_container (const SymType *type)
{
  switch (type->kind)
    {
    case SYM_KIND_SEQUENCE:
      return "sequence";
    case SYM_KIND_OPTIONAL:
      return "optional";
    case SYM_KIND_OPAQUE:
      return type->name ? type->name : "object";
    case SYM_KIND_TUPLE:
    case SYM_KIND_TENSOR:
    case SYM_KIND_UNKNOWN:
    default:
      return "?";
    }
}

static char *
format_shape (const SymInference *inference, const SymType *type)
{
  if (type->shape.rank == 0)
    return g_strdup ("scalar");
  return sym_inference_format_shape (inference, &type->shape, "×");
}

static char *
format_tensor (const SymInference *inference, const SymType *type, SymLabels labels)
{
  const char *dtype = sym_dtype_to_string (type->dtype);
  g_autofree char *shape = format_shape (inference, type);

  if (!(labels & SYM_LABEL_DTYPE))
    return g_steal_pointer (&shape);
  if (!(labels & SYM_LABEL_SHAPE))
    return g_strdup (dtype);
  if (type->dtype == SYM_DTYPE_UNKNOWN)
    return g_steal_pointer (&shape);
  return g_strdup_printf ("%s %s", shape, dtype);
}

/* P82: an attribute that was taken to be called. */
static gboolean
is_callable (const SymModel *model, SymId value)
{
  SymId call = sym_model_get_producer (model, value);

  return call != SYM_NO_ID &&
         g_str_equal (sym_layer_get_type (sym_model_get_layer (model, call)), "GetAttr");
}

char *
sym_scene_format_type (const SymInference *inference, SymId value, SymLabels labels)
{
  SymType type = sym_inference_get_type (inference, value);

  if (type.kind == SYM_KIND_TENSOR || type.kind == SYM_KIND_UNKNOWN)
    return format_tensor (inference, &type, labels);
  if (type.kind == SYM_KIND_TUPLE)
    return g_strdup_printf ("tuple(%u)", type.n_elements);
  if (type.kind == SYM_KIND_OPAQUE && is_callable (sym_inference_get_model (inference), value))
    return g_strdup ("callable");
  return g_strdup (describe_container (&type));
}

char *
sym_scene_format_name (const SymModel *model,
                       SymId value,
                       const char *unique_name,
                       SymLabels labels)
{
  const char *variable = sym_model_get_variable (model, value);
  g_autofree char *name = sym_naming_shorten (unique_name);

  if (!(labels & SYM_LABEL_VARIABLE))
    return g_steal_pointer (&name);
  if (!(labels & SYM_LABEL_NAME))
    return g_strdup (variable ? variable : "?");
  if (!variable || g_str_equal (variable, unique_name))
    return g_steal_pointer (&name);
  return g_strdup_printf ("%s · %s", variable, name);
}

/* Leaves out the middle, since the ends of a name tell it from its neighbours. */
static char *
elide (const char *text)
{
  glong n = g_utf8_strlen (text, -1);
  glong n_head = SYM_SCENE_MAX_LINE / 2 - 1;
  glong n_tail = SYM_SCENE_MAX_LINE - n_head - 1;
  const char *tail;

  if (n <= SYM_SCENE_MAX_LINE)
    return g_strdup (text);
  tail = g_utf8_offset_to_pointer (text, n - n_tail);
  return g_strdup_printf ("%.*s…%s", (int) (g_utf8_offset_to_pointer (text, n_head) - text), text,
                          tail);
}

static gboolean
is_plain (const char *text, gssize n_bytes)
{
  if (n_bytes > SYM_SCENE_MAX_LINE)
    return FALSE;
  for (gssize i = 0; i < n_bytes; i++)
    {
      guchar c = (guchar) text[i];

      if (c < 0x20 || c >= 0x7f)
        return FALSE;
    }
  return TRUE;
}

/* Format characters go too: a text that overrides its direction would spill into its neighbours. */
static gboolean
is_settable (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return type != G_UNICODE_CONTROL && type != G_UNICODE_SURROGATE && type != G_UNICODE_UNASSIGNED &&
         type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR &&
         !(c >= 0x202a && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069);
}

char *
sym_scene_clean_line (const char *text, gssize n_bytes)
{
  g_autofree char *valid = NULL;
  g_autoptr (GString) line = NULL;

  if (n_bytes < 0)
    n_bytes = (gssize) strlen (text);
  if (is_plain (text, n_bytes))
    return g_strndup (text, (gsize) n_bytes);

  valid = g_utf8_make_valid (text, n_bytes);
  line = g_string_sized_new (64);
  for (const char *p = valid; *p; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (line, c == '\t' ? ' ' : is_settable (c) ? c : 0xfffd);
    }
  return elide (line->str);
}
