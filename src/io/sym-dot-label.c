/* SPDX-License-Identifier: MIT */
#include "io/sym-dot-private.h"

#include <string.h>

/* Labels of Keras' plot_model(), whose nodes are called by numbers: records until Keras 2, as
 * "conv: Conv2D\n|{input:|output:}|{{(None, 8, 8, 3)}|{(None, 6, 6, 4)}}", also with [ ] around the
 * shapes and, of name and type, "{conv|Conv2D}"; tables in HTML since Keras 3: "<b>conv</b>
 * (Conv2D)", "Output shape: <b>(None, 6, 6, 4)</b>". */

#define SIDES "{input:|output:}"
#define OUTPUT "Output shape: <b>"

/* From "(None, 8, 8, 3)" on; of unknown rank for what is no tuple of sizes, or several. */
static SymShape
read_shape (const char *at)
{
  SymShape shape = { .rank = 0 };

  at += strspn (at, "[ ");
  if (*at++ != '(')
    return SYM_SHAPE_UNKNOWN;
  while (*(at += strspn (at, ", ")) != ')')
    {
      char *end = (char *) at;
      gint64 size = g_ascii_strtoll (at, &end, 10);

      if (shape.rank == SYM_MAX_RANK || (end == at && !g_str_has_prefix (at, "None")) || size < 0 ||
          size > G_MAXINT32)
        return SYM_SHAPE_UNKNOWN;
      shape.dims[shape.rank++] = end == at ? SYM_DIM_UNKNOWN : size;
      at = end == at ? at + strlen ("None") : end;
    }
  at++;
  at += strspn (at, "] ");
  return *at == '}' || *at == '<' ? shape : SYM_SHAPE_UNKNOWN;
}

/* "conv: Conv2D", "{conv|Conv2D}" */
static gboolean
read_head (const char *text, gsize length, SymDotLabel *label)
{
  g_autofree char *head = g_strndup (text, length);
  char *type, *end;

  for (char *line = strstr (head, "\\n"); line != NULL; line = strstr (line, "\\n"))
    line[0] = line[1] = ' ';
  g_strdelimit (head, "{}", ' ');
  g_strstrip (head);
  type = strstr (head, ": ");
  if (type == NULL)
    type = strchr (head, '|');
  if (type == NULL || type == head)
    return FALSE;
  *type++ = '\0';
  end = strchr (type, '|'); /* of its dtype */
  if (end != NULL)
    *end = '\0';
  label->name = g_strdup (g_strstrip (head));
  label->type = g_strdup (g_strstrip (type));
  return TRUE;
}

static gboolean
read_record (const char *text, SymDotLabel *label)
{
  const char *sides = strstr (text, "|" SIDES "|"), *output;

  if (sides == NULL || !read_head (text, (gsize) (sides - text), label))
    return FALSE;
  output = strstr (sides + strlen ("|" SIDES "|"), "}|{");
  if (output != NULL)
    label->shape = read_shape (output + strlen ("}|{"));
  return TRUE;
}

static gboolean
read_table (const char *text, SymDotLabel *label)
{
  const char *name = strstr (text, "<b>"),
             *name_end = name == NULL ? NULL : strstr (name, "</b> (");
  const char *type = name_end == NULL ? NULL : name_end + strlen ("</b> (");
  const char *type_end = type == NULL ? NULL : strchr (type, ')');
  const char *output = type_end == NULL ? NULL : strstr (type_end, OUTPUT);

  if (output == NULL)
    return FALSE;
  name += strlen ("<b>");
  label->name = g_strndup (name, (gsize) (name_end - name));
  label->type = g_strndup (type, (gsize) (type_end - type));
  label->shape = read_shape (output + strlen (OUTPUT));
  return TRUE;
}

gboolean
sym_dot_label_read (const char *text, SymDotLabel *label)
{
  *label = (SymDotLabel){ .shape = SYM_SHAPE_UNKNOWN };
  return text[0] == '<' ? read_table (text, label) : read_record (text, label);
}
