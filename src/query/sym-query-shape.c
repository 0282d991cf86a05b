/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* A pattern has no more sizes than this, nor has a shape: others do not match. */
#define MAX_SIZES 32

typedef struct {
  const char *text;
  gsize length;
} Size;

/* The sizes of "1x64x?", "[1, 64]", "1×64": folded.  -1 when one is empty or there are too many. An
 * x parts sizes when it comes after a digit or mark: "batchxseq" is one name. */
static int
read_sizes (const char *text, Size *sizes)
{
  const char *end = text + strlen (text);
  int n = 0;

  if (*text == '[' && end > text + 1 && end[-1] == ']')
    {
      text++;
      end--;
    }
  if (text == end)
    return 0;
  for (const char *start = text, *at = text;; at++)
    {
      gboolean parts = at == end || *at == ',' || g_str_has_prefix (at, SYM_QUERY_TIMES) ||
                       (*at == 'x' && at > start && at + 1 < end &&
                        (g_ascii_isdigit (at[-1]) || strchr ("*?", at[-1]) != NULL ||
                         g_ascii_isdigit (at[1]) || strchr ("*?", at[1]) != NULL));

      if (!parts)
        continue;
      if (at == start || n == MAX_SIZES)
        return -1;
      sizes[n++] = (Size){ start, (gsize) (at - start) };
      if (at == end)
        return n;
      at += *at == ',' || *at == 'x' ? 0 : strlen (SYM_QUERY_TIMES) - 1;
      start = at + 1;
    }
}

gboolean
sym_query_check_shape (const char *text)
{
  Size sizes[MAX_SIZES];

  return read_sizes (text, sizes) >= 0;
}

static gboolean
is_mark (const Size *size, char mark)
{
  return size->length == 1 && size->text[0] == mark;
}

static gboolean
fits (const Size *pattern, const Size *size)
{
  return is_mark (pattern, '?') ||
         (pattern->length == size->length && memcmp (pattern->text, size->text, size->length) == 0);
}

static gboolean
matches_at (const Size *pattern, int n_pattern, const Size *sizes)
{
  for (int i = 0; i < n_pattern; i++)
    if (!fits (&pattern[i], &sizes[i]))
      return FALSE;
  return TRUE;
}

/* With * for one size or more: can[k] tells whether what came before matches the first k sizes. */
static gboolean
matches_whole (const Size *pattern, int n_pattern, const Size *sizes, int n)
{
  gboolean can[MAX_SIZES + 1] = { TRUE };

  for (int i = 0; i < n_pattern; i++)
    {
      gboolean next[MAX_SIZES + 1] = { FALSE };

      for (int k = 1; k <= n; k++)
        next[k] = is_mark (&pattern[i], '*') ? can[k - 1] || next[k - 1]
                                             : can[k - 1] && fits (&pattern[i], &sizes[k - 1]);
      memcpy (can, next, sizeof can);
    }
  return can[n];
}

/* Of a shape in the index, in which × parts the sizes. */
static int
split (const char *shape, Size *sizes)
{
  int n = 0;

  while (*shape != '\0' && n < MAX_SIZES)
    {
      const char *mark = strstr (shape, SYM_QUERY_TIMES);
      gsize length = mark != NULL ? (gsize) (mark - shape) : strlen (shape);

      sizes[n++] = (Size){ shape, length };
      shape += length + (mark != NULL ? strlen (SYM_QUERY_TIMES) : 0);
    }
  return *shape == '\0' ? n : -1;
}

static gboolean
match_shape (const SymQueryCondition *condition, const char *shape)
{
  Size pattern[MAX_SIZES], sizes[MAX_SIZES];
  int n_pattern = read_sizes (condition->text, pattern), n = split (shape, sizes);

  if (n_pattern < 0 || n < 0)
    return FALSE;
  if (condition->matching != SYM_QUERY_PART)
    return matches_whole (pattern, n_pattern, sizes, n);
  for (int i = 0; i + n_pattern <= n && n_pattern > 0; i++)
    if (matches_at (pattern, n_pattern, sizes + i))
      return TRUE;
  return FALSE;
}

/* ---- Items ---- */

/* Which shapes of the index match; an expression is looked for in "1x64x56".  One that is not known
 * has an unknown size at least: "shape:?" finds where shapes come to an end. */
static guint8 *
match_all (SymQueryScan *scan, const SymQueryCondition *condition)
{
  const SymQueryTexts *shapes = &scan->index->shapes;
  g_autofree guint8 *matches = g_new0 (guint8, shapes->texts->len + 1);
  gboolean hard = FALSE;

  for (guint i = 0; i < shapes->texts->len; i++)
    if (condition->asks_unknown)
      matches[i] = strchr (shapes->texts->pdata[i], '?') != NULL;
    else if (condition->matching != SYM_QUERY_EXPRESSION)
      matches[i] = match_shape (condition, shapes->folded->pdata[i]);
    else
      {
        g_autofree char *folded = sym_query_fold (shapes->texts->pdata[i]);

        matches[i] = sym_query_match_text (condition, folded, folded, FALSE, &hard);
      }
  if (!hard)
    return g_steal_pointer (&matches);
  sym_query_fail_hard (scan, condition);
  return NULL;
}

/* What may be a tensor, and has no shape. */
static gboolean
lacks_shape (const SymQueryIndex *index, guint item)
{
  SymId value = sym_query_index_get_item (index, item).value;
  SymKind kind =
      value == SYM_NO_ID ? SYM_KIND_OPAQUE : sym_inference_get_type (index->inference, value).kind;

  return kind == SYM_KIND_UNKNOWN || kind == SYM_KIND_TENSOR;
}

/* Of what has no shape, only that may be said. */
static SymQueryTruth
match_item (const SymQueryIndex *index,
            const SymQueryCondition *condition,
            guint item,
            const guint8 *matches)
{
  guint id = index->shapes.ids[item];

  if (id != SYM_QUERY_NO_TEXT)
    return matches[id];
  return condition->asks_unknown && lacks_shape (index, item) ? SYM_QUERY_TRUE : SYM_QUERY_UNKNOWN;
}

gboolean
sym_query_match_shapes (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  g_autofree guint8 *matches = match_all (scan, condition);

  if (matches == NULL)
    return FALSE;
  for (guint i = 0; i < scan->index->n_items; i++)
    truths[i] = match_item (scan->index, condition, i, matches);
  return TRUE;
}

/* One of an item's inputs is enough. */
static SymQueryTruth
match_parents (const SymQueryIndex *index,
               const SymQueryCondition *condition,
               SymIds parents,
               const guint8 *matches)
{
  SymQueryTruth truth = parents.n == 0 ? SYM_QUERY_UNKNOWN : SYM_QUERY_FALSE;

  for (guint i = 0; i < parents.n; i++)
    {
      guint item = sym_query_index_find_value (index, parents.ids[i]);
      SymQueryTruth found =
          item == G_MAXUINT ? SYM_QUERY_UNKNOWN : match_item (index, condition, item, matches);

      if (found == SYM_QUERY_TRUE)
        return SYM_QUERY_TRUE;
      if (found == SYM_QUERY_UNKNOWN)
        truth = SYM_QUERY_UNKNOWN;
    }
  return truth;
}

gboolean
sym_query_match_inputs (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;
  g_autofree guint8 *matches = match_all (scan, condition);

  if (matches == NULL)
    return FALSE;
  memset (truths, SYM_QUERY_UNKNOWN, index->n_items);
  for (guint i = 0; i < index->n_nodes + index->n_calls; i++)
    {
      SymId call = sym_query_index_get_item (index, i).call;

      if (!sym_query_goes_on (scan, i))
        return FALSE;
      if (call != SYM_NO_ID)
        truths[i] = match_parents (index, condition,
                                   sym_model_get_data_operands (index->model, call), matches);
    }
  return TRUE;
}
