/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* TfIdfVectorizer: how often each of a pool of sequences of items (integers or strings) occurs in a
 * row.  Items are numbered first, so that sequences are small arrays of numbers. */

/* A result may have so many places in any case, and so many for each sequence beyond: a file must
 * not make us allocate what it does not justify. */
#define FREE_PLACES (1 << 20)
#define PLACES_PER_SEQUENCE 1000

/* No item of the pool. */
#define NO_ITEM G_MAXUINT

typedef struct {
  const guint *items;
  guint n;
  gsize index; /* which of the pool it is */
} Gram;

typedef struct {
  SymKernel *kernel;
  gint64 shortest, longest, most_skipped;
  gboolean is_idf, is_tf; /* one for any number; times weights */
  gboolean has_strings;
  GHashTable *numbers; /* gint64 or GBytes to its number */
  guint *pool;         /* the pool's items, numbered */
  gsize n_pool;
  Gram *grams;
  gsize n_grams;
  GHashTable *found; /* set of Gram */
  gint64 *places;    /* by gram, where it is counted */
  double *weights;   /* by gram, NULL for 1 */
  gint64 width;
} Grams;

static void
grams_clear (Grams *self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_clear_pointer (&self->found, g_hash_table_unref);
  g_clear_pointer (&self->pool, g_free);
  g_clear_pointer (&self->grams, g_free);
  g_clear_pointer (&self->places, g_free);
  g_clear_pointer (&self->weights, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Grams, grams_clear)

static guint
gram_hash (gconstpointer key)
{
  const Gram *self = key;
  guint hash = 2166136261u;

  for (guint i = 0; i < self->n; i++)
    hash = (hash ^ self->items[i]) * 16777619u;
  return hash;
}

static gboolean
gram_equal (gconstpointer a, gconstpointer b)
{
  const Gram *left = a, *right = b;

  return left->n == right->n && memcmp (left->items, right->items, left->n * sizeof (guint)) == 0;
}

/* ---- The pool ---- */

/* The number of an item, which @take_key, owned, is; the same for the same. */
static guint
number_item (Grams *self, gpointer take_key)
{
  gpointer found;
  guint n = g_hash_table_size (self->numbers);

  if (!g_hash_table_lookup_extended (self->numbers, take_key, NULL, &found))
    {
      g_hash_table_insert (self->numbers, take_key, GUINT_TO_POINTER (n));
      return n;
    }
  if (self->has_strings)
    g_bytes_unref (take_key);
  else
    g_free (take_key);
  return GPOINTER_TO_UINT (found);
}

static gboolean
read_pool (Grams *self, GError **error)
{
  const SymAttributes *attributes = sym_kernel_get_attributes (self->kernel);
  const SymValue *strings = sym_attributes_find (attributes, "pool_strings");
  const SymValue *integers = sym_attributes_find (attributes, "pool_int64s"), *pool;

  self->has_strings = strings != NULL && sym_value_get_n_children (strings) > 0;
  pool = self->has_strings ? strings : integers;
  if (pool == NULL ||
      (self->has_strings && integers != NULL && sym_value_get_n_children (integers) > 0))
    return sym_kernel_fail (error, "there must be one of pool_strings and pool_int64s");
  self->numbers = self->has_strings
                      ? g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                               (GDestroyNotify) g_bytes_unref, NULL)
                      : g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->n_pool = sym_value_get_n_children (pool);
  self->pool = g_new (guint, self->n_pool + 1);
  for (guint i = 0; i < self->n_pool; i++)
    {
      const char *text = sym_value_get_string (sym_value_get_child (pool, i));
      gint64 integer;

      if (self->has_strings && text != NULL)
        self->pool[i] = number_item (self, g_bytes_new (text, strlen (text)));
      else if (!self->has_strings && sym_value_get_int (sym_value_get_child (pool, i), &integer))
        self->pool[i] = number_item (self, g_memdup2 (&integer, sizeof integer));
      else
        return sym_kernel_fail (error, "item %u of the pool is of another kind", i);
    }
  return TRUE;
}

/* The sequences of @n items that lie from @start up to @end. */
static gboolean
add_grams (Grams *self, guint n, gint64 start, gint64 end, GError **error)
{
  if (start < 0 || end < start || end > (gint64) self->n_pool || (end - start) % n != 0)
    return sym_kernel_fail (error,
                            "sequences of %u items cannot lie from %" G_GINT64_FORMAT
                            " up to %" G_GINT64_FORMAT " in a pool of %" G_GSIZE_FORMAT,
                            n, start, end, self->n_pool);
  for (gint64 i = start; i < end; i += n)
    {
      Gram *gram = &self->grams[self->n_grams];

      *gram = (Gram){ self->pool + i, n, self->n_grams };
      self->n_grams++;
      if (n >= self->shortest && n <= self->longest && !g_hash_table_add (self->found, gram))
        return sym_kernel_fail (error, "a sequence of %u items is twice in the pool", n);
    }
  return TRUE;
}

static gboolean
read_grams (Grams *self, GError **error)
{
  int n = sym_kernel_get_ints (self->kernel, "ngram_counts", NULL, 0);
  g_autofree gint64 *starts = g_new0 (gint64, (gsize) MAX (n, 0) + 1);

  if (n < 1)
    return sym_kernel_fail (error, "there are no ngram_counts");
  sym_kernel_get_ints (self->kernel, "ngram_counts", starts, n);
  starts[n] = (gint64) self->n_pool;
  self->grams = g_new (Gram, self->n_pool + 1);
  self->found = g_hash_table_new (gram_hash, gram_equal);
  for (int i = 0; i < n; i++)
    if (!add_grams (self, (guint) i + 1, starts[i], starts[i + 1], error))
      return FALSE;
  return TRUE;
}

static gboolean
read_places (Grams *self, GError **error)
{
  gsize n = self->n_grams;

  self->places = g_new0 (gint64, n + 1);
  if (n > G_MAXINT ||
      sym_kernel_get_ints (self->kernel, "ngram_indexes", self->places, (int) n) != (int) n)
    return sym_kernel_fail (
        error, "ngram_indexes must have a place for each of %" G_GSIZE_FORMAT " sequences", n);
  for (gsize i = 0; i < n; i++)
    {
      if (self->places[i] < 0 ||
          (self->places[i] >= FREE_PLACES && self->places[i] / PLACES_PER_SEQUENCE > (gint64) n))
        return sym_kernel_fail (error, "there is no place %" G_GINT64_FORMAT, self->places[i]);
      self->width = MAX (self->width, self->places[i] + 1);
    }
  return TRUE;
}

static gboolean
read_weights (Grams *self, GError **error)
{
  const char *mode = sym_kernel_get_string (self->kernel, "mode", "");
  int n = sym_kernel_get_floats (self->kernel, "weights", NULL, 0);

  self->is_idf = strcmp (mode, "IDF") == 0;
  self->is_tf = strcmp (mode, "TF") == 0;
  if (!self->is_idf && !self->is_tf && strcmp (mode, "TFIDF") != 0)
    return sym_kernel_fail (error, "there is no mode %s", mode);
  if (n <= 0 || self->is_tf)
    return TRUE;
  if ((gsize) n != self->n_grams)
    return sym_kernel_fail (error, "there are %d weights for %" G_GSIZE_FORMAT " sequences", n,
                            self->n_grams);
  self->weights = g_new (double, n);
  sym_kernel_get_floats (self->kernel, "weights", self->weights, n);
  return TRUE;
}

static gboolean
start (Grams *self, GError **error)
{
  self->shortest = sym_kernel_get_int (self->kernel, "min_gram_length", 0);
  self->longest = sym_kernel_get_int (self->kernel, "max_gram_length", 0);
  self->most_skipped = sym_kernel_get_int (self->kernel, "max_skip_count", 0);
  if (self->shortest < 1 || self->longest < self->shortest || self->most_skipped < 0)
    return sym_kernel_fail (error,
                            "sequences of %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                            " items with up to %" G_GINT64_FORMAT " skipped make no sense",
                            self->shortest, self->longest, self->most_skipped);
  return read_pool (self, error) && read_grams (self, error) && read_places (self, error) &&
         read_weights (self, error);
}

/* ---- Counting ---- */

static void
number_row (Grams *self, const SymArray *x, gsize first, gsize n, guint *row)
{
  for (gsize i = 0; i < n; i++)
    {
      gint64 integer = 0;
      gconstpointer key = &integer;
      gpointer found;

      if (self->has_strings)
        key = ((GBytes *const *) x->data)[first + i];
      else
        integer = sym_element_get_int (x->dtype, x->data, first + i);
      row[i] = g_hash_table_lookup_extended (self->numbers, key, NULL, &found)
                   ? GPOINTER_TO_UINT (found)
                   : NO_ITEM;
    }
}

/* Counts sequences of @length items that lie @step apart. */
static gboolean
count_grams (Grams *self,
             const guint *row,
             gsize n,
             gsize length,
             gsize step,
             guint *items,
             float *counts,
             gsize *done,
             GError **error)
{
  for (gsize i = 0; i + (length - 1) * step < n; i++)
    {
      Gram gram = { items, (guint) length, 0 };
      const Gram *found;

      for (gsize j = 0; j < length; j++)
        items[j] = row[i + j * step];
      found = g_hash_table_lookup (self->found, &gram);
      if (found != NULL)
        counts[found->index]++;
      if (!sym_op_go_on (self->kernel, done, 8 * length, error))
        return FALSE;
    }
  return TRUE;
}

/* A single item skips none. */
static gboolean
count_row (Grams *self, const guint *row, gsize n, guint *items, float *counts, GError **error)
{
  gsize done = 0;

  memset (counts, 0, self->n_grams * sizeof *counts);
  for (gsize length = (gsize) self->shortest; length <= (gsize) self->longest && length <= n;
       length++)
    for (gsize step = 1; step <= (gsize) self->most_skipped + 1; step++)
      {
        if ((length == 1 && step > 1) || (length > 1 && step > (n - 1) / (length - 1)))
          break;
        if (!count_grams (self, row, n, length, step, items, counts, &done, error))
          return FALSE;
      }
  return TRUE;
}

static void
write_row (const Grams *self, const float *counts, float *y)
{
  memset (y, 0, (gsize) self->width * sizeof *y);
  for (gsize i = 0; i < self->n_grams; i++)
    {
      double count = self->is_idf ? MIN (counts[i], 1) : counts[i];

      y[self->places[i]] += (float) (self->weights == NULL ? count : count * self->weights[i]);
    }
}

static gboolean
check_operand (const Grams *self, const SymArray *x, GError **error)
{
  if (x->shape.rank != 1 && x->shape.rank != 2)
    return sym_kernel_fail (error, "X must have 1 axis or 2 and has %d", x->shape.rank);
  if (self->has_strings ? x->dtype != SYM_DTYPE_STRING : !sym_dtype_is_integer (x->dtype))
    return sym_kernel_fail (error, "X is of %s, the pool of %s", sym_dtype_to_string (x->dtype),
                            self->has_strings ? "strings" : "integers");
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  g_auto (Grams) self = { .kernel = kernel };
  gsize n, n_rows;
  guint *row, *items;
  float *counts;
  SymShape shape;
  SymArray *y;

  if (x == NULL || !start (&self, error) || !check_operand (&self, x, error))
    return FALSE;
  n = (gsize) x->shape.dims[x->shape.rank - 1];
  n_rows = x->shape.rank == 2 ? (gsize) x->shape.dims[0] : 1;
  shape = x->shape;
  shape.dims[shape.rank - 1] = self.width;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &shape, error);
  row = sym_kernel_get_scratch (kernel, n, sizeof *row, error);
  items = row == NULL ? NULL : sym_kernel_get_scratch (kernel, n, sizeof *items, error);
  counts =
      items == NULL ? NULL : sym_kernel_get_scratch (kernel, self.n_grams, sizeof *counts, error);
  if (y == NULL || counts == NULL)
    return FALSE;
  for (gsize i = 0; i < n_rows; i++)
    {
      number_row (&self, x, i * n, n, row);
      if (!count_row (&self, row, n, items, counts, error))
        return FALSE;
      write_row (&self, counts, (float *) y->data + i * (gsize) self.width);
    }
  return TRUE;
}

/* ---- Rules ---- */

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);
  int n = sym_rule_get_ints (rule, "ngram_indexes", NULL, 0);
  g_autofree gint64 *places = g_new0 (gint64, (gsize) MAX (n, 0) + 1);
  gint64 width = 0;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error))
    return FALSE;
  if (x.rank < 0 || n < 0)
    return TRUE;
  if (x.rank != 1 && x.rank != 2)
    return sym_rule_fail (error, "X must have 1 axis or 2 and has %d", x.rank);
  sym_rule_get_ints (rule, "ngram_indexes", places, n);
  for (int i = 0; i < n; i++)
    width = MAX (width, places[i] < G_MAXINT32 ? places[i] + 1 : 0);
  x.dims[x.rank - 1] = width;
  return sym_rule_set_output (rule, 0, &x, error);
}

static const SymAttributeSpec attributes[] = {
  { "max_gram_length", SYM_ATTRIBUTE_INT, NULL, "items of the longest sequences that count" },
  { "max_skip_count", SYM_ATTRIBUTE_INT, NULL, "most items left out between two of a sequence" },
  { "min_gram_length", SYM_ATTRIBUTE_INT, NULL, "items of the shortest sequences that count" },
  { "mode", SYM_ATTRIBUTE_STRING, NULL, "counts, 1 for what occurs, or counts times weights",
    "TF IDF TFIDF" },
  { "ngram_counts", SYM_ATTRIBUTE_INTS, NULL, "where in the pool sequences of 1, 2, ... begin" },
  { "ngram_indexes", SYM_ATTRIBUTE_INTS, NULL, "place in the result of each sequence" },
  { "pool_int64s", SYM_ATTRIBUTE_INTS, "None", "the sequences, one after the other" },
  { "pool_strings", SYM_ATTRIBUTE_ANY, "None", "the sequences, one after the other" },
  { "weights", SYM_ATTRIBUTE_FLOATS, "None", "weight of each sequence" },
  { NULL },
};

const SymOperator sym_op_onnx_ngrams[] = {
  { SYM_OP_ONNX ("TfIdfVectorizer", 9),
    .summary = "how often sequences of a pool occur in rows of items",
    .category = SYM_CATEGORY_OTHER, .attributes = attributes, .slots = sym_op_onnx_x,
    .infer = infer, .run = run },
  { 0 },
};
