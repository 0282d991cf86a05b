/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-expand-parts-private.h"

#include <string.h>

#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"

/* Sequences whose length is known are only a way to name several tensors: who asks for an item is
 * given it, and nothing is left of the sequence. */

#define MOST_ITEMS 1024

GHashTable *
sym_expand_items_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
}

static GArray *
find_items (const SymExpand *self, SymId value)
{
  return value == SYM_NO_ID ? NULL
                            : g_hash_table_lookup (self->items, GUINT_TO_POINTER (value + 1));
}

static void
set_items (SymExpand *self, SymId value, GArray *items)
{
  g_hash_table_insert (self->items, GUINT_TO_POINTER (value + 1), items);
}

static GArray *
copy_items (const SymId *values, guint n)
{
  GArray *items = g_array_sized_new (FALSE, FALSE, sizeof (SymId), n);

  return g_array_append_vals (items, values, n);
}

/* The place among @n that the operand in @slot tells, @fallback without one; -1 for none. */
static gint64
find_place (const SymExpand *self, SymIds operands, guint slot, gint64 n, gint64 fallback)
{
  gint64 place = fallback;

  if (slot < operands.n && operands.ids[slot] != SYM_NO_ID &&
      (sym_inference_get_ints (self->inference, operands.ids[slot], &place, 1) != 1 ||
       !sym_expand_is_settled (self, operands.ids[slot])))
    return -1;
  if (place < 0)
    place += n;
  return place < n + (fallback == n) ? place : -1;
}

/* ---- What sequences are made of ---- */

typedef GArray *(*Make) (SymExpand *self, SymId call, SymIds operands);

static GArray *
construct (SymExpand *self, SymId call, SymIds operands)
{
  (void) self;
  (void) call;
  return operands.n > MOST_ITEMS ? NULL : copy_items (operands.ids, operands.n);
}

static GArray *
insert_item (SymExpand *self, SymId call, SymIds operands)
{
  GArray *before = find_items (self, operands.ids[0]), *items;
  gint64 place;

  (void) call;
  if (before == NULL || before->len >= MOST_ITEMS || operands.n < 2)
    return NULL;
  place = find_place (self, operands, 2, before->len, before->len);
  if (place < 0)
    return NULL;
  items = copy_items ((const SymId *) (gpointer) before->data, before->len);
  return g_array_insert_val (items, (guint) place, operands.ids[1]);
}

static GArray *
erase_item (SymExpand *self, SymId call, SymIds operands)
{
  GArray *before = find_items (self, operands.ids[0]);
  gint64 place;

  (void) call;
  if (before == NULL || before->len == 0)
    return NULL;
  place = find_place (self, operands, 1, before->len, (gint64) before->len - 1);
  if (place < 0)
    return NULL;
  return g_array_remove_index (copy_items ((const SymId *) (gpointer) before->data, before->len),
                               (guint) place);
}

/* The sizes of the pieces of an axis of @size; FALSE when they are not known, or do not fit. */
static gboolean
list_sizes (const SymExpand *self, SymIds operands, gint64 size, GArray *sizes)
{
  gboolean is_given = operands.n > 1 && operands.ids[1] != SYM_NO_ID;
  gint64 given[MOST_ITEMS], left = size;
  SymType type;
  int n;

  if (!is_given)
    given[0] = 1;
  else
    {
      type = sym_inference_get_type (self->inference, operands.ids[1]);
      n = sym_inference_get_ints (self->inference, operands.ids[1], given, MOST_ITEMS);
      if (n < 0 || n > MOST_ITEMS || !sym_expand_is_settled (self, operands.ids[1]))
        return FALSE;
      if (type.shape.rank == 1)
        {
          for (int i = 0; i < n; i++)
            if (given[i] < 0 || given[i] > left)
              return FALSE;
            else
              left -= given[i];
          g_array_append_vals (sizes, given, (guint) n);
          return left == 0;
        }
      if (type.shape.rank != 0 || n != 1 || given[0] < 1)
        return FALSE;
    }
  if (size / given[0] >= MOST_ITEMS)
    return FALSE;
  for (; left > 0; left -= given[0])
    {
      gint64 piece = MIN (given[0], left);

      g_array_append_val (sizes, piece);
    }
  return TRUE;
}

/* As Split makes them; without sizes the axis goes, unless it is to be kept. */
static GArray *
split (SymExpand *self, SymId call, SymIds operands)
{
  const SymAttributes *own = sym_layer_get_attributes (sym_model_get_layer (self->model, call));
  SymType type = sym_inference_get_type (self->inference, operands.ids[0]);
  gint64 axis = sym_attributes_get_int (own, "axis", 0);
  gboolean keeps = (operands.n > 1 && operands.ids[1] != SYM_NO_ID) ||
                   sym_attributes_get_int (own, "keepdims", 1) != 0;
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  SymId inserted, axes = SYM_NO_ID;
  GArray *items;

  axis += axis < 0 ? MAX (type.shape.rank, 0) : 0;
  if (type.kind != SYM_KIND_TENSOR || axis < 0 || axis >= type.shape.rank ||
      type.shape.dims[axis] <= 0 || !list_sizes (self, operands, type.shape.dims[axis], sizes))
    return NULL;
  attributes = sym_attributes_new ();
  sym_attributes_set (attributes, "axis", sym_value_new_int (axis), NULL);
  layer = sym_layer_new ("Split", sym_op_find ("", "Split", SYM_OP_LOWER_VERSION), attributes);
  inserted = sym_expand_insert (
      self, call, layer,
      (SymId[]){ operands.ids[0],
                 sym_expand_insert_ints (self, call, (const gint64 *) (gpointer) sizes->data,
                                         sizes->len) },
      2, sizes->len);
  if (!keeps)
    axes = sym_expand_insert_ints (self, call, &axis, 1);
  items = g_array_new (FALSE, FALSE, sizeof (SymId));
  for (guint i = 0; i < sizes->len; i++)
    {
      SymId piece = sym_edit_get_result (sym_expand_need_edit (self), inserted, i);

      if (!keeps)
        piece = sym_expand_insert_op (self, call, "Squeeze", NULL, (SymId[]){ piece, axes }, 2);
      g_array_append_val (items, piece);
    }
  return items;
}

static const struct {
  const char *name;
  Make make;
  guint n_operands; /* that it needs */
} makers[] = {
  { "SequenceConstruct", construct, 1 }, { "SequenceEmpty", construct, 0 },
  { "SequenceErase", erase_item, 1 },    { "SequenceInsert", insert_item, 2 },
  { "SplitToSequence", split, 1 },
};

static gboolean
has_operands (SymIds operands, guint n)
{
  for (guint i = 0; i < n; i++)
    if (i >= operands.n || operands.ids[i] == SYM_NO_ID)
      return FALSE;
  return TRUE;
}

static void
make_items (SymExpand *self, SymId call, const char *name)
{
  SymIds operands = sym_model_get_operands (self->model, call);

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (strcmp (name, makers[i].name) == 0 && has_operands (operands, makers[i].n_operands))
      {
        GArray *items = makers[i].make (self, call, operands);

        if (items != NULL)
          set_items (self, sym_model_get_results (self->model, call).ids[0], items);
      }
}

/* Calls that hand on what they are given, one for each result. */
static void
pass_items (SymExpand *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymIds results = sym_model_get_results (self->model, call);

  for (guint i = 0; i < MIN (operands.n, results.n); i++)
    if (find_items (self, operands.ids[i]) != NULL)
      set_items (self, results.ids[i], g_array_ref (find_items (self, operands.ids[i])));
}

/* ---- Who asks ---- */

static SymId
take_item (SymExpand *self, SymId call, const GArray *items)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  gint64 place = has_operands (operands, 2) ? find_place (self, operands, 1, items->len, -1) : -1;

  return place < 0 ? SYM_NO_ID : g_array_index (items, SymId, place);
}

static SymId
count_items (SymExpand *self, SymId call, const GArray *items)
{
  return sym_expand_insert_scalar (self, call, SYM_DTYPE_INT64, items->len);
}

static SymId
join_items (SymExpand *self, SymId call, const GArray *items)
{
  const SymAttributes *attributes =
      sym_layer_get_attributes (sym_model_get_layer (self->model, call));

  if (items->len == 0 || sym_attributes_find (attributes, "axis") == NULL)
    return SYM_NO_ID;
  return sym_expand_insert_join (self, call, (const SymId *) (gpointer) items->data, items->len,
                                 sym_attributes_get_int (attributes, "axis", 0),
                                 sym_attributes_get_int (attributes, "new_axis", 0) != 0);
}

static const struct {
  const char *name;
  SymId (*take) (SymExpand *self, SymId call, const GArray *items);
} takers[] = {
  { "ConcatFromSequence", join_items },
  { "SequenceAt", take_item },
  { "SequenceLength", count_items },
};

static gboolean
take (SymExpand *self, SymId call, const char *name)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  const GArray *items = operands.n == 0 ? NULL : find_items (self, operands.ids[0]);

  for (guint i = 0; items != NULL && i < G_N_ELEMENTS (takers); i++)
    if (strcmp (name, takers[i].name) == 0)
      {
        SymId value = takers[i].take (self, call, items);

        if (value != SYM_NO_ID)
          sym_expand_pass_on (self, call, &value);
        return value != SYM_NO_ID;
      }
  return FALSE;
}

gboolean
sym_expand_sequence (SymExpand *self, SymId call)
{
  const char *name = sym_expand_get_name (self, call);

  if (name == NULL || sym_model_get_results (self->model, call).n == 0)
    return FALSE;
  if (strcmp (name, "Identity") == 0 || strcmp (name, "Several") == 0)
    pass_items (self, call);
  else if (strstr (name, "Sequence") != NULL)
    {
      make_items (self, call, name);
      return take (self, call, name);
    }
  return FALSE;
}
