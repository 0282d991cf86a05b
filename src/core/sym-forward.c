/* SPDX-License-Identifier: MIT */
#include "core/sym-forward.h"

#include <string.h>

#include "core/sym-error.h"
#include "core/sym-name-set.h"
#include "core/sym-operator.h"

typedef struct {
  const SymModel *model;
  SymForwardStyle style;
  GArray *order;     /* of SymId: calls that are executed */
  char **names;      /* of each value; NULL for what is not used */
  char **layers;     /* of each call, where layers go by their names */
  guint *n_uses;     /* of each value, as an operand */
  SymNameSet *taken; /* names, where values go by theirs */
  GString *code;
} Writer;

/* ---- Calls ---- */

static gboolean
is_used (const SymModel *model, SymId value)
{
  return sym_model_is_live (model, value);
}

/* Whether the operand is handed over; parameters are the layer's own. */
static gboolean
is_argument (const SymModel *model, SymId operand)
{
  return operand != SYM_NO_ID && sym_role_is_data (sym_model_get_role (model, operand));
}

static guint
count_arguments (const SymModel *model, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);
  guint n = 0;

  for (guint i = 0; i < operands.n; i++)
    n += is_argument (model, operands.ids[i]);
  return n;
}

static SymId
get_argument (const SymModel *model, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    if (is_argument (model, operands.ids[i]))
      return operands.ids[i];
  return SYM_NO_ID;
}

static SymId
get_call (const Writer *self, guint i)
{
  return g_array_index (self->order, SymId, i);
}

static void
list_calls (Writer *self)
{
  SymIds order = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (self->model, order.ids[i]);

      if (!sym_model_is_call_live (self->model, order.ids[i]))
        continue;
      g_array_append_val (self->order, order.ids[i]);
      for (guint j = 0; j < operands.n; j++)
        if (operands.ids[j] != SYM_NO_ID)
          self->n_uses[operands.ids[j]]++;
    }
}

/* ---- Numbers ---- */

static void
name_by_number (Writer *self, SymId value, char letter, guint number, int n_digits)
{
  g_free (self->names[value]);
  self->names[value] = g_strdup_printf ("%c%0*u", letter, n_digits, number);
}

static int
count_digits (const Writer *self)
{
  guint most = MAX (sym_model_get_inputs (self->model).n, sym_model_get_outputs (self->model).n);
  int n = 1;

  for (guint rest = MAX (most, self->order->len); rest >= 10; rest /= 10)
    n++;
  return n;
}

/* An output that is named twice has the last name. */
static void
number_values (Writer *self)
{
  SymIds inputs = sym_model_get_inputs (self->model);
  SymIds outputs = sym_model_get_outputs (self->model);
  int n_digits = count_digits (self);
  guint n_others = 0;

  for (guint i = 0; i < inputs.n; i++)
    name_by_number (self, inputs.ids[i], 'i', i, n_digits);
  for (guint i = 0; i < self->order->len; i++)
    {
      SymIds results = sym_model_get_results (self->model, get_call (self, i));
      gboolean is_first = TRUE;

      for (guint j = 0; j < results.n; j++)
        {
          if (!is_used (self->model, results.ids[j]))
            continue;
          name_by_number (self, results.ids[j], is_first ? 'x' : 'y', is_first ? i : n_others++,
                          n_digits);
          is_first = FALSE;
        }
    }
  for (guint i = 0; i < outputs.n; i++)
    name_by_number (self, outputs.ids[i], 'o', i, n_digits);
}

/* ---- Names ---- */

/* A word of Python: "layer1.0.conv" becomes "layer1_0_conv", what is none begins with "_". */
static char *
make_word (const char *name, const char *fallback)
{
  GString *word = g_string_new (NULL);

  if (name == NULL || *name == '\0')
    name = fallback;
  for (; *name != '\0'; name++)
    if (g_ascii_isalnum (*name))
      g_string_append_c (word, *name);
    else if (word->len > 0 && word->str[word->len - 1] != '_')
      g_string_append_c (word, '_');
  if (word->len == 0 || g_ascii_isdigit (word->str[0]))
    g_string_prepend_c (word, '_');
  return g_string_free (word, FALSE);
}

static void
take_reserved_words (SymNameSet *taken)
{
  static const char *const words[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "self", "try",    "while",  "with",     "yield"
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    sym_name_set_add (taken, words[i]);
}

/* The word itself the first time, then with _1, _2, ... */
static char *
take_word (Writer *self, char *take_word_)
{
  g_autofree char *word = take_word_;

  return g_strdup (sym_name_set_choose (self->taken, word, 1));
}

static void
name_value (Writer *self, SymId value, const char *name, const char *fallback)
{
  if (self->names[value] == NULL)
    self->names[value] = take_word (self, make_word (name, fallback));
}

/* A layer that is called twice has one name. */
static void
name_layers (Writer *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* layer -> its first call + 1 */

  for (guint i = 0; i < self->order->len; i++)
    {
      SymId call = get_call (self, i);
      SymLayer *layer = sym_model_get_layer (self->model, call);
      gsize first = GPOINTER_TO_SIZE (g_hash_table_lookup (known, layer));

      if (first > 0)
        {
          self->layers[call] = g_strdup (self->layers[first - 1]);
          continue;
        }
      self->layers[call] =
          make_word (sym_model_get_call_name (self->model, call), sym_layer_get_type (layer));
      g_hash_table_insert (known, layer, GSIZE_TO_POINTER ((gsize) call + 1));
    }
}

static void
name_values (Writer *self)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < inputs.n; i++)
    name_value (self, inputs.ids[i], sym_model_get_value_name (self->model, inputs.ids[i]), "x");
  name_layers (self);
  for (guint i = 0; i < self->order->len; i++)
    {
      SymId call = get_call (self, i);
      SymIds results = sym_model_get_results (self->model, call);

      for (guint j = 0; j < results.n; j++)
        if (is_used (self->model, results.ids[j]))
          name_value (self, results.ids[j], self->layers[call], "x");
    }
}

/* ---- Lines ---- */

static const char *
get_name (const Writer *self, SymId value)
{
  return self->names[value] == NULL ? "_" : self->names[value];
}

static void
write_list (Writer *self, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    g_string_append_printf (self->code, "%s%s", i > 0 ? ", " : "", get_name (self, values.ids[i]));
}

static void
write_arguments (Writer *self, SymId call)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (self->model, call));
  SymIds operands = sym_model_get_operands (self->model, call);
  const char *before = op != NULL && strcmp (op->name, "UnpackLayer") == 0 ? "*" : "";

  for (guint i = 0; i < operands.n; i++)
    if (is_argument (self->model, operands.ids[i]))
      {
        g_string_append_printf (self->code, "%s%s", before, get_name (self, operands.ids[i]));
        before = ", ";
      }
}

static void
write_call (Writer *self, guint i)
{
  SymId call = get_call (self, i);

  g_string_append (self->code, "    ");
  write_list (self, sym_model_get_results (self->model, call));
  if (self->style == SYM_FORWARD_INDEXED)
    g_string_append_printf (self->code, " = l[%u](", i);
  else
    g_string_append_printf (self->code, " = self.%s(", self->layers[call]);
  write_arguments (self, call);
  g_string_append_c (self->code, ')');
  if (self->style == SYM_FORWARD_NAMED)
    g_string_append_printf (self->code, "  # %s",
                            sym_layer_get_type (sym_model_get_layer (self->model, call)));
  g_string_append_c (self->code, '\n');
}

/* Whether call @i is one that a loop can have: of one operand and one result. */
static gboolean
is_simple (const Writer *self, guint i)
{
  return sym_model_get_results (self->model, get_call (self, i)).n == 1 &&
         count_arguments (self->model, get_call (self, i)) == 1;
}

/* Whether call @i + 1 alone takes what call @i makes. */
static gboolean
goes_on (const Writer *self, guint i)
{
  SymId result = sym_model_get_results (self->model, get_call (self, i)).ids[0];

  return self->n_uses[result] == 1 && !sym_model_is_output (self->model, result) &&
         get_argument (self->model, get_call (self, i + 1)) == result;
}

/* How many calls from @first on are a chain. */
static guint
count_chain (const Writer *self, guint first)
{
  guint n = 1;

  if (!is_simple (self, first))
    return 0;
  while (first + n < self->order->len && is_simple (self, first + n) &&
         goes_on (self, first + n - 1))
    n++;
  return n;
}

static void
write_loop (Writer *self, guint first, guint n)
{
  SymId last = get_call (self, first + n - 1);
  const char *name = get_name (self, sym_model_get_results (self->model, last).ids[0]);

  g_string_append_printf (self->code,
                          "    %s = %s\n    for layer in l[%u:%u]:\n        %s = layer(%s)\n", name,
                          get_name (self, get_argument (self->model, get_call (self, first))),
                          first, first + n, name, name);
}

static void
write_all (Writer *self, guint min_loop_length)
{
  guint n;

  g_string_append (self->code, "def forward(self");
  if (sym_model_get_inputs (self->model).n > 0)
    g_string_append (self->code, self->style == SYM_FORWARD_INDEXED ? "," : ", ");
  write_list (self, sym_model_get_inputs (self->model));
  g_string_append (self->code, "):\n");
  if (self->style == SYM_FORWARD_INDEXED)
    g_string_append (self->code, "    l = self._execution_order_layers\n");
  for (guint i = 0; i < self->order->len; i += MAX (n, 1))
    {
      n = self->style == SYM_FORWARD_INDEXED ? count_chain (self, i) : 0;
      if (n >= min_loop_length)
        {
          write_loop (self, i, n);
          continue;
        }
      n = 1;
      write_call (self, i);
    }
  g_string_append (self->code, "    return ");
  write_list (self, sym_model_get_outputs (self->model));
  g_string_append_c (self->code, '\n');
}

/* ---- The whole ---- */

static gboolean
check (const SymModel *model, guint min_loop_length, GError **error)
{
  if (min_loop_length < 2)
    g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                         "Loop length cannot be smaller than 2!");
  else if (sym_model_has_cycle (model))
    g_set_error_literal (error, SYM_ERROR, SYM_ERROR_CYCLE,
                         "Graph is not a DAG (directed acyclic graph)!");
  else
    return TRUE;
  return FALSE;
}

static void
free_names (char **names, guint n)
{
  for (guint i = 0; i < n; i++)
    g_free (names[i]);
  g_free (names);
}

char *
sym_model_write_forward (const SymModel *model,
                         SymForwardStyle style,
                         guint min_loop_length,
                         GError **error)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (SymNameSet) taken = sym_name_set_new ();
  Writer self = { .model = model, .style = style, .order = order, .taken = taken };
  guint n_values, n_calls;

  g_return_val_if_fail (model != NULL, NULL);

  if (!check (model, min_loop_length, error))
    return NULL;
  n_values = sym_model_get_n_values (model);
  n_calls = sym_model_get_n_calls (model);
  self.names = g_new0 (char *, n_values + 1);
  self.layers = g_new0 (char *, n_calls + 1);
  self.n_uses = g_new0 (guint, n_values + 1);
  self.code = g_string_new (NULL);
  take_reserved_words (taken);
  list_calls (&self);
  if (style == SYM_FORWARD_INDEXED)
    number_values (&self);
  else
    name_values (&self);
  write_all (&self, min_loop_length);
  free_names (self.names, n_values);
  free_names (self.layers, n_calls);
  g_free (self.n_uses);
  return g_string_free (self.code, FALSE);
}
