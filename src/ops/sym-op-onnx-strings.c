/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-regular.h"
#include "ops/sym-op-table.h"

/* StringConcat, StringSplit, StringNormalizer and RegexFullMatch. */

static const SymArray *
need_strings (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);

  if (x == NULL || x->dtype == SYM_DTYPE_STRING)
    return x;
  sym_op_refuse_dtype (kernel, x->dtype, error);
  return NULL;
}

static const char *
get_string (const SymArray *x, gsize i, gsize *length)
{
  const char *text = g_bytes_get_data (((GBytes *const *) x->data)[i], length);

  return text == NULL ? "" : text;
}

static void
set_string (SymArray *y, gsize i, const char *text, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length);

  sym_array_set_string (y, i, bytes);
}

/* ---- StringConcat ---- */

static void
concatenate (const void *left, gsize step_a, const void *right, gsize step_b, void *result, gsize n)
{
  GBytes *const *a = left, *const *b = right, **y = result;

  for (gsize i = 0; i < n; i++)
    {
      GByteArray *both = g_byte_array_new ();
      gsize length;
      const guint8 *text = g_bytes_get_data (a[i * step_a], &length);

      g_byte_array_append (both, text, (guint) length);
      text = g_bytes_get_data (b[i * step_b], &length);
      g_byte_array_append (both, text, (guint) length);
      g_bytes_unref (y[i]);
      y[i] = g_byte_array_free_to_bytes (both);
    }
}

static const SymOpBinaryLoop concatenate_loops[SYM_N_DTYPES] = { [SYM_DTYPE_STRING] = concatenate };

static gboolean
run_concat (SymKernel *kernel, GError **error)
{
  return sym_op_run_binary (kernel, concatenate_loops, SYM_DTYPE_UNKNOWN, error);
}

/* ---- StringSplit ---- */

typedef struct {
  const char *delimiter; /* "" for white space */
  gsize length;
  gint64 most; /* how often a string is split, -1 for any number */
} Splitter;

static gsize
skip_space (const char *text, gsize place, gsize length, gboolean is_space)
{
  while (place < length)
    {
      gunichar c;
      gsize n = sym_op_next_character (text + place, length - place, &c);

      if ((g_unichar_isspace (c) || c == '\v') != is_space)
        break;
      place += n;
    }
  return place;
}

/* Where the delimiter is next, @length for nowhere. */
static gsize
find_delimiter (const Splitter *self, const char *text, gsize place, gsize length)
{
  for (; place + self->length <= length; place++)
    if (memcmp (text + place, self->delimiter, self->length) == 0)
      return place;
  return length;
}

/* The parts of a string, appended to @parts; what is left after the last split is one, but white
 * space alone is none. */
static void
split (const Splitter *self, const char *text, gsize length, GPtrArray *parts)
{
  gboolean by_space = self->length == 0;
  gsize place = by_space ? skip_space (text, 0, length, TRUE) : 0;

  for (gint64 n = 0; !by_space || place < length; n++)
    {
      gboolean is_last = n == self->most;
      gsize end = is_last    ? length
                  : by_space ? skip_space (text, place, length, FALSE)
                             : find_delimiter (self, text, place, length);

      g_ptr_array_add (parts, g_bytes_new (text + place, end - place));
      if (is_last || (!by_space && end == length))
        return;
      place = by_space ? skip_space (text, end, length, TRUE) : end + self->length;
    }
}

static gboolean
read_splitter (SymKernel *kernel, Splitter *self, GError **error)
{
  self->delimiter = sym_kernel_get_string (kernel, "delimiter", "");
  self->length = strlen (self->delimiter);
  self->most = MAX (sym_kernel_get_int (kernel, "maxsplit", -1), -1);
  return TRUE;
}

/* The parts of all strings side by side, those of each padded to the most that one has. */
static gboolean
write_parts (SymKernel *kernel,
             const SymShape *shape,
             const GPtrArray *parts,
             const gint64 *counts,
             gsize n,
             GError **error)
{
  SymShape wide = *shape;
  gint64 width = 0;
  gsize next = 0;
  SymArray *y;

  for (gsize i = 0; i < n; i++)
    width = MAX (width, counts[i]);
  wide.dims[wide.rank++] = width;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_STRING, &wide, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    for (gint64 j = 0; j < width; j++)
      if (j < counts[i])
        sym_array_set_string (y, i * (gsize) width + (gsize) j, parts->pdata[next++]);
      else
        set_string (y, i * (gsize) width + (gsize) j, "", 0);
  return TRUE;
}

static gboolean
run_split (SymKernel *kernel, GError **error)
{
  const SymArray *x = need_strings (kernel, error);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gsize n = x == NULL ? 0 : sym_array_get_n_elements (x), done = 0;
  gint64 *counts;
  Splitter self;
  SymArray *z;

  if (x == NULL || !read_splitter (kernel, &self, error))
    return FALSE;
  if (x->shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "strings of %d axes cannot be split", SYM_MAX_RANK);
  counts = sym_kernel_get_scratch (kernel, n, sizeof *counts, error);
  for (gsize i = 0; counts != NULL && i < n; i++)
    {
      guint before = parts->len;
      gsize length;
      const char *text = get_string (x, i, &length);

      split (&self, text, length, parts);
      counts[i] = parts->len - before;
      if (!sym_op_go_on (kernel, &done, length + 1, error))
        return FALSE;
    }
  if (counts == NULL || !write_parts (kernel, &x->shape, parts, counts, n, error))
    return FALSE;
  if (!sym_kernel_wants_output (kernel, 1))
    return TRUE;
  z = sym_kernel_new_output (kernel, 1, SYM_DTYPE_INT64, &x->shape, error);
  if (z != NULL && n > 0)
    memcpy (z->data, counts, n * sizeof *counts);
  return z != NULL;
}

/* ---- StringNormalizer ---- */

typedef enum { CASE_NONE, CASE_LOWER, CASE_UPPER } Case;

/* Letters change one by one, whatever the language. */
static char *
change_case (const char *text, gsize length, Case to, gsize *n)
{
  GString *result = g_string_sized_new (length);

  for (gsize i = 0; i < length;)
    {
      gunichar c;

      i += sym_op_next_character (text + i, length - i, &c);
      if (to != CASE_NONE)
        c = to == CASE_LOWER ? g_unichar_tolower (c) : g_unichar_toupper (c);
      g_string_append_unichar (result, c);
    }
  *n = result->len;
  return g_string_free (result, FALSE);
}

static gboolean
read_case (SymKernel *kernel, Case *to, GError **error)
{
  const char *action = sym_kernel_get_string (kernel, "case_change_action", "NONE");

  *to = strcmp (action, "LOWER") == 0   ? CASE_LOWER
        : strcmp (action, "UPPER") == 0 ? CASE_UPPER
                                        : CASE_NONE;
  return *to != CASE_NONE || strcmp (action, "NONE") == 0 ||
         sym_kernel_fail (error, "there is no case_change_action %s", action);
}

/* The words to leave out, lower case if case does not matter. */
static GHashTable *
read_stopwords (SymKernel *kernel, gboolean is_exact)
{
  const SymValue *words = sym_attributes_find (sym_kernel_get_attributes (kernel), "stopwords");
  GHashTable *set =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);

  for (guint i = 0; words != NULL && i < sym_value_get_n_children (words); i++)
    {
      const char *word = sym_value_get_string (sym_value_get_child (words, i));
      gsize n = word == NULL ? 0 : strlen (word);

      if (word == NULL)
        continue;
      if (is_exact)
        g_hash_table_add (set, g_bytes_new (word, n));
      else
        {
          char *lower = change_case (word, n, CASE_LOWER, &n);

          g_hash_table_add (set, g_bytes_new_take (lower, n));
        }
    }
  return set;
}

static gboolean
is_stopword (GHashTable *stopwords, const SymArray *x, gsize i, gboolean is_exact)
{
  g_autoptr (GBytes) lower = NULL;
  gsize length, n;
  const char *text = get_string (x, i, &length);
  char *changed;

  if (is_exact || g_hash_table_size (stopwords) == 0)
    return g_hash_table_contains (stopwords, ((GBytes *const *) x->data)[i]);
  changed = change_case (text, length, CASE_LOWER, &n);
  lower = g_bytes_new_take (changed, n);
  return g_hash_table_contains (stopwords, lower);
}

static void
write_string (SymArray *y, gsize i, const SymArray *x, gsize j, Case to)
{
  g_autofree char *changed = NULL;
  gsize length, n;
  const char *text = get_string (x, j, &length);

  if (to == CASE_NONE)
    {
      sym_op_move (y, i, x, j, 1);
      return;
    }
  changed = change_case (text, length, to, &n);
  set_string (y, i, changed, n);
}

/* Of nothing that is left one empty string remains. */
static gboolean
run_normalizer (SymKernel *kernel, GError **error)
{
  const SymArray *x = need_strings (kernel, error);
  gboolean is_exact = sym_kernel_get_bool (kernel, "is_case_sensitive", FALSE);
  g_autoptr (GHashTable) stopwords = read_stopwords (kernel, is_exact);
  gsize n = x == NULL ? 0 : sym_array_get_n_elements (x), n_left = 0, *left;
  SymShape shape;
  SymArray *y;
  Case to;

  if (x == NULL || !read_case (kernel, &to, error))
    return FALSE;
  shape = x->shape;
  if (shape.rank != 1 && (shape.rank != 2 || shape.dims[0] != 1))
    {
      g_autofree char *text = sym_op_format_shape (&shape);

      return sym_kernel_fail (error, "X has shape %s; it should be [C] or [1,C]", text);
    }
  left = sym_kernel_get_scratch (kernel, n, sizeof *left, error);
  if (left == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!is_stopword (stopwords, x, i, is_exact))
      left[n_left++] = i;
  shape.dims[shape.rank - 1] = (gint64) MAX (n_left, 1);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_STRING, &shape, error);
  if (y == NULL)
    return FALSE;
  if (n_left == 0)
    set_string (y, 0, "", 0);
  for (gsize i = 0; i < n_left; i++)
    write_string (y, i, x, left[i], to);
  return TRUE;
}

/* ---- RegexFullMatch ---- */

static gboolean
run_match (SymKernel *kernel, GError **error)
{
  const SymArray *x = need_strings (kernel, error);
  const char *pattern = sym_kernel_get_string (kernel, "pattern", "");
  g_autoptr (SymOpRegular) regular = x == NULL ? NULL : sym_op_regular_new (pattern, error);
  SymArray *y;

  if (regular == NULL)
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_BOOL, &x->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i++)
    {
      gboolean matches;
      gsize length;
      const char *text = get_string (x, i, &length);

      if (!sym_op_regular_match (regular, kernel, text, length, &matches, error))
        return FALSE;
      ((guint8 *) y->data)[i] = matches != FALSE;
    }
  return y != NULL;
}

/* ---- Rules ---- */

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_STRING, error);
}

static gboolean
infer_split (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_STRING, error) ||
      !sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_INT64, error) ||
      !sym_op_pass_shape (rule, 0, 1, error))
    return FALSE;
  if (x.rank < 0 || x.rank >= SYM_MAX_RANK)
    return TRUE;
  x.dims[x.rank++] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &x, error);
}

/* Without stop words all strings remain. */
static gboolean
infer_normalizer (SymRule *rule, GError **error)
{
  const SymValue *words = sym_attributes_find (sym_rule_get_attributes (rule), "stopwords");
  SymShape x = sym_rule_get_input (rule, 0);

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_STRING, error) || x.rank < 0)
    return TRUE;
  if (x.rank != 1 && x.rank != 2)
    return sym_rule_fail (error, "X must have 1 axis or 2 and has %d", x.rank);
  if ((words != NULL && sym_value_get_n_children (words) > 0) || x.dims[x.rank - 1] <= 0)
    x.dims[x.rank - 1] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &x, error);
}

static const SymAttributeSpec split_attributes[] = {
  { "delimiter", SYM_ATTRIBUTE_STRING, "None", "what parts are separated by; white space if none" },
  { "maxsplit", SYM_ATTRIBUTE_INT, "None", "how often a string is split at most" },
  { NULL },
};

static const SymAttributeSpec normalizer_attributes[] = {
  { "case_change_action", SYM_ATTRIBUTE_STRING, "NONE", "what becomes of letters",
    "LOWER UPPER NONE" },
  { "is_case_sensitive", SYM_ATTRIBUTE_INT, "0", "whether stop words are to have the same case" },
  { "locale", SYM_ATTRIBUTE_STRING, "None", "of no effect: letters change as in most languages" },
  { "stopwords", SYM_ATTRIBUTE_ANY, "None", "strings that are left out" },
  { NULL },
};

static const SymAttributeSpec match_attributes[] = {
  { "pattern", SYM_ATTRIBUTE_STRING, "None", "regular expression in the syntax of RE2" },
  { NULL },
};

static const SymSlotSpec concat_slots[] = { { "X" }, { "Y" }, { NULL } };
static const char *const split_outputs[] = { "Y", "Z", NULL };

#define STRINGS(name_, version_, summary_, infer_, run_)                              \
  SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_OTHER, \
                                 .infer = infer_, .run = run_

const SymOperator sym_op_onnx_strings[] = {
  { STRINGS ("StringConcat", 20, "strings, one behind the other", infer_concat, run_concat),
    .slots = concat_slots },
  { STRINGS ("StringSplit", 20, "parts of strings, and how many there are", infer_split, run_split),
    .attributes = split_attributes, .slots = sym_op_onnx_x,
    .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = split_outputs },
  { STRINGS ("StringNormalizer",
             10,
             "strings in lower or upper case, without some",
             infer_normalizer,
             run_normalizer),
    .attributes = normalizer_attributes, .slots = sym_op_onnx_x },
  { STRINGS ("RegexFullMatch",
             20,
             "whether strings are what an expression describes",
             sym_op_onnx_infer_test,
             run_match),
    .attributes = match_attributes, .slots = sym_op_onnx_x },
  { 0 },
};
