/* SPDX-License-Identifier: MIT */
#include "app/scope-text.h"

#include <glib/gi18n.h>

#include "app/scope-place.h"
#include "io/sym-overlay.h"

static char *
format_shape (SymInference *inference, SymId value, const char *between)
{
  SymType type = sym_inference_get_type (inference, value);
  const SymShape unknown = SYM_SHAPE_UNKNOWN;
  g_autofree char *shape = NULL;

  switch (type.kind)
    {
    case SYM_KIND_TENSOR:
      if (type.shape.rank == 0)
        return g_strdup (_ ("scalar"));
      return sym_inference_format_shape (inference, &type.shape, between);
    case SYM_KIND_SEQUENCE:
      shape = sym_inference_format_shape (inference, &type.shape, between);
      return g_strdup_printf (_ ("sequence of %s"), shape);
    case SYM_KIND_OPTIONAL:
      shape = sym_inference_format_shape (inference, &type.shape, between);
      return g_strdup_printf (_ ("optional %s"), shape);
    case SYM_KIND_TUPLE:
      return g_strdup_printf (_ ("tuple of %u"), type.n_elements);
    case SYM_KIND_OPAQUE:
      return g_strdup (type.name != NULL ? type.name : "?");
    case SYM_KIND_UNKNOWN: /* as of a tensor whose shape is: the user sees no difference */
    default:
      return sym_inference_format_shape (inference, &unknown, between);
    }
}

char *
scope_text_shape (SymInference *inference, SymId value)
{
  return format_shape (inference, value, "×");
}

static gboolean
has_names (SymInference *inference, const SymShape *shape)
{
  for (int i = 0; i < shape->rank; i++)
    {
      g_autofree char *name =
          shape->dims[i] < 0 && shape->dims[i] != SYM_DIM_UNKNOWN
              ? sym_terms_format (sym_inference_get_terms (inference), shape->dims[i])
              : NULL;

      if (name != NULL)
        return TRUE;
    }
  return FALSE;
}

char *
scope_text_spoken_shape (SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  return format_shape (inference, value, has_names (inference, &type.shape) ? " x " : "x");
}

char *
scope_text_bytes (guint64 n)
{
  g_autofree char *text = sym_count_to_bytes_string ((SymCount){ n, TRUE });
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  return g_strjoinv ("\u00a0", words);
}

char *
scope_text_type (SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);
  const char *dtype = sym_dtype_to_string (type.dtype);
  guint64 n, n_bytes;

  if (type.dtype == SYM_DTYPE_UNKNOWN)
    return g_strdup (_ ("Not known"));
  if (type.kind != SYM_KIND_TENSOR || !sym_shape_get_n_elements (&type.shape, &n) ||
      !sym_dtype_get_size (type.dtype, n, &n_bytes))
    return g_strdup (dtype);
  g_autofree char *size = scope_text_bytes (n_bytes);

  return g_strdup_printf ("%s · %s", dtype, size);
}

const char *
scope_text_dtype (SymInference *inference, SymId value)
{
  SymDType dtype = sym_inference_get_type (inference, value).dtype;

  return dtype != SYM_DTYPE_UNKNOWN ? sym_dtype_to_string (dtype) : NULL;
}

const char *
scope_text_name (SymModel *model, SymId value)
{
  const char *variable = sym_model_get_variable (model, value);
  const char *name = sym_model_get_value_name (model, value);

  if (variable != NULL && *variable != '\0')
    return variable;
  return name != NULL && *name != '\0' ? name : "?";
}

static gboolean
has_own_box (const SymSceneItem *item, SymId value)
{
  gboolean result = FALSE;

  for (guint i = 0; i < item->n_boxes; i++)
    result = result || (value != SYM_NO_ID && item->boxes[i].value == value);
  return result;
}

char *
scope_text_group (ScopeDocument *document, SymId value, SymId call)
{
  SymPicture *picture = scope_document_get_picture (document);
  SymLayout *layout = picture != NULL ? sym_picture_get_layout (picture) : NULL;
  guint index = layout != NULL ? scope_place_find_item (layout, value, call) : G_MAXUINT;

  if (index == G_MAXUINT)
    return NULL;
  const SymSceneItem *item = sym_scene_get_item (sym_layout_get_scene (layout), index);

  if (item->group == SYM_NO_GROUP || has_own_box (item, value))
    return NULL;
  return g_strdup_printf ("%s · %s", item->boxes[0].lines[0], item->boxes[0].lines[1]);
}

char *
scope_text_frame (ScopeDocument *document)
{
  guint group = scope_document_get_selected_frame (document);

  if (group == SYM_NO_GROUP)
    return NULL;
  const SymGroup *what =
      sym_groups_get (sym_folding_get_groups (scope_document_get_folding (document)), group);
  g_autofree char *n = scope_format_count (what->n_calls);

  return g_strdup_printf (
      ngettext ("%s · open group of %s layer", "%s · open group of %s layers", what->n_calls),
      what->name, n);
}

/* "conv0 · 64×30×30 · Convolution". */
static GString *
describe (SymInference *inference, SymId value, SymId call)
{
  SymModel *model = sym_inference_get_model (inference);
  GString *text = g_string_new (NULL);

  if (value != SYM_NO_ID)
    {
      g_autofree char *shape = scope_text_shape (inference, value);

      call = sym_model_get_producer (model, value);
      g_string_printf (text, "%s · %s", scope_text_name (model, value), shape);
    }
  else
    {
      const char *name = sym_model_get_call_name (model, call);

      g_string_append (text, name != NULL ? name : "");
    }
  if (call != SYM_NO_ID)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "",
                            sym_layer_get_type (sym_model_get_layer (model, call)));
  else
    g_string_append_printf (text, " · %s", sym_role_to_string (sym_model_get_role (model, value)));
  return text;
}

char *
scope_text_describe (ScopeDocument *document, SymId value, SymId call)
{
  SymInference *inference = scope_document_get_inference (document);

  if (inference == NULL || (value == SYM_NO_ID && call == SYM_NO_ID))
    return NULL;
  char *group = scope_text_group (document, value, call);

  if (group != NULL)
    return group;
  g_autoptr (GString) text = describe (inference, value, call);

  if (value != SYM_NO_ID)
    call = sym_model_get_producer (sym_inference_get_model (inference), value);
  const char *problem = scope_document_get_call_problem (document, call);

  if (problem != NULL)
    g_string_append_printf (text, "\n%s", problem);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
scope_text_layer (SymModel *model, SymId value, SymId call)
{
  const char *name;
  SymId result;

  if (call == SYM_NO_ID)
    return g_strdup_printf ("“%s”", scope_text_name (model, value));
  name = sym_model_get_call_name (model, call);
  result = sym_model_get_first_result (model, call);
  if ((name == NULL || *name == '\0') && result != SYM_NO_ID)
    name = scope_text_name (model, result);
  return g_strdup_printf ("“%s” (%s)", name != NULL ? name : "?",
                          sym_layer_get_type (sym_model_get_layer (model, call)));
}

/* "fc1_output · 1×8\n“fc1” (FullyConnected) → “relu1” (Activation)". */
static char *
describe_line (SymInference *inference, SymId value, SymId to)
{
  SymModel *model = sym_inference_get_model (inference);
  g_autofree char *shape = scope_text_shape (inference, value);
  g_autofree char *from = scope_text_layer (model, value, sym_model_get_producer (model, value));
  g_autofree char *end = scope_text_layer (model, SYM_NO_ID, to);

  return g_strdup_printf ("%s · %s\n%s → %s", scope_text_name (model, value), shape, from, end);
}

char *
scope_text_describe_node (ScopeDocument *document, const ScopeNode *node)
{
  SymInference *inner = scope_document_get_inner_inference (document, node);
  SymInference *inference = scope_document_get_inference (document);
  SymModel *model = scope_document_get_model (document);

  if (scope_document_knows_line (document, node))
    return inner != NULL ? describe_line (inner, node->inner_value, node->to)
                         : describe_line (inference, node->value, node->to);
  if (inner == NULL)
    return scope_text_describe (document, node->value, node->call);
  g_autoptr (GString) text = describe (inner, node->inner_value, node->inner_call);
  const char *layer = sym_model_get_call_name (model, node->call);

  g_string_prepend (text, " · ");
  g_string_prepend (text, layer != NULL ? layer : "?");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
scope_text_overlay (ScopeDocument *document, SymId call)
{
  SymOverlay *overlay = scope_document_get_overlay (document);

  return overlay != NULL ? sym_overlay_tell (overlay, call) : NULL;
}

/* "x, but 0 where x is below 0": a letter of its own is what a formula calls something, unless it
 * is the article. */
static gboolean
begins_with_symbol (const char *message)
{
  return g_ascii_isalpha (message[0]) && !g_ascii_isalnum (message[1]) &&
         !g_str_has_prefix (message, "a ");
}

char *
scope_text_sentence (const char *message)
{
  g_return_val_if_fail (message != NULL, NULL);

  gunichar first = g_utf8_get_char_validated (message, -1);
  g_autoptr (GString) text = g_string_new (NULL);

  if (first == 0 || first >= (gunichar) -2 || begins_with_symbol (message))
    return g_strdup (message);
  g_string_append_unichar (text, g_unichar_toupper (first));
  g_string_append (text, g_utf8_next_char (message));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
scope_text_milliseconds (double milliseconds)
{
  if (milliseconds <= 0)
    return g_strdup (_ ("0 s"));
  if (milliseconds >= 999.5)
    return g_strdup_printf (_ ("%.3g s"), milliseconds / 1e3);
  if (milliseconds >= 0.9995)
    return g_strdup_printf (_ ("%.3g ms"), milliseconds);
  if (milliseconds >= 0.0009995)
    return g_strdup_printf (_ ("%.3g µs"), milliseconds * 1e3);
  return g_strdup_printf (_ ("%.3g ns"), milliseconds * 1e6);
}

char *
scope_text_number (double number)
{
  g_autofree char *text = g_strdup_printf ("%.5g", number);

  return *text == '-' ? g_strconcat ("−", text + 1, NULL) : g_steal_pointer (&text);
}

char *
scope_text_count (SymCount count, gboolean is_bytes)
{
  SymCount least = { count.n, TRUE };
  g_autofree char *text =
      is_bytes ? sym_count_to_bytes_string (least) : sym_count_to_short_string (least);

  if (count.known)
    return g_steal_pointer (&text);
  return count.n > 0 ? g_strdup_printf ("≥ %s", text) : g_strdup ("?");
}
