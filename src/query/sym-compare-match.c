/* SPDX-License-Identifier: MIT */
#include "query/sym-compare-private.h"

#include <string.h>

#include "core/sym-text.h"
#include "ops/sym-op.h"

/* Who is who: first calls with the same history from the inputs on, then those with the same from
 * the outputs back, so that one change leaves all around it as it is.  From what is known the rest
 * follows from neighbour to neighbour: what is the same layer at the same place, at last what is
 * the same type of layer there. */

/* Of a value that very many use only so many are looked at for each. */
#define MAX_USERS 64

/* Calls that nothing leads to are compared in order, up to so many times so many. */
#define MAX_TABLE (16 << 20)

static guint64
mix_text (guint64 hash, const char *text)
{
  gsize n = strlen (text);

  return sym_hash_mix (sym_hash_mix (hash, sym_text_hash (1, text, n)), sym_text_hash (2, text, n));
}

/* ---- What a layer is ---- */

gboolean
sym_compare_is_default (const SymLayer *layer, const SymAttributes *attributes, guint i)
{
  const SymAttributeSpec *spec = sym_op_find_attribute (sym_layer_get_operator (layer),
                                                        sym_attributes_get_name (attributes, i));
  g_autoptr (SymValue) usual =
      spec == NULL || spec->fallback == NULL ? NULL : sym_value_parse (spec->fallback);

  return usual != NULL && sym_value_equal (usual, sym_attributes_get_value (attributes, i));
}

/* The order of attributes says nothing. */
static guint64
hash_attributes (const SymLayer *layer, const SymAttributes *attributes)
{
  guint64 sum = 0;

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *text = NULL;

      if (sym_compare_is_default (layer, attributes, i))
        continue;
      text = sym_value_to_string (sym_attributes_get_value (attributes, i));
      sum += mix_text (mix_text (3, sym_attributes_get_name (attributes, i)), text);
    }
  return sum;
}

static guint64
hash_constant (guint64 hash, SymTensor *tensor)
{
  guint8 bytes[SYM_COMPARE_SMALL_BYTES];
  guint64 n = sym_tensor_get_n_bytes (tensor);

  if (n <= sizeof bytes && sym_tensor_get_dtype (tensor) != SYM_DTYPE_STRING &&
      sym_tensor_read (tensor, 0, n, bytes, NULL))
    hash = sym_hash_mix (hash, sym_text_hash (4, (const char *) bytes, n));
  return hash;
}

/* Weights are their shapes; other operands count by where they come from. */
static guint64
hash_operand (const SymCompareSide *self, SymId value)
{
  SymRole role = value == SYM_NO_ID ? SYM_ROLE_INPUT : sym_model_get_role (self->model, value);
  guint64 hash = sym_hash_mix (5, value == SYM_NO_ID ? 0 : 1 + (guint64) role);
  SymTensor *tensor;
  SymType type;

  if (value == SYM_NO_ID || sym_role_is_data (role))
    return value == SYM_NO_ID ? hash : 6;
  type = sym_inference_get_type (self->inference, value);
  hash = sym_hash_mix (hash, type.dtype);
  for (int i = 0; i < type.shape.rank; i++)
    hash = sym_hash_mix (hash, (guint64) MAX (type.shape.dims[i], -1));
  tensor = role == SYM_ROLE_CONSTANT ? sym_model_get_tensor (self->model, value) : NULL;
  return tensor == NULL ? hash : hash_constant (hash, tensor);
}

static guint64
hash_call (const SymCompareSide *self, SymId call)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  SymIds operands = sym_model_get_operands (self->model, call);
  guint64 hash = mix_text (7, sym_layer_get_type (layer));

  hash = sym_hash_mix (hash, hash_attributes (layer, sym_layer_get_attributes (layer)));
  hash = sym_hash_mix (hash,
                       hash_attributes (layer, sym_model_get_call_attributes (self->model, call)));
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      const char *name;
      SymModel *body = sym_layer_get_body (layer, i, &name);

      hash = sym_hash_mix (mix_text (hash, name), sym_compare_hash_body (body, self->bodies));
    }
  for (guint i = 0; i < operands.n; i++)
    hash = sym_hash_mix (hash, hash_operand (self, operands.ids[i]));
  return hash;
}

void
sym_compare_side_init (SymCompareSide *self, SymInference *inference, GHashTable *bodies)
{
  self->bodies = bodies;
  self->inference = sym_inference_ref (inference);
  self->model = sym_inference_get_model (inference);
  self->order = sym_model_get_execution_order (self->model);
  self->n_calls = sym_model_get_n_calls (self->model);
  self->own = g_new0 (guint64, self->n_calls + 1);
  self->partners = g_new (SymId, self->n_calls + 1);
  for (guint i = 0; i < self->n_calls; i++)
    self->partners[i] = SYM_NO_ID;
  for (guint i = 0; i < self->order.n; i++)
    self->own[self->order.ids[i]] = hash_call (self, self->order.ids[i]);
}

void
sym_compare_side_clear (SymCompareSide *self)
{
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->own, g_free);
  g_clear_pointer (&self->partners, g_free);
}

/* ---- Histories ---- */

static guint64
get_place (const SymIds *ids, SymId id)
{
  for (guint i = 0; i < ids->n; i++)
    if (ids->ids[i] == id)
      return i;
  return ids->n;
}

/* What a call is and all that it comes from.  Inputs differ by their places. */
static guint64 *
hash_from_inputs (const SymCompareSide *self)
{
  guint64 *hashes = g_new0 (guint64, self->n_calls + 1);
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < self->order.n; i++)
    {
      SymId call = self->order.ids[i];
      SymIds operands = sym_model_get_operands (self->model, call);
      guint64 hash = sym_hash_mix (self->own[call], 8);

      for (guint k = 0; k < operands.n; k++)
        {
          SymId value = operands.ids[k];
          SymId producer =
              value == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (self->model, value);

          if (producer != SYM_NO_ID)
            hash = sym_hash_mix (sym_hash_mix (hash, hashes[producer]),
                                 sym_model_get_output_index (self->model, value));
          else if (value != SYM_NO_ID && sym_role_is_data (sym_model_get_role (self->model, value)))
            hash = sym_hash_mix (hash, get_place (&inputs, value));
        }
      hashes[call] = hash;
    }
  return hashes;
}

guint64
sym_compare_hash_body (SymModel *body, GHashTable *bodies)
{
  guint64 *known = g_hash_table_lookup (bodies, body), hash = 11;
  g_autoptr (SymInference) inference = NULL;
  g_autofree guint64 *hashes = NULL;
  SymCompareSide side;
  SymIds outputs;

  if (known != NULL)
    return *known;
  inference = sym_infer_nothing (body);
  sym_compare_side_init (&side, inference, bodies);
  hashes = hash_from_inputs (&side);
  for (guint i = 0; i < side.n_calls; i++)
    hash += sym_hash_mix (hashes[i], 12);
  outputs = sym_model_get_outputs (body);
  for (guint i = 0; i < outputs.n; i++)
    {
      SymId producer = sym_model_get_producer (body, outputs.ids[i]);

      hash = sym_hash_mix (hash, producer == SYM_NO_ID ? 13 : hashes[producer]);
    }
  sym_compare_side_clear (&side);
  known = g_new (guint64, 1);
  *known = hash;
  g_hash_table_insert (bodies, sym_model_ref (body), known);
  return hash;
}

/* What a call is and all that its results go to, in any order. */
static guint64 *
hash_to_outputs (const SymCompareSide *self)
{
  guint64 *hashes = g_new0 (guint64, self->n_calls + 1);
  guint64 *sums = g_new0 (guint64, self->n_calls + 1);
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; i < outputs.n; i++)
    {
      SymId producer = sym_model_get_producer (self->model, outputs.ids[i]);

      if (producer != SYM_NO_ID)
        sums[producer] += sym_hash_mix (9, i);
    }
  for (guint i = self->order.n; i-- > 0;)
    {
      SymId call = self->order.ids[i];
      SymIds operands = sym_model_get_operands (self->model, call);

      hashes[call] = sym_hash_mix (sym_hash_mix (self->own[call], 10), sums[call]);
      for (guint k = 0; k < operands.n; k++)
        {
          SymId value = operands.ids[k];
          SymId producer =
              value == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (self->model, value);

          if (producer != SYM_NO_ID)
            sums[producer] += sym_hash_mix (sym_hash_mix (hashes[call], k),
                                            sym_model_get_output_index (self->model, value));
        }
    }
  g_free (sums);
  return hashes;
}

/* ---- Pairs ---- */

typedef struct {
  SymCompareSide *before;
  SymCompareSide *after;
  GArray
      *queue; /* of SymId: calls of @before with a partner, whose neighbours are to be looked at */
} Match;

static void
pair (Match *self, SymId before, SymId after)
{
  self->before->partners[before] = after;
  self->after->partners[after] = before;
  g_array_append_val (self->queue, before);
}

static gboolean
is_free (const SymCompareSide *side, SymId call)
{
  return call != SYM_NO_ID && side->partners[call] == SYM_NO_ID;
}

/* Calls of one hash, in order: @next is the one after, by call. */
static void
pair_equal (Match *self, const guint64 *before, const guint64 *after)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree SymId *next = g_new (SymId, self->after->n_calls + 1);

  for (guint i = self->after->order.n; i-- > 0;)
    {
      SymId call = self->after->order.ids[i];
      gpointer first;

      if (!is_free (self->after, call))
        continue;
      first = g_hash_table_lookup (firsts, &after[call]);
      next[call] = first == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (first) - 1;
      g_hash_table_insert (firsts, (gpointer) &after[call], GUINT_TO_POINTER (call + 1));
    }
  for (guint i = 0; i < self->before->order.n; i++)
    {
      SymId call = self->before->order.ids[i];
      gpointer first =
          is_free (self->before, call) ? g_hash_table_lookup (firsts, &before[call]) : NULL;
      SymId other = first == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (first) - 1;

      if (other == SYM_NO_ID)
        continue;
      if (next[other] == SYM_NO_ID)
        g_hash_table_remove (firsts, &before[call]);
      else
        g_hash_table_insert (firsts, (gpointer) &after[next[other]],
                             GUINT_TO_POINTER (next[other] + 1));
      pair (self, call, other);
    }
}

static gboolean
is_alike (const Match *self, SymId before, SymId after, gboolean by_type)
{
  if (!by_type)
    return self->before->own[before] == self->after->own[after];
  return strcmp (sym_layer_get_type (sym_model_get_layer (self->before->model, before)),
                 sym_layer_get_type (sym_model_get_layer (self->after->model, after))) == 0;
}

/* The slot of @value among the operands of @call. */
static guint
find_slot (const SymModel *model, SymId call, SymId value)
{
  SymIds operands = sym_model_get_operands (model, call);

  return (guint) get_place (&operands, value);
}

/* What uses two values that are the same. */
static void
pair_users (Match *self, SymId before, SymId after, gboolean by_type)
{
  SymIds users = sym_model_get_consumers (self->before->model, before);
  SymIds others = sym_model_get_consumers (self->after->model, after);

  for (guint i = 0; i < users.n; i++)
    for (guint k = 0; k < MIN (others.n, MAX_USERS) && is_free (self->before, users.ids[i]); k++)
      if (is_free (self->after, others.ids[k]) &&
          is_alike (self, users.ids[i], others.ids[k], by_type) &&
          find_slot (self->before->model, users.ids[i], before) ==
              find_slot (self->after->model, others.ids[k], after))
        pair (self, users.ids[i], others.ids[k]);
}

static void
pair_consumers (Match *self, SymId before, SymId after, gboolean by_type)
{
  SymIds own = sym_model_get_results (self->before->model, before);
  SymIds other = sym_model_get_results (self->after->model, after);

  for (guint r = 0; r < MIN (own.n, other.n); r++)
    pair_users (self, own.ids[r], other.ids[r], by_type);
}

static SymId
get_producer (const SymCompareSide *side, SymIds operands, guint i)
{
  return operands.ids[i] == SYM_NO_ID ? SYM_NO_ID
                                      : sym_model_get_producer (side->model, operands.ids[i]);
}

/* What makes two values that are the same. */
static void
pair_makers (Match *self, SymIds own, SymIds other, gboolean by_type)
{
  for (guint i = 0; i < MIN (own.n, other.n); i++)
    {
      SymId producer = get_producer (self->before, own, i);
      SymId candidate = get_producer (self->after, other, i);

      if (is_free (self->before, producer) && is_free (self->after, candidate) &&
          is_alike (self, producer, candidate, by_type))
        pair (self, producer, candidate);
    }
}

/* Inputs and outputs are the same by their places. */
static void
pair_ends (Match *self, gboolean by_type)
{
  SymIds own = sym_model_get_inputs (self->before->model);
  SymIds other = sym_model_get_inputs (self->after->model);

  for (guint i = 0; i < MIN (own.n, other.n); i++)
    pair_users (self, own.ids[i], other.ids[i], by_type);
  pair_makers (self, sym_model_get_outputs (self->before->model),
               sym_model_get_outputs (self->after->model), by_type);
}

static gboolean
spread (Match *self, gboolean by_type, GCancellable *cancellable, GError **error)
{
  pair_ends (self, by_type);
  for (guint i = 0; i < self->queue->len; i++)
    {
      SymId before = g_array_index (self->queue, SymId, i);
      SymId after = self->before->partners[before];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      pair_consumers (self, before, after, by_type);
      pair_makers (self, sym_model_get_operands (self->before->model, before),
                   sym_model_get_operands (self->after->model, after), by_type);
    }
  return TRUE;
}

/* ---- What is left ---- */

static GArray *
list_free (const SymCompareSide *side)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < side->order.n; i++)
    if (is_free (side, side->order.ids[i]))
      g_array_append_val (calls, side->order.ids[i]);
  return calls;
}

/* The longest common part of what is left on both sides, in order. */
static void
pair_in_order (Match *self)
{
  g_autoptr (GArray) before = list_free (self->before);
  g_autoptr (GArray) after = list_free (self->after);
  guint rows = before->len, columns = after->len;
  g_autofree guint16 *longest = NULL;

  if (rows == 0 || columns == 0 || (guint64) rows * columns > MAX_TABLE ||
      MIN (rows, columns) > G_MAXUINT16)
    return;
  longest = g_new0 (guint16, (gsize) (rows + 1) * (columns + 1));
#define AT(i, k) longest[(gsize) (i) * (columns + 1) + (k)]
#define BEFORE(i) g_array_index (before, SymId, i)
#define AFTER(k) g_array_index (after, SymId, k)
  for (guint i = rows; i-- > 0;)
    for (guint k = columns; k-- > 0;)
      AT (i, k) = is_alike (self, BEFORE (i), AFTER (k), FALSE)
                      ? AT (i + 1, k + 1) + 1
                      : MAX (AT (i + 1, k), AT (i, k + 1));
  for (guint i = 0, k = 0; i < rows && k < columns;)
    if (is_alike (self, BEFORE (i), AFTER (k), FALSE))
      pair (self, BEFORE (i++), AFTER (k++));
    else if (AT (i + 1, k) >= AT (i, k + 1))
      i++;
    else
      k++;
#undef AT
#undef BEFORE
#undef AFTER
}

gboolean
sym_compare_match (SymCompareSide *before,
                   SymCompareSide *after,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autofree guint64 *from_before = hash_from_inputs (before);
  g_autofree guint64 *from_after = hash_from_inputs (after);
  g_autofree guint64 *to_before = hash_to_outputs (before);
  g_autofree guint64 *to_after = hash_to_outputs (after);
  Match self = { before, after, queue };

  pair_equal (&self, from_before, from_after);
  pair_equal (&self, to_before, to_after);
  if (!spread (&self, FALSE, cancellable, error))
    return FALSE;
  pair_in_order (&self);
  return spread (&self, FALSE, cancellable, error) && spread (&self, TRUE, cancellable, error);
}
