/* SPDX-License-Identifier: MIT */
#include "core/sym-layer-kind.h"
#include "ops/sym-op-lower.h"
#include "query/sym-figures-private.h"

#include <string.h>

/* Layers that are counted by what they are made of, which is made for the count and thrown away:
 * once for all that are alike. */

/* So many kinds of layers are kept.  A graph of more has few that are alike. */
#define MAX_KINDS 1024

/* Which layers are alike, and what one of them counts.  Its layer is its own: bodies within bodies
 * are gone again before the next that is alike. */
typedef struct {
  SymLayerKind key;
  SymLayer *layer;
  GArray *known; /* gint64: what is known of each operand, after how many integers that is */
  SymCount count;
} Kind;

static void
kind_free (gpointer data)
{
  Kind *self = data;

  sym_layer_unref (self->layer);
  g_free (self->key.inputs);
  g_array_unref (self->known);
  g_free (self);
}

/* A hash of the integers would tell apart few that their types do not. */
static gboolean
kind_equal (gconstpointer a, gconstpointer b)
{
  const Kind *left = a, *right = b;

  return sym_layer_kind_equal (a, b) && left->known->len == right->known->len &&
         memcmp (left->known->data, right->known->data, left->known->len * sizeof (gint64)) == 0;
}

static Kind *
kind_new (SymLayer *layer, const SymFigureTypes *types, const SymOpKnown *known, SymCount count)
{
  Kind *self = g_new0 (Kind, 1);

  self->key = (SymLayerKind){ layer, types->n_inputs, types->n_outputs,
                              g_memdup2 (types->inputs, sizeof *types->inputs * types->n_inputs) };
  self->layer = sym_layer_ref (layer);
  self->known = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < types->n_inputs; i++)
    {
      gint64 n = known[i].n;

      g_array_append_val (self->known, n);
      g_array_append_vals (self->known, known[i].values, (guint) MAX (n, 0));
    }
  self->count = count;
  return self;
}

static gboolean
recall (SymFigureWalk *self,
        SymLayer *layer,
        const SymFigureTypes *types,
        const SymOpKnown *known,
        SymCount *count)
{
  Kind *wanted, *kind;

  if (self->kinds == NULL)
    return FALSE;
  wanted = kind_new (layer, types, known, *count);
  kind = g_hash_table_lookup (self->kinds, wanted);
  if (kind != NULL)
    *count = kind->count;
  kind_free (wanted);
  return kind != NULL;
}

/* What stays unknown may be known of another one, which is not as deep. */
static void
keep (SymFigureWalk *self,
      SymLayer *layer,
      const SymFigureTypes *types,
      const SymOpKnown *known,
      SymCount count)
{
  if (!count.known)
    return;
  if (self->kinds == NULL)
    self->kinds = g_hash_table_new_full (sym_layer_kind_hash, kind_equal, kind_free, NULL);
  if (g_hash_table_size (self->kinds) < MAX_KINDS)
    g_hash_table_add (self->kinds, kind_new (layer, types, known, count));
}

static gboolean
is_known (const SymFigureTypes *self)
{
  for (guint i = 0; i < self->n_inputs; i++)
    if (self->inputs[i].kind == SYM_KIND_TENSOR && !sym_shape_is_known (&self->inputs[i].shape))
      return FALSE;
  return TRUE;
}

/* A body is made for types that are told; a product takes as many steps whatever they are. */
static void
take_dtypes (SymFigureTypes *self)
{
  for (guint i = 0; i < self->n_inputs; i++)
    if (self->inputs[i].kind == SYM_KIND_TENSOR && self->inputs[i].dtype == SYM_DTYPE_UNKNOWN)
      self->inputs[i].dtype = SYM_DTYPE_FLOAT32;
}

static SymOpKnown *
read_known (const SymInference *inference, SymIds operands)
{
  SymOpKnown *known = g_new0 (SymOpKnown, operands.n + 1);

  for (guint i = 0; i < operands.n; i++)
    known[i].n = operands.ids[i] == SYM_NO_ID
                     ? -1
                     : sym_inference_get_ints (inference, operands.ids[i], known[i].values,
                                               SYM_OP_MAX_KNOWN);
  return known;
}

static SymCount
count_body (SymFigureWalk *self, SymLayer *layer, const SymFigureTypes *types, SymOpKnown *known)
{
  g_autoptr (SymModel) body =
      sym_op_lower_known (layer, types->inputs, known, types->n_inputs, types->n_outputs, NULL);
  g_autoptr (SymInference) inference =
      body == NULL ? NULL : sym_infer (body, NULL, 0, self->cancellable, NULL);

  return inference == NULL ? (SymCount){ 0, FALSE }
                           : sym_figures_measure_inner (self, inference).multiply_adds;
}

SymCount
sym_figures_count_lowered (SymFigureWalk *self,
                           const SymInference *around,
                           SymId call,
                           SymFigureTypes *types)
{
  const SymModel *model = sym_inference_get_model (around);
  SymLayer *layer = sym_model_get_layer (model, call);
  g_autofree SymOpKnown *known = NULL;
  SymCount count = { 0, FALSE };

  if (!is_known (types) || !sym_figures_may_enter (self))
    return count;
  take_dtypes (types);
  known = read_known (around, sym_model_get_operands (model, call));
  if (recall (self, layer, types, known, &count))
    return count;
  count = count_body (self, layer, types, known);
  keep (self, layer, types, known, count);
  return count;
}
