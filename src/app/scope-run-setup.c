/* SPDX-License-Identifier: MIT */
#include "app/scope-run-setup.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n.h>

#include "app/scope-input-numbers.h"
#include "app/scope-shape-text.h"
#include "core/sym-settle.h"
#include "run/sym-run-fill.h"

#define MAX_PIXELS                                                               \
  (100 * 1000 * 1000) /* of a picture; files of a few bytes can claim any number \
                       */

/* What is made of one wish, step by step. */
typedef struct {
  const ScopeInputWish *wish;
  ScopeShapeText *typed; /* NULL for none */
  SymTensor *tensor;     /* of the NumPy file */
  GdkPixbuf *picture;
  gboolean has_shape; /* to be inferred with */
  SymShape shape;
} Input;

/* ---- Wishes ---- */

static void
clear_wish (gpointer data)
{
  ScopeInputWish *wish = data;

  g_free (wish->shape);
  g_clear_object (&wish->file);
}

static ScopeRunWish *
create_wish (void)
{
  ScopeRunWish *self = g_new0 (ScopeRunWish, 1);

  self->inputs = g_array_new (FALSE, FALSE, sizeof (ScopeInputWish));
  g_array_set_clear_func (self->inputs, clear_wish);
  return self;
}

ScopeRunWish *
scope_run_wish_new (ScopeState *state)
{
  ScopeRunWish *self = create_wish ();

  self->state = scope_state_ref (state);
  return self;
}

ScopeRunWish *
scope_run_wish_remember (const ScopeRunWish *self)
{
  ScopeRunWish *copy = create_wish ();

  copy->seed = self->seed;
  copy->makes_weights = self->makes_weights;
  for (guint i = 0; i < self->inputs->len; i++)
    scope_run_wish_add (copy, &g_array_index (self->inputs, ScopeInputWish, i));
  return copy;
}

const ScopeInputWish *
scope_run_wish_find (const ScopeRunWish *self, SymId value)
{
  for (guint i = 0; i < self->inputs->len; i++)
    if (g_array_index (self->inputs, ScopeInputWish, i).value == value)
      return &g_array_index (self->inputs, ScopeInputWish, i);
  return NULL;
}

void
scope_run_wish_free (ScopeRunWish *self)
{
  g_clear_pointer (&self->state, scope_state_unref);
  g_array_unref (self->inputs);
  g_free (self);
}

void
scope_run_wish_add (ScopeRunWish *self, const ScopeInputWish *input)
{
  ScopeInputWish copy = *input;

  copy.shape = g_strdup (input->shape);
  copy.file = input->file != NULL ? g_object_ref (input->file) : NULL;
  g_array_append_val (self->inputs, copy);
}

GArray *
scope_run_list_inputs (SymModel *model)
{
  SymIds inputs = sym_model_get_inputs (model);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < inputs.n; i++)
    if (sym_model_get_tensor (model, inputs.ids[i]) == NULL)
      g_array_append_val (values, inputs.ids[i]);
  return values;
}

/* ---- Files ---- */

static void
clear_input (gpointer data)
{
  Input *self = data;

  g_clear_pointer (&self->typed, scope_shape_text_free);
  g_clear_pointer (&self->tensor, sym_tensor_unref);
  g_clear_object (&self->picture);
}

static gboolean
fail (GError **error, int code, const char *text)
{
  g_set_error_literal (error, SYM_ERROR, code, text);
  return FALSE;
}

static gboolean
open_picture (Input *self, const char *path, GError **error)
{
  int width = 0, height = 0;

  if (gdk_pixbuf_get_file_info (path, &width, &height) == NULL)
    return fail (error, SYM_ERROR_ARGUMENT, _ ("The file is no picture that can be read"));
  if (width <= 0 || height <= 0 || (gint64) width * height > MAX_PIXELS)
    return fail (error, SYM_ERROR_LIMIT, _ ("The picture has more than 100 million pixels"));
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new_from_file (path, error);

  if (picture == NULL)
    return FALSE;
  /* Cameras write pictures as they were held. */
  self->picture = gdk_pixbuf_apply_embedded_orientation (picture);
  return TRUE;
}

static gboolean
open_file (Input *self, SymModel *model, GError **error)
{
  const char *path = self->wish->file != NULL ? g_file_peek_path (self->wish->file) : NULL;

  if (self->wish->kind != SCOPE_FEED_NUMPY && self->wish->kind != SCOPE_FEED_PICTURE)
    return TRUE;
  if (self->wish->file == NULL)
    return fail (error, SYM_ERROR_ARGUMENT, _ ("Choose a file"));
  if (path == NULL)
    return fail (error, SYM_ERROR_ARGUMENT, _ ("The file is not on this computer"));
  if (self->wish->kind == SCOPE_FEED_PICTURE)
    return open_picture (self, path, error);
  self->tensor = scope_input_numbers_open (model, self->wish->value, path, error);
  return self->tensor != NULL;
}

/* ---- Shapes ---- */

static gboolean
is_blank (const char *text)
{
  return text == NULL || text[strspn (text, " \t")] == '\0';
}

static gboolean
parse_shape (Input *self, GError **error)
{
  if (is_blank (self->wish->shape))
    return TRUE;
  self->typed = scope_shape_text_parse (self->wish->shape, error);
  if (self->typed == NULL)
    return FALSE;
  self->has_shape = TRUE;
  self->shape = self->typed->shape;
  return TRUE;
}

/* "float32[1,3,?]", as messages have it. */
static char *
format_type (SymDType dtype, const SymShape *shape)
{
  g_autoptr (GString) text = g_string_new (sym_dtype_to_string (dtype));

  g_string_append_c (text, '[');
  for (int i = 0; i < shape->rank; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      if (shape->dims[i] >= 0)
        g_string_append_printf (text, "%" G_GINT64_FORMAT, shape->dims[i]);
      else
        g_string_append_c (text, '?');
    }
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A file is as it is: the input must take it. */
static gboolean
check_file (const Input *self, const SymType *type, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (self->tensor);
  const SymShape *shape = sym_tensor_get_shape (self->tensor);
  gboolean fits = type->kind == SYM_KIND_TENSOR &&
                  (type->dtype == SYM_DTYPE_UNKNOWN || type->dtype == dtype) &&
                  (type->shape.rank < 0 || type->shape.rank == shape->rank);

  for (int i = 0; fits && type->shape.rank >= 0 && i < shape->rank; i++)
    fits = type->shape.dims[i] < 0 || type->shape.dims[i] == shape->dims[i];
  if (fits)
    return TRUE;
  g_autofree char *given = format_type (dtype, shape);
  g_autofree char *need = type->shape.rank >= 0 ? format_type (type->dtype, &type->shape)
                                                : g_strdup (sym_dtype_to_string (type->dtype));

  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, _ ("The input takes %s, the file has %s"), need,
               given);
  return FALSE;
}

/* Rows and columns that nobody tells are those of the picture. */
static gboolean
take_picture_shape (Input *self, const SymType *type, GError **error)
{
  SymPictureAxes axes;

  if (!self->has_shape)
    self->shape = type->shape;
  if (!sym_run_picture_fits (&self->shape, &axes))
    return fail (error, SYM_ERROR_SHAPE,
                 _ ("A picture needs 2 to 4 axes, with 1, 3 or 4 colours first or last"));
  if (self->shape.dims[axes.row] < 0)
    self->shape.dims[axes.row] = gdk_pixbuf_get_height (self->picture);
  if (self->shape.dims[axes.column] < 0)
    self->shape.dims[axes.column] = gdk_pixbuf_get_width (self->picture);
  /* What is left unknown must not look like a term of the inference that it came from. */
  for (int i = 0; i < self->shape.rank && self->typed == NULL; i++)
    if (self->shape.dims[i] < 0)
      self->shape.dims[i] = SYM_DIM_UNKNOWN;
  self->has_shape = TRUE;
  return TRUE;
}

static gboolean
take_shape (Input *self, const SymInference *inference, GError **error)
{
  SymType type = sym_inference_get_type (inference, self->wish->value);

  if (self->picture != NULL)
    return take_picture_shape (self, &type, error);
  if (self->tensor == NULL)
    return TRUE;
  if (!check_file (self, &type, error))
    return FALSE;
  self->has_shape = TRUE;
  self->shape = *sym_tensor_get_shape (self->tensor);
  return TRUE;
}

static GArray *
collect_overrides (const ScopeRunWish *self, GArray *inputs)
{
  GArray *overrides = g_array_new (FALSE, TRUE, sizeof (SymOverride));
  guint n;
  const SymOverride *state = scope_state_get_overrides (self->state, &n);

  g_array_append_vals (overrides, state, n);
  for (guint i = 0; i < inputs->len; i++)
    {
      const Input *input = &g_array_index (inputs, Input, i);
      SymOverride override = { .value = input->wish->value,
                               .has_shape = TRUE,
                               .shape = input->shape };

      if (!input->has_shape)
        continue;
      for (guint j = 0; j < overrides->len; j++)
        if (g_array_index (overrides, SymOverride, j).value == override.value)
          g_array_remove_index (overrides, j--);
      if (input->typed != NULL)
        override.names = (const char *const *) input->typed->names;
      g_array_append_val (overrides, override);
    }
  return overrides;
}

static SymInference *
infer (const ScopeRunWish *self,
       GArray *inputs,
       char **taken,
       GCancellable *cancellable,
       GError **error)
{
  SymModel *model = scope_state_get_model (self->state);
  g_autoptr (GArray) given = collect_overrides (self, inputs);
  const SymOverride *first = (const SymOverride *) (gconstpointer) given->data;
  g_autoptr (SymInference) inference = sym_infer (model, first, given->len, cancellable, error);

  if (inference == NULL)
    return NULL;
  g_autoptr (GArray) settled = sym_settle_shapes (inference, first, given->len, taken);

  return sym_infer (model, (const SymOverride *) (gconstpointer) settled->data, settled->len,
                    cancellable, error);
}

/* ---- Numbers ---- */

static SymDatum *
fill_picture (const Input *self, const SymType *type, GError **error)
{
  SymPixels pixels = {
    .data = gdk_pixbuf_read_pixels (self->picture),
    .width = (guint) gdk_pixbuf_get_width (self->picture),
    .height = (guint) gdk_pixbuf_get_height (self->picture),
    .stride = (guint) gdk_pixbuf_get_rowstride (self->picture),
    .n_channels = (guint) gdk_pixbuf_get_n_channels (self->picture),
  };

  return sym_run_fill_picture (&pixels, self->wish->range, type->dtype, &type->shape, error);
}

static SymDatum *
fail_unknown (const SymShape *shape, GError **error)
{
  g_autofree char *suggestion = scope_shape_text_suggest (shape);

  g_set_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED,
               _ ("The shape is not known: type it, such as %s"),
               suggestion != NULL ? suggestion : "1,3,224,224");
  return NULL;
}

static SymDatum *
make_datum (const Input *self, const SymInference *types, guint64 seed, GError **error)
{
  static const SymRunFill fills[] = {
    [SCOPE_FEED_RANDOM] = SYM_RUN_FILL_RANDOM,
    [SCOPE_FEED_ZEROS] = SYM_RUN_FILL_ZEROS,
    [SCOPE_FEED_ONES] = SYM_RUN_FILL_ONES,
  };
  SymType type = sym_inference_get_type (types, self->wish->value);
  guint limit = SYM_RUN_FILL_LIMIT;

  if (self->tensor != NULL)
    return sym_datum_new_read (self->tensor, error);
  gboolean is_tensor = type.kind == SYM_KIND_TENSOR || type.kind == SYM_KIND_UNKNOWN;

  if (type.shape.rank < 0 || (is_tensor && !sym_shape_is_known (&type.shape)))
    return fail_unknown (&type.shape, error);
  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = SYM_DTYPE_FLOAT32;
  if (self->picture != NULL)
    return fill_picture (self, &type, error);
  if (self->wish->kind == SCOPE_FEED_RANDOM)
    limit = sym_run_fill_find_limit (types, self->wish->value);
  return sym_run_fill_type (fills[self->wish->kind], &type, seed + self->wish->value, limit, error);
}

/* ---- All of it ---- */

static void
clear_feed (gpointer data)
{
  sym_datum_unref (((SymFeed *) data)->datum);
}

void
scope_run_setup_free (ScopeRunSetup *self)
{
  sym_model_unref (self->model);
  g_array_unref (self->feeds);
  g_clear_pointer (&self->types, sym_inference_unref);
  g_free (self->taken);
  g_free (self);
}

static ScopeRunSetup *
setup_new (const ScopeRunWish *wish)
{
  ScopeRunSetup *self = g_new0 (ScopeRunSetup, 1);

  self->model = sym_model_ref (scope_state_get_model (wish->state));
  self->feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_array_set_clear_func (self->feeds, clear_feed);
  self->seed = wish->seed;
  self->makes_weights = wish->makes_weights;
  return self;
}

/* What is known before anything is inferred: files, and what was typed. */
static GArray *
open_inputs (const ScopeRunWish *self, guint *which, GCancellable *cancellable, GError **error)
{
  guint n;
  const SymOverride *overrides = scope_state_get_overrides (self->state, &n);
  SymModel *model = scope_state_get_model (self->state);
  g_autoptr (SymInference) inference = sym_infer (model, overrides, n, cancellable, error);
  g_autoptr (GArray) inputs = g_array_new (FALSE, TRUE, sizeof (Input));

  if (inference == NULL)
    return NULL;
  g_array_set_clear_func (inputs, clear_input);
  for (guint i = 0; i < self->inputs->len; i++)
    {
      Input input = { .wish = &g_array_index (self->inputs, ScopeInputWish, i) };

      g_array_append_val (inputs, input);
      Input *last = &g_array_index (inputs, Input, i);

      if (!open_file (last, model, error) || !parse_shape (last, error) ||
          !take_shape (last, inference, error))
        {
          *which = i;
          return NULL;
        }
    }
  return g_steal_pointer (&inputs);
}

ScopeRunSetup *
scope_run_wish_prepare (const ScopeRunWish *self,
                        guint *which,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (ScopeRunSetup) setup = setup_new (self);
  g_autoptr (GArray) inputs = NULL;

  *which = G_MAXUINT;
  inputs = open_inputs (self, which, cancellable, error);
  if (inputs == NULL)
    return NULL;
  setup->types = infer (self, inputs, &setup->taken, cancellable, error);
  if (setup->types == NULL)
    return NULL;
  for (guint i = 0; i < inputs->len; i++)
    {
      const Input *input = &g_array_index (inputs, Input, i);
      SymFeed feed = { input->wish->value, NULL };

      *which = i;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      feed.datum = make_datum (input, setup->types, self->seed, error);
      if (feed.datum == NULL)
        return NULL;
      g_array_append_val (setup->feeds, feed);
    }
  return g_steal_pointer (&setup);
}

/* ---- In a thread ---- */

typedef struct {
  ScopeRunWish *wish;
  guint which;
} Preparation;

static void
free_preparation (gpointer data)
{
  Preparation *self = data;

  scope_run_wish_free (self->wish);
  g_free (self);
}

static void
prepare_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Preparation *self = task_data;
  GError *error = NULL;
  ScopeRunSetup *setup = scope_run_wish_prepare (self->wish, &self->which, cancellable, &error);

  if (setup != NULL)
    g_task_return_pointer (task, setup, (GDestroyNotify) scope_run_setup_free);
  else
    g_task_return_error (task, error);
}

void
scope_run_wish_prepare_async (ScopeRunWish *take_wish,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Preparation *self = g_new0 (Preparation, 1);

  self->wish = take_wish;
  g_task_set_source_tag (task, scope_run_wish_prepare_async);
  g_task_set_task_data (task, self, free_preparation);
  g_task_run_in_thread (task, prepare_thread);
}

ScopeRunSetup *
scope_run_wish_prepare_finish (GAsyncResult *result, guint *which, GError **error)
{
  Preparation *self = g_task_get_task_data (G_TASK (result));

  *which = self->which;
  return g_task_propagate_pointer (G_TASK (result), error);
}
