/* SPDX-License-Identifier: MIT */
#include "core/sym-model-private.h"

/* Bytes of the first block, as most models are bodies of a few layers; each further one has twice
 * as many, so that the names of a large model lie side by side. */
#define POOL_BLOCK 1024
#define POOL_MAX_BLOCK (256 * 1024)

/* Of a block of types. */
#define MAX_TYPES 1024

struct _SymPool {
  gatomicrefcount ref_count;
  SymPool *continued;
  GPtrArray *blocks;
  char *free; /* in the last block */
  gsize n_free, n_next;
  const char *latest; /* text; NULL for none */
};

SymPool *
sym_pool_new (SymPool *continued)
{
  SymPool *self = g_new0 (SymPool, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->n_next = POOL_BLOCK;
  if (continued != NULL)
    {
      g_atomic_ref_count_inc (&continued->ref_count);
      self->continued = continued;
    }
  return self;
}

static void
add_block (SymPool *self, gsize n_least)
{
  self->n_free = MAX (self->n_next, n_least);
  self->free = g_malloc (self->n_free);
  self->n_next = MIN (self->n_next * 2, POOL_MAX_BLOCK);
  g_ptr_array_add (self->blocks, self->free);
}

/* Most results are called as the call that was named before them. */
const char *
sym_pool_insert (SymPool *self, const char *text)
{
  gsize n;
  char *place;

  if (text == self->latest)
    return text;
  n = strlen (text) + 1;
  if (n > self->n_free)
    add_block (self, n);
  place = memcpy (self->free, text, n);
  self->free += n;
  self->n_free -= n;
  self->latest = place;
  return place;
}

void
sym_pool_unref (SymPool *self)
{
  while (self != NULL && g_atomic_ref_count_dec (&self->ref_count))
    {
      SymPool *continued = self->continued;

      g_ptr_array_unref (self->blocks);
      g_free (self);
      self = continued;
    }
}

void
sym_runs_clear (SymRuns *self)
{
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->ids, g_free);
  self->n = 0;
}

gpointer *
sym_column_reach (GPtrArray *self, guint row)
{
  if (row == self->len)
    g_ptr_array_add (self, NULL);
  else if (row > self->len)
    g_ptr_array_set_size (self, (int) row + 1);
  return &g_ptr_array_index (self, row);
}

SymTopology *
sym_topology_ref (SymTopology *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_topology_unref (SymTopology *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->roles);
  g_free (self->values_erased);
  g_free (self->calls_erased);
  g_free (self->producers);
  g_free (self->output_indices);
  sym_runs_clear (&self->operands);
  sym_runs_clear (&self->results);
  sym_runs_clear (&self->controls);
  g_free (self->entries);
  g_free (self->inputs);
  g_free (self->outputs);
  sym_runs_clear (&self->data_operands);
  sym_runs_clear (&self->consumers);
  g_free (self->execution);
  g_free (self->back_edges);
  g_free (self->depths);
  g_free (self->live);
  g_free (self->is_output);
  g_free (self->rows);
  g_free (self->row_numbers);
  g_free (self);
}

static gpointer
copy_pointer (gconstpointer pointer, gpointer user_data)
{
  return (gpointer) pointer;
}

SymNames *
sym_names_new (void)
{
  SymNames *self = g_new0 (SymNames, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->pool = sym_pool_new (NULL);
  self->values = sym_rows_new (sizeof (const char *));
  self->variables = g_ptr_array_new ();
  self->calls = sym_rows_new (sizeof (const char *));
  return self;
}

SymNames *
sym_names_copy (const SymNames *self)
{
  SymNames *copy = g_new0 (SymNames, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->pool = sym_pool_new (self->pool);
  copy->values = sym_rows_copy (self->values);
  copy->variables = g_ptr_array_copy (self->variables, copy_pointer, NULL);
  copy->calls = sym_rows_copy (self->calls);
  return copy;
}

SymNames *
sym_names_ref (SymNames *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_names_unref (SymNames *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_rows_free (self->values);
  g_ptr_array_unref (self->variables);
  sym_rows_free (self->calls);
  sym_pool_unref (self->pool);
  g_free (self);
}

static void
unref_value (gpointer data)
{
  if (data != NULL)
    sym_value_unref (data);
}

static void
unref_attributes (gpointer data)
{
  if (data != NULL)
    sym_attributes_unref (data);
}

static void
unref_parameter (gpointer data)
{
  if (data != NULL)
    sym_parameter_unref (data);
}

static void
unref_tensor (gpointer data)
{
  if (data != NULL)
    sym_tensor_unref (data);
}

static void
release_text (gpointer data)
{
  if (data != NULL)
    g_ref_string_release (data);
}

static gpointer
ref_value (gconstpointer value, gpointer user_data)
{
  return value == NULL ? NULL : sym_value_ref ((SymValue *) value);
}

static gpointer
ref_attributes (gconstpointer attributes, gpointer user_data)
{
  return attributes == NULL ? NULL : sym_attributes_ref ((SymAttributes *) attributes);
}

static gpointer
ref_parameter (gconstpointer parameter, gpointer user_data)
{
  return parameter == NULL ? NULL : sym_parameter_ref ((SymParameter *) parameter);
}

static gpointer
ref_tensor (gconstpointer tensor, gpointer user_data)
{
  return tensor == NULL ? NULL : sym_tensor_ref ((SymTensor *) tensor);
}

static gpointer
acquire_text (gconstpointer text, gpointer user_data)
{
  return text == NULL ? NULL : g_ref_string_acquire ((char *) text);
}

SymLayers *
sym_layer_table_new (void)
{
  SymLayers *self = g_new0 (SymLayers, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->layers = sym_rows_new (sizeof (SymLayer *));
  self->arguments = g_ptr_array_new_with_free_func (unref_value);
  self->attributes = g_ptr_array_new_with_free_func (unref_attributes);
  return self;
}

SymLayers *
sym_layers_copy (const SymLayers *self)
{
  SymLayers *copy = g_new0 (SymLayers, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->layers = sym_rows_copy (self->layers);
  for (guint i = 0; i < copy->layers->len; i++)
    sym_layer_ref (g_array_index (copy->layers, SymLayer *, i));
  copy->n_nested = self->n_nested;
  copy->n_hiding = self->n_hiding;
  copy->arguments = g_ptr_array_copy (self->arguments, ref_value, NULL);
  copy->attributes = g_ptr_array_copy (self->attributes, ref_attributes, NULL);
  return copy;
}

static guint
count_nested (const SymLayer *layer)
{
  return sym_layer_get_n_bodies (layer) > 0 ? 1 : 0;
}

static guint
count_hiding (const SymLayer *layer)
{
  return sym_layer_get_hides_parameters (layer) ? 1 : 0;
}

void
sym_layers_append (SymLayers *self, SymLayer *take_layer)
{
  sym_rows_append (self->layers, take_layer);
  self->n_nested += count_nested (take_layer);
  self->n_hiding += count_hiding (take_layer);
}

void
sym_layers_set (SymLayers *self, SymId call, SymLayer *layer)
{
  SymLayer **slot = &g_array_index (self->layers, SymLayer *, call);
  SymLayer *old = *slot;

  *slot = sym_layer_ref (layer);
  self->n_nested += count_nested (layer) - count_nested (old);
  self->n_hiding += count_hiding (layer) - count_hiding (old);
  sym_layer_unref (old);
}

SymLayers *
sym_layers_ref (SymLayers *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_layers_unref (SymLayers *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint i = 0; i < self->layers->len; i++)
    sym_layer_unref (g_array_index (self->layers, SymLayer *, i));
  sym_rows_free (self->layers);
  g_ptr_array_unref (self->arguments);
  g_ptr_array_unref (self->attributes);
  g_free (self);
}

SymTypes *
sym_types_new (void)
{
  SymTypes *self = g_new0 (SymTypes, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->terms = sym_terms_new ();
  self->types = g_ptr_array_new ();
  self->elements = g_ptr_array_new_with_free_func (g_free);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static gboolean
is_unknown (const SymType *type)
{
  return type->kind == SYM_KIND_UNKNOWN && type->dtype == SYM_DTYPE_UNKNOWN && type->name == NULL &&
         type->n_elements == 0 && type->shape.rank < 0;
}

static gboolean
is_last (const SymTypes *self, const SymType *type)
{
  const SymType *last = self->last;

  return last != NULL && type->n_elements == 0 && last->kind == type->kind &&
         last->dtype == type->dtype && last->name == type->name &&
         sym_shape_equal (&last->shape, &type->shape);
}

/* Most models are bodies of a few layers: blocks are as large as all before them, up to a bound. */
static SymType *
allocate_type (SymTypes *self)
{
  if (self->n_free == 0)
    {
      self->n_free = CLAMP (self->types->len, SYM_FIRST_ROWS, MAX_TYPES);
      self->free = g_new (SymType, self->n_free);
      g_ptr_array_add (self->blocks, self->free);
    }
  self->n_free--;
  return self->free++;
}

/* Elements are copied from the outside in: a tuple within a tuple is one more entry of the queue.
 */
void
sym_types_set (SymTypes *self, SymId value, const SymType *type)
{
  g_autoptr (GPtrArray) queue = NULL;
  SymType *own;

  if (sym_types_peek (self, value) == NULL && is_unknown (type))
    return;
  if (is_last (self, type))
    {
      *sym_column_reach (self->types, value) = (gpointer) self->last;
      return;
    }
  *sym_column_reach (self->types, value) = own = allocate_type (self);
  *own = *type;
  if (type->n_elements == 0)
    {
      self->last = own;
      return;
    }

  queue = g_ptr_array_new ();
  g_ptr_array_add (queue, own);
  for (guint i = 0; i < queue->len; i++)
    {
      SymType *tuple = g_ptr_array_index (queue, i);
      SymType *elements;

      if (tuple->n_elements == 0)
        continue;
      elements = g_memdup2 (tuple->elements, sizeof (SymType) * tuple->n_elements);
      g_ptr_array_add (self->elements, elements);
      tuple->elements = elements;
      for (guint j = 0; j < tuple->n_elements; j++)
        g_ptr_array_add (queue, &elements[j]);
    }
}

SymTypes *
sym_types_copy (const SymTypes *self)
{
  SymTypes *copy = sym_types_new ();

  sym_terms_free (copy->terms);
  copy->terms = sym_terms_copy (self->terms);
  for (guint i = 0; i < self->types->len; i++)
    if (sym_types_peek (self, i) != NULL)
      sym_types_set (copy, i, sym_types_peek (self, i));
  return copy;
}

SymTypes *
sym_types_ref (SymTypes *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_types_unref (SymTypes *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_terms_free (self->terms);
  g_ptr_array_unref (self->types);
  g_ptr_array_unref (self->elements);
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

SymData *
sym_data_new (void)
{
  SymData *self = g_new0 (SymData, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->parameters = g_ptr_array_new_with_free_func (unref_parameter);
  self->tensors = g_ptr_array_new_with_free_func (unref_tensor);
  self->attributes = g_ptr_array_new_with_free_func (unref_attributes);
  self->lacks = g_ptr_array_new_with_free_func (release_text);
  return self;
}

SymData *
sym_data_copy (const SymData *self)
{
  SymData *copy = g_new0 (SymData, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->parameters = g_ptr_array_copy (self->parameters, ref_parameter, NULL);
  copy->tensors = g_ptr_array_copy (self->tensors, ref_tensor, NULL);
  copy->attributes = g_ptr_array_copy (self->attributes, ref_attributes, NULL);
  copy->lacks = g_ptr_array_copy (self->lacks, acquire_text, NULL);
  return copy;
}

SymData *
sym_data_ref (SymData *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_data_unref (SymData *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->parameters);
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->attributes);
  g_ptr_array_unref (self->lacks);
  g_free (self);
}

SymLines *
sym_lines_new (void)
{
  SymLines *self = g_new0 (SymLines, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->values = sym_rows_new (sizeof (guint));
  self->calls = sym_rows_new (sizeof (guint));
  return self;
}

SymLines *
sym_lines_copy (const SymLines *self)
{
  SymLines *copy = g_new0 (SymLines, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->values = sym_rows_copy (self->values);
  copy->calls = sym_rows_copy (self->calls);
  return copy;
}

SymLines *
sym_lines_ref (SymLines *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_lines_unref (SymLines *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_rows_free (self->values);
  sym_rows_free (self->calls);
  g_free (self);
}

SymOrigin *
sym_origin_ref (SymOrigin *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_origin_unref (SymOrigin *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->free != NULL)
    self->free (self->data);
  g_free (self->format);
  g_free (self);
}
