/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* By precedence: what comes later binds closer.  Opened parentheses lie on the same stack. */
typedef enum {
  OPEN,
  OR,
  AND,
  NOT,
  RELATION,
} Operator;

typedef struct {
  Operator kind;
  const SymQueryField *field; /* of a relation */
  guint first;                /* of a relation: its first condition */
  gsize start;                /* in the text */
} Pending;

/* Parentheses, and signs before them, may lie so deep. */
#define MAX_DEPTH 256

typedef struct {
  SymQuery *query;
  const char *text;
  GArray *stack; /* of Pending */
  gsize end;     /* of what was read so far */
  gsize *place;
} Parser;

static gboolean
fail (Parser *self, gsize place, const char *message, GError **error)
{
  *self->place = place;
  sym_query_set_error (error, SYM_QUERY_ERROR_SYNTAX, self->text, place, "%s", message);
  return FALSE;
}

/* ---- Operators ---- */

static Pending *
get_top (Parser *self)
{
  return self->stack->len == 0 ? NULL : &g_array_index (self->stack, Pending, self->stack->len - 1);
}

static gboolean
is_negated (const Parser *self)
{
  gboolean negated = FALSE;

  for (guint i = 0; i < self->stack->len; i++)
    negated ^= g_array_index (self->stack, Pending, i).kind == NOT;
  return negated;
}

static void
set_positive (Parser *self, guint condition, gboolean positive)
{
  guint64 bit = G_GUINT64_CONSTANT (1) << condition;

  self->query->positive = positive ? self->query->positive | bit : self->query->positive & ~bit;
}

static void
emit (Parser *self, SymQueryStep step)
{
  g_array_append_val (self->query->steps, step);
}

/* The reason why a relation holds is told by its first condition, whose place in the text is made
 * that of the whole. */
static void
emit_relation (Parser *self, const Pending *relation)
{
  SymQueryStep step = { SYM_QUERY_RELATION, relation->first, relation->field };
  GArray *conditions = self->query->conditions;
  SymQueryCondition *first;

  emit (self, step);
  first = &g_array_index (conditions, SymQueryCondition, relation->first);
  first->is_relation = TRUE;
  first->start = relation->start;
  first->end = self->end;
  for (guint i = relation->first; i < conditions->len; i++)
    set_positive (self, i, i == relation->first && !is_negated (self));
}

static void
pop (Parser *self)
{
  static const SymQueryStepKind kinds[] = {
    [OR] = SYM_QUERY_OR, [AND] = SYM_QUERY_AND, [NOT] = SYM_QUERY_NOT
  };
  Pending top = *get_top (self);

  g_array_set_size (self->stack, self->stack->len - 1);
  if (top.kind == RELATION)
    emit_relation (self, &top);
  else
    emit (self, (SymQueryStep){ .kind = kinds[top.kind] });
}

static void
pop_closer (Parser *self, Operator than)
{
  while (get_top (self) != NULL && get_top (self)->kind >= than)
    pop (self);
}

static gboolean
push (Parser *self, Pending operator, GError ** error)
{
  if (self->stack->len >= MAX_DEPTH)
    return fail (self, operator.start, "this is nested too deep", error);
  g_array_append_val (self->stack, operator);
  return TRUE;
}

/* ---- Conditions ---- */

static void
clear_condition (gpointer data)
{
  SymQueryCondition *self = data;

  g_free (self->name);
  g_free (self->text);
  g_clear_pointer (&self->glob, g_pattern_spec_free);
  g_clear_pointer (&self->expression, g_regex_unref);
}

static gboolean
add_condition (Parser *self,
               SymQueryCondition *condition,
               const SymQueryWord *field,
               const SymQueryWord *value,
               GError **error)
{
  guint number = self->query->conditions->len;

  condition->start = field->start;
  condition->end = value->end;
  if (number == SYM_QUERY_MAX_CONDITIONS)
    {
      clear_condition (condition);
      return fail (self, field->start, "a query has at most 64 conditions", error);
    }
  if (!sym_query_take_value (condition, self->text, field, value, self->place, error))
    {
      clear_condition (condition);
      return FALSE;
    }
  g_array_append_val (self->query->conditions, *condition);
  set_positive (self, number, !is_negated (self));
  emit (self, (SymQueryStep){ SYM_QUERY_CONDITION, .condition = number });
  return TRUE;
}

/* "parent:relu" and "parent:(type:Relu depth>3)"; in the latter case an operand is still to come.
 */
static gboolean
take_relation (Parser *self,
               const SymQueryField *field,
               const SymQueryWord *word,
               const SymQueryWord *value,
               gboolean *is_open,
               GError **error)
{
  Pending relation = { RELATION, field, self->query->conditions->len, word->start };
  SymQueryCondition condition = { .field = field, .comparison = word->comparison };

  if (!push (self, relation, error))
    return FALSE;
  *is_open = value->kind == SYM_QUERY_WORD_OPEN;
  if (*is_open)
    return push (self, (Pending){ OPEN, .start = value->start }, error);
  return add_condition (self, &condition, word, value, error);
}

static gboolean
take_field (Parser *self, SymQueryWord *word, gboolean *is_open, GError **error)
{
  gsize length = word->text_end - word->text_start;
  SymQueryCondition condition = { .comparison = word->comparison };
  const SymQueryField *field = sym_query_find_field (self->text + word->text_start, length);
  SymQueryWord value;

  if (!sym_query_read_word (self->text, word->end, TRUE, &value, error))
    {
      *self->place = word->end;
      return FALSE;
    }
  if (field != NULL && field->takes == SYM_QUERY_TAKES_QUERY)
    {
      if (!take_relation (self, field, word, &value, is_open, error))
        return FALSE;
      word->end = value.end;
      return TRUE;
    }
  condition.field = field;
  if (field == NULL)
    {
      g_autofree char *name = g_strndup (self->text + word->text_start, length);

      condition.field = &sym_query_attribute_field;
      condition.name = sym_query_fold (name);
    }
  if (!add_condition (self, &condition, word, &value, error))
    return FALSE;
  word->end = value.end;
  return TRUE;
}

static gboolean
take_operand (Parser *self, SymQueryWord *word, gboolean *is_open, GError **error)
{
  SymQueryCondition condition = { .field = &sym_query_any_field };

  *is_open = FALSE;
  switch (word->kind)
    {
    case SYM_QUERY_WORD_TEXT:
    case SYM_QUERY_WORD_QUOTED:
    case SYM_QUERY_WORD_EXPRESSION:
      return add_condition (self, &condition, word, word, error);
    case SYM_QUERY_WORD_FIELD:
      return take_field (self, word, is_open, error);
    case SYM_QUERY_WORD_NOT:
      *is_open = TRUE;
      return push (self, (Pending){ NOT, .start = word->start }, error);
    case SYM_QUERY_WORD_OPEN:
      *is_open = TRUE;
      return push (self, (Pending){ OPEN, .start = word->start }, error);
    case SYM_QUERY_WORD_CLOSE:
    case SYM_QUERY_WORD_AND:
    case SYM_QUERY_WORD_OR:
    case SYM_QUERY_WORD_END:
      break;
    }
  return fail (self, word->start, "expected a condition, such as a name or type:Conv", error);
}

/* ---- Between conditions ---- */

static gboolean
close_parenthesis (Parser *self, const SymQueryWord *word, GError **error)
{
  pop_closer (self, OR);
  if (get_top (self) == NULL)
    return fail (self, word->start, "no parenthesis was opened before this one", error);
  g_array_set_size (self->stack, self->stack->len - 1);
  self->end = word->end;
  pop_closer (self, NOT);
  return TRUE;
}

static gboolean
end (Parser *self, GError **error)
{
  pop_closer (self, OR);
  if (get_top (self) != NULL)
    return fail (self, get_top (self)->start, "expected another parenthesis to close this one",
                 error);
  return TRUE;
}

/* Joins what came before with what comes: *@next is where to read on. */
static gboolean
take_operator (Parser *self, const SymQueryWord *word, gsize *next, GError **error)
{
  gboolean is_or = word->kind == SYM_QUERY_WORD_OR;

  *next = word->kind == SYM_QUERY_WORD_AND || is_or ? word->end : word->start;
  pop_closer (self, is_or ? OR : AND);
  return push (self, (Pending){ is_or ? OR : AND, .start = word->start }, error);
}

static gboolean
parse (Parser *self, GError **error)
{
  gboolean wants_operand = TRUE;
  SymQueryWord word;

  for (gsize at = 0;;)
    {
      if (!sym_query_read_word (self->text, at, FALSE, &word, error))
        {
          *self->place = word.start;
          return FALSE;
        }
      if (word.kind == SYM_QUERY_WORD_END && (!wants_operand || at == 0))
        return end (self, error);
      if (wants_operand)
        {
          if (!take_operand (self, &word, &wants_operand, error))
            return FALSE;
          self->end = at = word.end;
          if (!wants_operand)
            pop_closer (self, NOT);
        }
      else if (word.kind == SYM_QUERY_WORD_CLOSE)
        {
          if (!close_parenthesis (self, &word, error))
            return FALSE;
          at = word.end;
        }
      else
        {
          if (!take_operator (self, &word, &at, error))
            return FALSE;
          wants_operand = TRUE;
        }
    }
}

SymQuery *
sym_query_parse (const char *text, gsize *place, GError **error)
{
  g_autoptr (SymQuery) query = g_new0 (SymQuery, 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, TRUE, sizeof (Pending));
  gsize ignored;
  Parser parser = { query, text, stack, 0, place != NULL ? place : &ignored };

  g_atomic_ref_count_init (&query->ref_count);
  query->conditions = g_array_new (FALSE, TRUE, sizeof (SymQueryCondition));
  query->steps = g_array_new (FALSE, TRUE, sizeof (SymQueryStep));
  g_array_set_clear_func (query->conditions, clear_condition);
  query->text = g_utf8_make_valid (text, -1);
  parser.text = query->text;
  return parse (&parser, error) ? g_steal_pointer (&query) : NULL;
}

SymQuery *
sym_query_ref (SymQuery *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_query_unref (SymQuery *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_array_unref (self->conditions);
  g_array_unref (self->steps);
  g_free (self->text);
  g_free (self);
}

const char *
sym_query_get_text (const SymQuery *self)
{
  return self->text;
}

gboolean
sym_query_is_empty (const SymQuery *self)
{
  return self->steps->len == 0;
}
