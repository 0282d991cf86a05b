/* SPDX-License-Identifier: MIT */
#include "query/sym-compare-private.h"

#include <string.h>

struct _SymCompare {
  gatomicrefcount ref_count;
  GArray *entries;     /* of SymCompareEntry */
  GArray *differences; /* of SymDifference */
  guint first_of_models;
  guint counts[SYM_COMPARE_ADDED + 1];
};

typedef struct {
  SymCompare *compare;
  SymCompareSide before;
  SymCompareSide after;
  GHashTable *bodies; /* of SymModel: guint64 */
  gboolean numbers;
} Work;

static void
difference_clear (gpointer data)
{
  SymDifference *self = data;

  g_free (self->what);
  g_free (self->before);
  g_free (self->after);
}

/* Takes the texts. */
static void
add_difference (Work *self, const char *what, char *before, char *after)
{
  SymDifference difference = { g_strdup (what), before, after };

  g_array_append_val (self->compare->differences, difference);
}

/* ---- Attributes ---- */

/* What the one layer says and the other does not, or says otherwise; unless one says what is meant
 * without it. */
static void
compare_attributes (Work *self,
                    const SymLayer *before,
                    const SymAttributes *own,
                    const SymLayer *after,
                    const SymAttributes *other)
{
  for (guint i = 0; i < sym_attributes_get_n (own); i++)
    {
      const char *name = sym_attributes_get_name (own, i);
      const SymValue *value = sym_attributes_get_value (own, i);
      const SymValue *there = sym_attributes_find (other, name);

      if (there == NULL ? !sym_compare_is_default (before, own, i)
                        : !sym_value_equal (value, there))
        add_difference (self, name, sym_value_to_string (value),
                        there == NULL ? NULL : sym_value_to_string (there));
    }
  for (guint i = 0; i < sym_attributes_get_n (other); i++)
    if (sym_attributes_find (own, sym_attributes_get_name (other, i)) == NULL &&
        !sym_compare_is_default (after, other, i))
      add_difference (self, sym_attributes_get_name (other, i), NULL,
                      sym_value_to_string (sym_attributes_get_value (other, i)));
}

/* ---- Types ---- */

static char *
format_type (const SymCompareSide *side, SymId value)
{
  SymType type = sym_inference_get_type (side->inference, value);
  g_autofree char *shape = sym_inference_format_shape (side->inference, &type.shape, ",");

  return g_strdup_printf ("%s [%s]", sym_dtype_to_string (type.dtype), shape);
}

static gboolean
add_if_other (Work *self, const char *what, char *take_before, char *take_after)
{
  if (strcmp (take_before, take_after) != 0)
    {
      add_difference (self, what, take_before, take_after);
      return TRUE;
    }
  g_free (take_before);
  g_free (take_after);
  return FALSE;
}

static gboolean
compare_types (Work *self, const char *what, SymId before, SymId after)
{
  return add_if_other (self, what, format_type (&self->before, before),
                       format_type (&self->after, after));
}

/* ---- Operands ---- */

static gboolean
is_weight (const SymCompareSide *side, SymId value)
{
  return value != SYM_NO_ID && !sym_role_is_data (sym_model_get_role (side->model, value));
}

static SymTensor *
get_tensor (const SymCompareSide *side, SymId value)
{
  SymParameter *parameter = sym_model_get_parameter (side->model, value);
  SymTensor *tensor = sym_model_get_tensor (side->model, value);

  return tensor != NULL || parameter == NULL ? tensor : sym_parameter_get_tensor (parameter);
}

/* Of many they are no text. */
static char *
describe_numbers (SymTensor *tensor, const char *many)
{
  if (tensor == NULL)
    return g_strdup ("no numbers");
  return sym_tensor_get_n_bytes (tensor) <= SYM_COMPARE_SMALL_BYTES ? sym_tensor_to_string (tensor)
                                                                    : g_strdup (many);
}

/* Small constants are always read: axes and sizes are what a layer is. */
static void
compare_numbers (Work *self, const char *what, SymId before, SymId after)
{
  SymTensor *own = get_tensor (&self->before, before), *other = get_tensor (&self->after, after);
  gboolean is_small = sym_model_get_role (self->before.model, before) == SYM_ROLE_CONSTANT &&
                      (own == NULL || sym_tensor_get_n_bytes (own) <= SYM_COMPARE_SMALL_BYTES);

  if ((!self->numbers && !is_small) || own == other)
    return;
  if (own == NULL || other == NULL || !sym_tensor_equal (own, other))
    add_difference (self, what, describe_numbers (own, "numbers"),
                    describe_numbers (other, "other numbers"));
}

/* Where data comes from: an input by its place, else the call that makes it. */
static const char *
name_source (const SymCompareSide *side, SymId value)
{
  return value == SYM_NO_ID ? "nothing" : sym_model_get_value_name (side->model, value);
}

/* Data comes from elsewhere when what makes it is a layer of both, but another one.  What is
 * removed or added says so itself. */
static gboolean
is_elsewhere (const Work *self, SymId before, SymId after)
{
  SymId own = before == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (self->before.model, before);
  SymId other = after == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (self->after.model, after);

  if ((before == SYM_NO_ID) != (after == SYM_NO_ID))
    return TRUE;
  if (own == SYM_NO_ID || other == SYM_NO_ID)
    return FALSE;
  return self->before.partners[own] != SYM_NO_ID && self->after.partners[other] != SYM_NO_ID &&
         (self->before.partners[own] != other ||
          sym_model_get_output_index (self->before.model, before) !=
              sym_model_get_output_index (self->after.model, after));
}

static char *
name_operand (const Work *self, SymId call, guint i)
{
  const char *name = sym_model_get_slot_name (self->before.model, call, i);

  return name != NULL ? g_strdup (name) : g_strdup_printf ("input %u", i);
}

static void
compare_operand (Work *self, const char *what, SymId before, SymId after)
{
  gboolean own = is_weight (&self->before, before), other = is_weight (&self->after, after);

  if (own && other)
    {
      if (!compare_types (self, what, before, after))
        compare_numbers (self, what, before, after);
    }
  else if (own != other || is_elsewhere (self, before, after))
    add_difference (self, what, g_strdup (name_source (&self->before, before)),
                    g_strdup (name_source (&self->after, after)));
}

static void
compare_operands (Work *self, SymId before, SymId after)
{
  SymIds own = sym_model_get_operands (self->before.model, before);
  SymIds other = sym_model_get_operands (self->after.model, after);

  for (guint i = 0; i < MAX (own.n, other.n); i++)
    {
      g_autofree char *what = name_operand (self, before, i);

      if (i < own.n && i < other.n)
        compare_operand (self, what, own.ids[i], other.ids[i]);
      else
        add_difference (self, what,
                        i < own.n ? g_strdup (name_source (&self->before, own.ids[i])) : NULL,
                        i < other.n ? g_strdup (name_source (&self->after, other.ids[i])) : NULL);
    }
}

static void
compare_results (Work *self, SymId before, SymId after)
{
  SymIds own = sym_model_get_results (self->before.model, before);
  SymIds other = sym_model_get_results (self->after.model, after);

  for (guint i = 0; i < MIN (own.n, other.n); i++)
    {
      g_autofree char *what = i == 0 ? g_strdup ("output") : g_strdup_printf ("output %u", i);

      compare_types (self, what, own.ids[i], other.ids[i]);
    }
}

/* ---- Bodies ---- */

static char *
describe_body (SymModel *body, const char *which)
{
  return body == NULL ? NULL : g_strdup_printf ("%u %slayers", sym_model_get_n_calls (body), which);
}

static void
compare_bodies (Work *self, SymLayer *before, SymLayer *after)
{
  guint n = sym_layer_get_n_bodies (before), n_other = sym_layer_get_n_bodies (after);

  for (guint i = 0; i < MAX (n, n_other); i++)
    {
      const char *name = "";
      SymModel *own = i < n ? sym_layer_get_body (before, i, &name) : NULL;
      SymModel *other = i < n_other ? sym_layer_get_body (after, i, &name) : NULL;
      g_autofree char *what = g_strdup_printf ("body %s", name);

      if (own == NULL || other == NULL ||
          sym_compare_hash_body (own, self->bodies) != sym_compare_hash_body (other, self->bodies))
        add_difference (self, what, describe_body (own, ""), describe_body (other, "other "));
    }
}

/* ---- Entries ---- */

static void
add_entry (Work *self, SymCompareKind kind, SymId before, SymId after, guint first)
{
  SymCompareEntry entry = { kind, before, after, first, self->compare->differences->len - first };

  g_array_append_val (self->compare->entries, entry);
  self->compare->counts[kind]++;
}

static void
compare_pair (Work *self, SymId before, SymId after)
{
  guint first = self->compare->differences->len, changed;
  SymLayer *own = sym_model_get_layer (self->before.model, before);
  SymLayer *other = sym_model_get_layer (self->after.model, after);

  compare_attributes (self, own, sym_layer_get_attributes (own), other,
                      sym_layer_get_attributes (other));
  compare_attributes (self, own, sym_model_get_call_attributes (self->before.model, before), other,
                      sym_model_get_call_attributes (self->after.model, after));
  compare_bodies (self, own, other);
  compare_operands (self, before, after);
  changed = self->compare->differences->len;
  compare_results (self, before, after);
  add_entry (self,
             changed > first                             ? SYM_COMPARE_CHANGED
             : self->compare->differences->len > changed ? SYM_COMPARE_RESHAPED
                                                         : SYM_COMPARE_SAME,
             before, after, first);
}

/* Both orders at once: removed calls where they were, added ones where they are, pairs when the
 * later of both is reached; what has moved is told where it was. */
static gboolean
add_entries (Work *self, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *is_told = g_malloc0 (self->before.n_calls + 1);
  guint k = 0;

  for (guint i = 0; i < self->before.order.n; i++)
    {
      SymId before = self->before.order.ids[i], after = self->before.partners[before];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (after == SYM_NO_ID)
        {
          add_entry (self, SYM_COMPARE_REMOVED, before, SYM_NO_ID, self->compare->differences->len);
          continue;
        }
      for (; k < self->after.order.n; k++)
        {
          SymId call = self->after.order.ids[k], partner = self->after.partners[call];

          if (partner != SYM_NO_ID && !is_told[partner])
            break;
          if (partner == SYM_NO_ID)
            add_entry (self, SYM_COMPARE_ADDED, SYM_NO_ID, call, self->compare->differences->len);
        }
      is_told[before] = TRUE;
      compare_pair (self, before, after);
    }
  for (; k < self->after.order.n; k++)
    if (self->after.partners[self->after.order.ids[k]] == SYM_NO_ID)
      add_entry (self, SYM_COMPARE_ADDED, SYM_NO_ID, self->after.order.ids[k],
                 self->compare->differences->len);
  return TRUE;
}

/* ---- The models ---- */

static char *
describe_end (const SymCompareSide *side, SymIds ids, guint i)
{
  g_autofree char *type = i < ids.n ? format_type (side, ids.ids[i]) : NULL;

  return type == NULL
             ? NULL
             : g_strdup_printf ("%s %s", sym_model_get_value_name (side->model, ids.ids[i]), type);
}

/* Names of inputs and outputs are what programs feed and ask for. */
static void
compare_ends (Work *self, const char *what, SymIds before, SymIds after)
{
  for (guint i = 0; i < MAX (before.n, after.n); i++)
    {
      g_autofree char *title = g_strdup_printf ("%s %u", what, i + 1);
      char *own = describe_end (&self->before, before, i);
      char *other = describe_end (&self->after, after, i);

      if (g_strcmp0 (own, other) != 0)
        add_difference (self, title, own, other);
      else
        {
          g_free (own);
          g_free (other);
        }
    }
}

static SymCompare *
compare (Work *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymCompare) made = g_new0 (SymCompare, 1);

  g_atomic_ref_count_init (&made->ref_count);
  made->entries = g_array_new (FALSE, FALSE, sizeof (SymCompareEntry));
  made->differences = g_array_new (FALSE, FALSE, sizeof (SymDifference));
  g_array_set_clear_func (made->differences, difference_clear);
  self->compare = made;
  if (!sym_compare_match (&self->before, &self->after, cancellable, error) ||
      !add_entries (self, cancellable, error))
    return NULL;
  made->first_of_models = made->differences->len;
  compare_ends (self, "input", sym_model_get_inputs (self->before.model),
                sym_model_get_inputs (self->after.model));
  compare_ends (self, "output", sym_model_get_outputs (self->before.model),
                sym_model_get_outputs (self->after.model));
  return g_steal_pointer (&made);
}

SymCompare *
sym_compare_new (SymInference *before,
                 SymInference *after,
                 gboolean numbers,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GHashTable) bodies =
      g_hash_table_new_full (NULL, NULL, (GDestroyNotify) sym_model_unref, g_free);
  Work self = { .bodies = bodies, .numbers = numbers };
  SymCompare *made;

  sym_compare_side_init (&self.before, before, bodies);
  sym_compare_side_init (&self.after, after, bodies);
  made = compare (&self, cancellable, error);
  sym_compare_side_clear (&self.before);
  sym_compare_side_clear (&self.after);
  return made;
}

const char *
sym_compare_kind_to_string (SymCompareKind kind)
{
  static const char *const words[] = {
    [SYM_COMPARE_SAME] = "same",       [SYM_COMPARE_RESHAPED] = "reshaped",
    [SYM_COMPARE_CHANGED] = "changed", [SYM_COMPARE_REMOVED] = "removed",
    [SYM_COMPARE_ADDED] = "added",
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (words) == SYM_N_COMPARE_KINDS);
  g_return_val_if_fail (kind < SYM_N_COMPARE_KINDS, NULL);
  return words[kind];
}

SymCompare *
sym_compare_ref (SymCompare *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_compare_unref (SymCompare *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->entries);
  g_array_unref (self->differences);
  g_free (self);
}

guint
sym_compare_get_n (const SymCompare *self)
{
  return self->entries->len;
}

SymCompareEntry
sym_compare_get (const SymCompare *self, guint i)
{
  return g_array_index (self->entries, SymCompareEntry, i);
}

guint
sym_compare_count (const SymCompare *self, SymCompareKind kind)
{
  return self->counts[kind];
}

guint
sym_compare_get_n_differences (const SymCompare *self)
{
  return self->differences->len;
}

const SymDifference *
sym_compare_get_difference (const SymCompare *self, guint i)
{
  return &g_array_index (self->differences, SymDifference, i);
}

guint
sym_compare_get_first_of_models (const SymCompare *self)
{
  return self->first_of_models;
}

const char *
sym_compare_name_call (const SymModel *model, SymId call)
{
  const char *name = sym_model_get_call_name (model, call);
  const char *type = sym_layer_get_type (sym_model_get_layer (model, call));
  SymId result = sym_model_get_first_result (model, call);

  if (name != NULL && *name != '\0' && !g_str_equal (name, type))
    return name;
  return result == SYM_NO_ID ? type : sym_model_get_value_name (model, result);
}

gboolean
sym_compare_is_same (const SymCompare *self)
{
  return self->counts[SYM_COMPARE_SAME] == self->entries->len && self->differences->len == 0;
}
