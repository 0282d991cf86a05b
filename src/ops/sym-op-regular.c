/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-regular-private.h"

#include <string.h>

/* As RE2 has them: the greatest count of repetitions, the deepest nesting, and how many steps an
 * expression may come to. */
#define MOST_REPEATS 1000
#define MOST_GROUPS 1000
#define MOST_STEPS 100000

typedef struct {
  gboolean folds, by_lines, dot_is_all; /* i, m, s */
} Flags;

/* A group that is open: steps of the alternatives before this one, of this one up to its last item,
 * and of that item, to which a repetition applies. */
typedef struct {
  GArray *alternatives; /* NULL for none */
  GArray *sequence, *item;
  gboolean has_item;
  Flags outside; /* what holds behind the group */
} Group;

typedef struct {
  SymOpRegularReader reader;
  GArray *groups; /* of Group */
  Flags flags;
} Parser;

static GArray *
new_steps (void)
{
  return g_array_new (FALSE, FALSE, sizeof (SymOpStep));
}

static void
group_clear (gpointer data)
{
  Group *self = data;

  g_clear_pointer (&self->alternatives, g_array_unref);
  g_clear_pointer (&self->sequence, g_array_unref);
  g_clear_pointer (&self->item, g_array_unref);
}

static Group *
get_group (Parser *self)
{
  return &g_array_index (self->groups, Group, self->groups->len - 1);
}

static gboolean
fail (Parser *self, const char *what, GError **error)
{
  return sym_op_regular_fail (&self->reader, what, error);
}

/* ---- Steps ---- */

static void
add_step (GArray *steps, SymOpStepKind kind, int value)
{
  SymOpStep step = { kind, value };

  g_array_append_val (steps, step);
}

static void
add_steps (GArray *steps, const GArray *more)
{
  g_array_append_vals (steps, more->data, more->len);
}

/* The last item is one of the sequence now, and a new one, empty, begins. */
static GArray *
begin_item (Parser *self)
{
  Group *group = get_group (self);

  add_steps (group->sequence, group->item);
  g_array_set_size (group->item, 0);
  group->has_item = TRUE;
  return group->item;
}

static void
end_items (Group *group)
{
  add_steps (group->sequence, group->item);
  g_array_set_size (group->item, 0);
  group->has_item = FALSE;
}

/* a|b: split to a or behind it; a; jump behind b; b. */
static void
end_alternative (Group *group)
{
  GArray *both;

  end_items (group);
  if (group->alternatives == NULL)
    {
      group->alternatives = g_steal_pointer (&group->sequence);
      group->sequence = new_steps ();
      return;
    }
  both = new_steps ();
  add_step (both, SYM_OP_STEP_SPLIT, (int) group->alternatives->len + 2);
  add_steps (both, group->alternatives);
  add_step (both, SYM_OP_STEP_JUMP, (int) group->sequence->len + 1);
  add_steps (both, group->sequence);
  g_array_unref (group->alternatives);
  group->alternatives = both;
  g_array_set_size (group->sequence, 0);
}

/* @least copies, then as many optional ones as make @most, or any number (-1). */
static gboolean
repeat (Parser *self, int least, int most, GError **error)
{
  Group *group = get_group (self);
  guint n = group->item->len, copies = (guint) (most < 0 ? least + 1 : most);
  GArray *all;

  if (!group->has_item)
    return fail (self, "there is nothing to repeat", error);
  if ((guint64) (n + 2) * copies > MOST_STEPS)
    return fail (self, "repeated so often it is too large", error);
  all = new_steps ();
  for (int i = 0; i < least; i++)
    add_steps (all, group->item);
  for (int i = least; i < most; i++)
    {
      add_step (all, SYM_OP_STEP_SPLIT, (int) n + 1);
      add_steps (all, group->item);
    }
  if (most < 0)
    {
      add_step (all, SYM_OP_STEP_SPLIT, (int) n + 2);
      add_steps (all, group->item);
      add_step (all, SYM_OP_STEP_JUMP, -(int) n - 1);
    }
  g_array_unref (group->item);
  group->item = all;
  return TRUE;
}

/* ---- Reading ---- */

static gboolean
add_set (Parser *self, int set)
{
  if (set >= 0)
    add_step (begin_item (self), SYM_OP_STEP_SET, set);
  return set >= 0;
}

static gboolean
add_character (Parser *self, gunichar c)
{
  return add_set (self,
                  sym_op_regular_add_range (self->reader.self, c, c, FALSE, self->flags.folds));
}

static gboolean
add_place (Parser *self, SymOpPlace place)
{
  add_step (begin_item (self), SYM_OP_STEP_AT, (int) place);
  self->reader.place++;
  return TRUE;
}

static gboolean
read_literal (Parser *self)
{
  gunichar c;

  self->reader.place += sym_op_next_character (self->reader.place, strlen (self->reader.place), &c);
  return add_character (self, c);
}

/* \Q...\E, the end of which may be missing. */
static gboolean
read_quoted (Parser *self)
{
  const char *end = strstr (self->reader.place, "\\E");

  if (end == NULL)
    end = self->reader.place + strlen (self->reader.place);
  while (self->reader.place < end)
    read_literal (self);
  self->reader.place = end + (*end == '\0' ? 0 : 2);
  return TRUE;
}

static gboolean
read_escape (Parser *self, GError **error)
{
  switch (*++self->reader.place)
    {
    case 'A':
      return add_place (self, SYM_OP_AT_TEXT_START);
    case 'z':
      return add_place (self, SYM_OP_AT_TEXT_END);
    case 'b':
      return add_place (self, SYM_OP_AT_WORD_EDGE);
    case 'B':
      return add_place (self, SYM_OP_AT_NO_WORD_EDGE);
    case 'Q':
      self->reader.place++;
      return read_quoted (self);
    default:
      return add_set (self, sym_op_regular_read_escape (&self->reader, self->flags.folds, error));
    }
}

/* {n}, {n,} or {n,m}; anything else in braces is no repetition. */
static gboolean
read_counts (const char **place, int *least, int *most)
{
  const char *i = *place + 1;
  char *end;

  if (!g_ascii_isdigit (*i))
    return FALSE;
  *least = *most = (int) MIN (g_ascii_strtoull (i, &end, 10), MOST_REPEATS + 1);
  i = end;
  if (*i == ',')
    {
      i++;
      *most = -1;
      if (g_ascii_isdigit (*i))
        {
          *most = (int) MIN (g_ascii_strtoull (i, &end, 10), MOST_REPEATS + 1);
          i = end;
        }
    }
  if (*i != '}')
    return FALSE;
  *place = i + 1;
  return TRUE;
}

/* Whether there is a repetition here, which is passed. */
static gboolean
find_repetition (const char **place, int *least, int *most)
{
  *least = **place == '+' ? 1 : 0;
  *most = **place == '?' ? 1 : -1;
  if (**place == '{')
    return read_counts (place, least, most);
  if (**place != '*' && **place != '+' && **place != '?')
    return FALSE;
  ++*place;
  return TRUE;
}

/* Another question mark asks for few: all the same where the whole text counts.  Two repetitions of
 * the same item are none. */
static gboolean
apply_repetition (Parser *self, int least, int most, GError **error)
{
  int other[2];
  const char *place;

  if (least > MOST_REPEATS || most > MOST_REPEATS || (most >= 0 && most < least))
    return fail (self, "there is a count out of order", error);
  if (*self->reader.place == '?')
    self->reader.place++;
  place = self->reader.place;
  if (find_repetition (&place, &other[0], &other[1]))
    return fail (self, "there is a repetition of a repetition", error);
  return repeat (self, least, most, error);
}

/* ---- Groups ---- */

static void
open_group (Parser *self, Flags outside)
{
  Group group = { NULL, new_steps (), new_steps (), FALSE, outside };

  g_array_append_val (self->groups, group);
}

static gboolean
close_group (Parser *self, GError **error)
{
  g_autoptr (GArray) all = NULL;
  Group *group;

  if (self->groups->len < 2)
    return fail (self, "there is a ) without (", error);
  group = get_group (self);
  end_alternative (group);
  all = g_steal_pointer (&group->alternatives);
  self->flags = group->outside;
  g_array_set_size (self->groups, self->groups->len - 1);
  add_steps (begin_item (self), all);
  self->reader.place++;
  return TRUE;
}

/* i, m, s, U and what is set back behind a minus. */
static gboolean
read_flags (Parser *self, GError **error)
{
  gboolean value = TRUE;

  for (;; self->reader.place++)
    switch (*self->reader.place)
      {
      case 'i':
        self->flags.folds = value;
        break;
      case 'm':
        self->flags.by_lines = value;
        break;
      case 's':
        self->flags.dot_is_all = value;
        break;
      case 'U':
        break;
      case '-':
        if (!value)
          return fail (self, "there are two minus signs", error);
        value = FALSE;
        break;
      case ':':
      case ')':
        return TRUE;
      default:
        return fail (self, "there is no such group", error);
      }
}

/* (?P<name> and (?<name>, but not what looks back. */
static gboolean
skip_name (Parser *self, GError **error)
{
  const char *place = self->reader.place;
  gsize n;

  if (*place == 'P')
    place++;
  if (*place != '<')
    return fail (self, "there is no such group", error);
  place++;
  n = strspn (place, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (n == 0 || place[n] != '>')
    return fail (self, "there is no such group", error);
  self->reader.place = place + n + 1;
  return TRUE;
}

static gboolean
read_group (Parser *self, GError **error)
{
  Flags outside = self->flags;

  if (self->groups->len > MOST_GROUPS)
    return fail (self, "there are too many groups in groups", error);
  self->reader.place++;
  if (*self->reader.place == '?')
    {
      self->reader.place++;
      if (*self->reader.place == 'P' || *self->reader.place == '<')
        {
          if (!skip_name (self, error))
            return FALSE;
        }
      else
        {
          if (!read_flags (self, error))
            return FALSE;
          /* Flags alone hold to the end of the group that they stand in. */
          if (*self->reader.place++ == ')')
            {
              end_items (get_group (self));
              return TRUE;
            }
        }
    }
  open_group (self, outside);
  return TRUE;
}

/* ---- All of it ---- */

static gboolean
read_dot (Parser *self)
{
  self->reader.place++;
  return add_set (self,
                  self->flags.dot_is_all
                      ? sym_op_regular_add_range (self->reader.self, 0, 0x10ffff, FALSE, FALSE)
                      : sym_op_regular_add_range (self->reader.self, '\n', '\n', TRUE, FALSE));
}

static gboolean
read_item (Parser *self, GError **error)
{
  int least, most;

  switch (*self->reader.place)
    {
    case '(':
      return read_group (self, error);
    case ')':
      return close_group (self, error);
    case '|':
      end_alternative (get_group (self));
      self->reader.place++;
      return TRUE;
    case '^':
      return add_place (self, self->flags.by_lines ? SYM_OP_AT_LINE_START : SYM_OP_AT_TEXT_START);
    case '$':
      return add_place (self, self->flags.by_lines ? SYM_OP_AT_LINE_END : SYM_OP_AT_TEXT_END);
    case '.':
      return read_dot (self);
    case '[':
      return add_set (self, sym_op_regular_read_class (&self->reader, self->flags.folds, error));
    case '\\':
      return read_escape (self, error);
    default:
      if (find_repetition (&self->reader.place, &least, &most))
        return apply_repetition (self, least, most, error);
      return read_literal (self);
    }
}

static gboolean
parse (Parser *self, GError **error)
{
  Group *group;

  open_group (self, self->flags);
  while (*self->reader.place != '\0')
    {
      if (!read_item (self, error))
        return FALSE;
      group = get_group (self);
      if (group->sequence->len + group->item->len > MOST_STEPS)
        return fail (self, "it is too large", error);
    }
  if (self->groups->len > 1)
    return fail (self, "there is a ( without )", error);
  group = get_group (self);
  end_alternative (group);
  add_steps (self->reader.self->steps, group->alternatives);
  add_step (self->reader.self->steps, SYM_OP_STEP_END, 0);
  return TRUE;
}

SymOpRegular *
sym_op_regular_new (const char *pattern, GError **error)
{
  g_autoptr (SymOpRegular) self = g_new0 (SymOpRegular, 1);
  Parser parser = { { self, pattern, pattern }, NULL, { FALSE } };
  gboolean done;
  gsize n;

  self->parts = g_array_new (FALSE, FALSE, sizeof (SymOpSetPart));
  self->sets = g_array_new (FALSE, FALSE, sizeof (SymOpSet));
  self->steps = new_steps ();
  parser.groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_array_set_clear_func (parser.groups, group_clear);
  done = parse (&parser, error);
  g_array_unref (parser.groups);
  if (!done)
    return NULL;
  n = self->steps->len;
  self->now = g_new (guint, n);
  self->next = g_new (guint, n);
  self->open = g_new (guint, 2 * n);
  self->marks = g_new0 (guint, n);
  return g_steal_pointer (&self);
}

void
sym_op_regular_free (SymOpRegular *self)
{
  g_array_unref (self->parts);
  g_array_unref (self->sets);
  g_array_unref (self->steps);
  g_free (self->now);
  g_free (self->next);
  g_free (self->marks);
  g_free (self->open);
  g_free (self);
}
