/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-text.h"
#include "ops/sym-op.h"

/* "True" and "1", as Python and dmlc's parameter parser write and read booleans. */
static SymValue *
type_bool (const char *literal)
{
  if (g_ascii_strcasecmp (literal, "true") == 0 || strcmp (literal, "1") == 0)
    return sym_value_new_bool (TRUE);
  if (g_ascii_strcasecmp (literal, "false") == 0 || strcmp (literal, "0") == 0)
    return sym_value_new_bool (FALSE);
  return NULL;
}

/* Whole numbers written with a fraction ("2.0") stand for integers in files of old scripts. */
static SymValue *
type_int (const char *literal)
{
  g_autoptr (SymValue) value = sym_value_parse (literal);
  double number;

  if (value == NULL)
    return NULL;
  if (sym_value_get_kind (value) == SYM_VALUE_BOOL)
    return sym_value_new_int (strcmp (literal, "True") == 0 || strcmp (literal, "true") == 0);
  if (sym_value_get_kind (value) == SYM_VALUE_INT)
    return g_steal_pointer (&value);
  if (!sym_value_get_float (value, &number) || !(number >= -0x1p53 && number <= 0x1p53) ||
      number != (double) (gint64) number)
    return NULL;
  return sym_value_new_int ((gint64) number);
}

static SymValue *
type_float (const char *literal)
{
  char *end;
  double number;

  if (literal[0] == '\0')
    return NULL;
  number = g_ascii_strtod (literal, &end);
  if (*end == 'f' || *end == 'L')
    end++;
  return *end == '\0' ? sym_value_new_float (number) : NULL;
}

/* Whether each child is a number (an integer unless @fractions), or None. */
static gboolean
has_numbers (const SymValue *value, gboolean fractions)
{
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      const SymValue *child = sym_value_get_child (value, i);
      SymValueKind kind = sym_value_get_kind (child);

      if (kind != SYM_VALUE_NONE && kind != SYM_VALUE_INT &&
          !(fractions && kind == SYM_VALUE_FLOAT))
        return FALSE;
    }
  return TRUE;
}

static SymValue *
type_numbers (const char *literal, gboolean fractions)
{
  g_autoptr (SymValue) value = sym_value_parse (literal);
  SymValueKind kind;

  if (value == NULL)
    return NULL;
  kind = sym_value_get_kind (value);
  if (kind == SYM_VALUE_INT || (fractions && kind == SYM_VALUE_FLOAT))
    return sym_value_new_tuple ((SymValue *[]){ g_steal_pointer (&value) }, 1);
  if ((kind != SYM_VALUE_TUPLE && kind != SYM_VALUE_LIST) || !has_numbers (value, fractions))
    return NULL;
  return g_steal_pointer (&value);
}

static SymValue *
type_dtype (const char *literal)
{
  SymDType dtype;

  return sym_dtype_from_string (literal, &dtype) ? sym_value_new_dtype (dtype) : NULL;
}

static SymValue *
type_any (const char *literal)
{
  SymValue *value = sym_value_parse (literal);

  return value != NULL ? value : sym_value_new_string (literal);
}

SymValue *
sym_op_type_literal (SymAttributeKind kind, const char *literal)
{
  if (strcmp (literal, "None") == 0)
    return sym_value_new_none ();
  switch (kind)
    {
    case SYM_ATTRIBUTE_INT:
      return type_int (literal);
    case SYM_ATTRIBUTE_FLOAT:
      return type_float (literal);
    case SYM_ATTRIBUTE_BOOL:
      return type_bool (literal);
    case SYM_ATTRIBUTE_STRING:
      return sym_value_new_string (literal);
    case SYM_ATTRIBUTE_INTS:
      return type_numbers (literal, FALSE);
    case SYM_ATTRIBUTE_FLOATS:
      return type_numbers (literal, TRUE);
    case SYM_ATTRIBUTE_DTYPE:
      return type_dtype (literal);
    case SYM_ATTRIBUTE_ANY:
    default:
      return type_any (literal);
    }
}

static const char *
describe_kind (SymAttributeKind kind)
{
  static const char *const descriptions[] = {
    [SYM_ATTRIBUTE_INT] = "an integer",     [SYM_ATTRIBUTE_FLOAT] = "a number",
    [SYM_ATTRIBUTE_BOOL] = "True or False", [SYM_ATTRIBUTE_STRING] = "a text",
    [SYM_ATTRIBUTE_INTS] = "integers",      [SYM_ATTRIBUTE_FLOATS] = "numbers",
    [SYM_ATTRIBUTE_DTYPE] = "a dtype",      [SYM_ATTRIBUTE_ANY] = "a value",
  };

  return descriptions[kind];
}

/* ---- Each once ---- */

/* A literal of an attribute; it is its own key. */
typedef struct {
  const SymOperator *op;
  const char *name, *literal;
  gsize name_length, literal_length;
  SymAttributes *typed; /* that one attribute, which holds the texts; NULL in a question */
} Literal;

struct _SymOpLiterals {
  GHashTable *known; /* set of Literal */
};

static guint
literal_hash (gconstpointer key)
{
  const Literal *self = key;
  guint hash = sym_text_hash (GPOINTER_TO_UINT (self->op), self->name, self->name_length);

  return sym_text_hash (hash, self->literal, self->literal_length);
}

static gboolean
literal_equal (gconstpointer a, gconstpointer b)
{
  const Literal *left = a, *right = b;

  return left->op == right->op && left->name_length == right->name_length &&
         left->literal_length == right->literal_length &&
         memcmp (left->name, right->name, left->name_length) == 0 &&
         memcmp (left->literal, right->literal, left->literal_length) == 0;
}

static void
literal_free (gpointer data)
{
  Literal *self = data;

  sym_attributes_unref (self->typed);
  g_free (self);
}

SymOpLiterals *
sym_op_literals_new (void)
{
  SymOpLiterals *self = g_new0 (SymOpLiterals, 1);

  self->known = g_hash_table_new_full (literal_hash, literal_equal, literal_free, NULL);
  return self;
}

void
sym_op_literals_free (SymOpLiterals *self)
{
  g_hash_table_unref (self->known);
  g_free (self);
}

/* Whether @text is one of the values that @spec has; anything is when it has none. */
static gboolean
is_allowed (const SymAttributeSpec *spec, const char *text)
{
  g_auto (GStrv) values = spec->values != NULL ? g_strsplit (spec->values, " ", -1) : NULL;

  return values == NULL || g_strv_contains ((const char *const *) values, text);
}

static char *
describe_spec (const SymAttributeSpec *spec)
{
  g_auto (GStrv) values = spec->values != NULL ? g_strsplit (spec->values, " ", -1) : NULL;
  g_autofree char *list = NULL;

  if (values == NULL)
    return g_strdup (describe_kind (spec->kind));
  if (values[1] == NULL)
    return g_strdup (values[0]);
  list = g_strjoinv (", ", values);
  return g_strdup_printf ("one of %s", list);
}

static void
warn_of_misfit (const SymOperator *op,
                const SymAttributes *typed,
                SymProblems *problems,
                guint line,
                SymId call)
{
  const char *name = sym_attributes_get_name (typed, 0);
  g_autofree char *wanted = describe_spec (sym_op_find_attribute (op, name));

  sym_problems_add (problems, SYM_SEVERITY_WARNING, line, SYM_NO_ID, call,
                    "%s of %s is %s, which should be %s", name, op->name,
                    sym_attributes_get_literal (typed, 0), wanted);
}

/* Types a literal that was not met before.  FALSE where it does not fit: the value is the text. */
static gboolean
type_new (Literal *self)
{
  g_autofree char *name = g_strndup (self->name, self->name_length);
  g_autofree char *text = g_strndup (self->literal, self->literal_length);
  const SymAttributeSpec *spec = sym_op_find_attribute (self->op, name);
  SymValue *value = sym_op_type_literal (spec != NULL ? spec->kind : SYM_ATTRIBUTE_ANY, text);
  gboolean fits =
      value != NULL &&
      (spec == NULL || sym_value_get_kind (value) != SYM_VALUE_STRING || is_allowed (spec, text));

  self->typed = sym_attributes_new ();
  sym_attributes_set (self->typed, name, value != NULL ? value : sym_value_new_string (text), text);
  self->name = sym_attributes_get_name (self->typed, 0);
  self->literal = sym_attributes_get_literal (self->typed, 0);
  return fits;
}

void
sym_op_literals_set (SymOpLiterals *self,
                     const SymOperator *op,
                     const char *name,
                     gsize name_length,
                     const char *literal,
                     gsize literal_length,
                     SymAttributes *attributes,
                     SymProblems *problems,
                     guint line,
                     SymId call)
{
  Literal question = { op, name, literal, name_length, literal_length, NULL };
  const Literal *known = g_hash_table_lookup (self->known, &question);

  if (known != NULL)
    {
      sym_attributes_set_same (attributes, known->typed, 0);
      return;
    }
  if (type_new (&question))
    {
      sym_attributes_set_same (attributes, question.typed, 0);
      g_hash_table_add (self->known, g_memdup2 (&question, sizeof question));
      return;
    }
  /* Not remembered: the next one is to be warned of, too. */
  if (problems != NULL)
    warn_of_misfit (op, question.typed, problems, line, call);
  sym_attributes_set_same (attributes, question.typed, 0);
  sym_attributes_unref (question.typed);
}
