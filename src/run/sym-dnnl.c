/* SPDX-License-Identifier: MIT */
#include "run/sym-dnnl-private.h"

#include "core/sym-error.h"

#ifdef SYM_HAVE_DNNL

#  include <dlfcn.h>
#  include <dnnl.h>
#  include <stdlib.h>
#  include <string.h>

/* All that is used of the library. */
#  define FUNCTIONS(use)                                                                         \
    use (dnnl_dilated_convolution_forward_desc_init) use (dnnl_engine_create)                    \
        use (dnnl_memory_create) use (dnnl_memory_desc_get_size)     \
            use (dnnl_memory_desc_init_by_tag) use (dnnl_memory_destroy)                         \
                use (dnnl_memory_set_data_handle) use (dnnl_pooling_forward_desc_init)           \
                    use (dnnl_post_ops_append_eltwise) use (dnnl_post_ops_append_sum)            \
                        use (dnnl_post_ops_create) use (dnnl_post_ops_destroy)                   \
                            use (dnnl_primitive_attr_create) use (dnnl_primitive_attr_destroy)   \
                                use (dnnl_primitive_attr_set_post_ops)                           \
                                    use (dnnl_primitive_attr_set_scratchpad_mode) use (          \
                                        dnnl_primitive_create) use (dnnl_primitive_desc_create)  \
                                        use (dnnl_primitive_desc_destroy)                        \
                                            use (dnnl_primitive_desc_query_md)                   \
                                                use (dnnl_primitive_destroy)                     \
                                                    use (dnnl_primitive_execute)                 \
                                                        use (dnnl_reorder_primitive_desc_create) \
                                                            use (dnnl_stream_create)             \
                                                                use (dnnl_stream_destroy)        \
                                                                    use (dnnl_stream_wait)

#  define FIELD(name) __typeof__ (name) *name;

typedef struct {
  FUNCTIONS (FIELD)
  int (*omp_get_max_threads) (void);
  void (*omp_set_num_threads) (int);
  dnnl_engine_t engine;
} Library;

struct _SymDnnl {
  dnnl_primitive_t primitive;
  dnnl_memory_desc_t x, y, scratch;
  dnnl_memory_t weights, bias; /* NULL for pools */
  void *packed, *numbers;      /* what is in them */
  gsize n_bytes, n_scratch;
};

struct _SymDnnlCall {
  const SymDnnl *step;
  dnnl_stream_t stream;
  dnnl_memory_t x, y, scratch;
  void *places[3]; /* that they are bound to */
};

static Library library;

static gpointer
load (gpointer nothing)
{
  void *handle = dlopen ("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);

  if (handle == NULL)
    return NULL;
#  define LOAD(name)                                                  \
    library.name = (__typeof__ (library.name)) dlsym (handle, #name); \
    if (library.name == NULL)                                         \
      return NULL;
  FUNCTIONS (LOAD)
  LOAD (omp_get_max_threads)
  LOAD (omp_set_num_threads)
  return library.dnnl_engine_create (&library.engine, dnnl_cpu, 0) == dnnl_success ? &library
                                                                                   : NULL;
}

gboolean
sym_dnnl_is_there (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, load, NULL) != NULL;
}

int
sym_dnnl_begin (void)
{
  int before;

  if (!sym_dnnl_is_there ())
    return 1;
  before = library.omp_get_max_threads ();
  if (before != 1)
    library.omp_set_num_threads (1);
  return before;
}

void
sym_dnnl_end (int before)
{
  if (before != 1)
    library.omp_set_num_threads (before);
}

/* ---- Descriptions ---- */

/* Makes the description of a step.  Each is FALSE when oneDNN has no algorithm. */
typedef struct {
  SymDnnl *step;
  const SymPlanOp *op;
  const SymPlanTensor *from, *to;
  dnnl_primitive_attr_t attributes;
  dnnl_primitive_desc_t description;
  dnnl_memory_desc_t given, bias; /* weights as they are in the graph */
} Maker;

static gboolean
describe (dnnl_memory_desc_t *desc, int n, const dnnl_dim_t *dims, dnnl_format_tag_t tag)
{
  return library.dnnl_memory_desc_init_by_tag (desc, n, dims, dnnl_f32, tag) == dnnl_success;
}

static gboolean
describe_image (dnnl_memory_desc_t *desc, const SymPlanTensor *tensor)
{
  const SymDim *dims = tensor->shape.dims;

  return describe (desc, 4, (dnnl_dims_t){ dims[0], dims[1], dims[2], dims[3] }, dnnl_nhwc);
}

static gboolean
set_attributes (Maker *self)
{
  const SymPlanOp *op = self->op;
  dnnl_post_ops_t after = NULL;
  gboolean done = library.dnnl_primitive_attr_create (&self->attributes) == dnnl_success &&
                  library.dnnl_primitive_attr_set_scratchpad_mode (
                      self->attributes, dnnl_scratchpad_mode_user) == dnnl_success &&
                  library.dnnl_post_ops_create (&after) == dnnl_success;

  if (done && op->addend != SYM_PLAN_NONE)
    done = library.dnnl_post_ops_append_sum (after, 1) == dnnl_success;
  if (done && op->activation == SYM_PLAN_RELU)
    done = library.dnnl_post_ops_append_eltwise (after, 1, dnnl_eltwise_relu, 0, 0) == dnnl_success;
  if (done && op->activation == SYM_PLAN_CLIP)
    done = library.dnnl_post_ops_append_eltwise (after, 1, dnnl_eltwise_clip, op->p, op->q) ==
           dnnl_success;
  done = done && library.dnnl_primitive_attr_set_post_ops (self->attributes, after) == dnnl_success;
  if (after != NULL)
    library.dnnl_post_ops_destroy (after);
  return done;
}

static gboolean
finish_description (Maker *self, const void *operation)
{
  return library.dnnl_primitive_desc_create (&self->description, operation, self->attributes,
                                             library.engine, NULL) == dnnl_success;
}

typedef struct {
  dnnl_dims_t kernel, strides, begins, ends;
} Window;

static Window
get_window (const SymPlanOp *op)
{
  return (Window){ .kernel = { op->kernel[0], op->kernel[1] },
                   .strides = { op->strides[0], op->strides[1] },
                   .begins = { op->pads[0], op->pads[1] },
                   .ends = { op->pads[2], op->pads[3] } };
}

static gboolean
describe_convolution (Maker *self)
{
  const SymPlanOp *op = self->op;
  dnnl_dim_t groups = op->groups, outer = (dnnl_dim_t) op->outer;
  dnnl_dims_t grouped = { groups, outer / groups, (dnnl_dim_t) op->inner / groups, op->kernel[0],
                          op->kernel[1] };
  dnnl_dims_t plain = { outer, (dnnl_dim_t) op->inner, op->kernel[0], op->kernel[1] };
  const dnnl_dim_t *dims = groups > 1 ? grouped : plain;
  dnnl_dims_t gaps = { op->dilations[0] - 1, op->dilations[1] - 1 };
  dnnl_dims_t outers = { outer };
  Window window = get_window (op);
  int n = groups > 1 ? 5 : 4;
  dnnl_memory_desc_t weights;
  dnnl_convolution_desc_t operation;

  return describe_image (&self->step->x, self->from) && describe_image (&self->step->y, self->to) &&
         describe (&self->given, n, dims, groups > 1 ? dnnl_goihw : dnnl_oihw) &&
         describe (&weights, n, dims, dnnl_format_tag_any) &&
         describe (&self->bias, 1, outers, dnnl_a) &&
         library.dnnl_dilated_convolution_forward_desc_init (
             &operation, dnnl_forward_inference, dnnl_convolution_direct, &self->step->x, &weights,
             &self->bias, &self->step->y, window.strides, gaps, window.begins,
             window.ends) == dnnl_success &&
         finish_description (self, &operation);
}

static gboolean
describe_pool (Maker *self)
{
  const SymPlanOp *op = self->op;
  dnnl_pooling_desc_t operation;
  Window window = get_window (op);

  return describe_image (&self->step->x, self->from) && describe_image (&self->step->y, self->to) &&
         library.dnnl_pooling_forward_desc_init (
             &operation, dnnl_forward_inference,
             op->is_maximum ? dnnl_pooling_max : dnnl_pooling_avg_exclude_padding, &self->step->x,
             &self->step->y, window.strides, window.kernel, window.begins,
             window.ends) == dnnl_success &&
         finish_description (self, &operation);
}

/* ---- Weights ---- */

static gboolean
reorder (dnnl_memory_t from,
         const dnnl_memory_desc_t *given,
         dnnl_memory_t to,
         const dnnl_memory_desc_t *wanted)
{
  dnnl_primitive_desc_t description = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_stream_t stream = NULL;
  dnnl_exec_arg_t arguments[] = { { DNNL_ARG_FROM, from }, { DNNL_ARG_TO, to } };
  gboolean done =
      library.dnnl_stream_create (&stream, library.engine, dnnl_stream_default_flags) ==
          dnnl_success &&
      library.dnnl_reorder_primitive_desc_create (&description, given, library.engine, wanted,
                                                  library.engine, NULL) == dnnl_success &&
      library.dnnl_primitive_create (&primitive, description) == dnnl_success &&
      library.dnnl_primitive_execute (primitive, stream, 2, arguments) == dnnl_success &&
      library.dnnl_stream_wait (stream) == dnnl_success;

  if (primitive != NULL)
    library.dnnl_primitive_destroy (primitive);
  if (description != NULL)
    library.dnnl_primitive_desc_destroy (description);
  if (stream != NULL)
    library.dnnl_stream_destroy (stream);
  return done;
}

/* How many weights there are of each outer one. */
static gsize
get_n_inner (const SymPlanOp *op)
{
  return op->inner / (gsize) op->groups * (gsize) (op->kernel[0] * op->kernel[1]);
}

/* The weights multiplied by their scales; NULL when all of these are 1. */
static float *
scale_weights (const SymPlanOp *op)
{
  gsize n = get_n_inner (op), outer = op->outer, first = 0;
  float *scaled;

  while (first < outer && op->scales[first] == 1)
    first++;
  if (first == outer)
    return NULL;
  scaled = g_new (float, n *outer);
  for (gsize i = 0; i < n * outer; i++)
    scaled[i] = op->weights[i] * op->scales[i / n];
  return scaled;
}

/* Memory as g_aligned_alloc gives it, which ends the program when there is none: as much as the
 * weights take that are there already. */
static gboolean
pack (Maker *self)
{
  SymDnnl *step = self->step;
  const dnnl_memory_desc_t *wanted =
      library.dnnl_primitive_desc_query_md (self->description, dnnl_query_weights_md, 0);
  dnnl_memory_t given = NULL;
  g_autofree float *scaled = NULL;
  gboolean done;

  if (self->op->weights == NULL)
    return TRUE;
  scaled = scale_weights (self->op);
  step->n_bytes = library.dnnl_memory_desc_get_size (wanted);
  step->packed = g_aligned_alloc0 (1, step->n_bytes, 64);
  step->numbers = g_memdup2 (self->op->bias, self->op->outer * sizeof (float));
  done = library.dnnl_memory_create (&given, &self->given, library.engine,
                                     scaled != NULL ? scaled : (void *) self->op->weights) ==
             dnnl_success &&
         library.dnnl_memory_create (&step->weights, wanted, library.engine, step->packed) ==
             dnnl_success &&
         library.dnnl_memory_create (&step->bias, &self->bias, library.engine, step->numbers) ==
             dnnl_success &&
         reorder (given, &self->given, step->weights, wanted);
  step->n_bytes += self->op->outer * sizeof (float);
  if (given != NULL)
    library.dnnl_memory_destroy (given);
  return done;
}

static gboolean
make (Maker *self)
{
  if (!set_attributes (self))
    return FALSE;
  if (self->op->kind == SYM_PLAN_POOL ? !describe_pool (self) : !describe_convolution (self))
    return FALSE;
  self->step->scratch =
      *library.dnnl_primitive_desc_query_md (self->description, dnnl_query_scratchpad_md, 0);
  self->step->n_scratch = library.dnnl_memory_desc_get_size (&self->step->scratch);
  return pack (self) &&
         library.dnnl_primitive_create (&self->step->primitive, self->description) == dnnl_success;
}

/* ---- Steps ---- */

SymDnnl *
sym_dnnl_new (const SymPlanGraph *graph, const SymPlanOp *op, GError **error)
{
  SymDnnl *self = g_new0 (SymDnnl, 1);
  Maker maker = { self, op, sym_plan_graph_get_tensor (graph, op->x),
                  sym_plan_graph_get_tensor (graph, op->y) };
  int before = sym_dnnl_begin ();
  gboolean done = make (&maker);

  sym_dnnl_end (before);
  if (maker.description != NULL)
    library.dnnl_primitive_desc_destroy (maker.description);
  if (maker.attributes != NULL)
    library.dnnl_primitive_attr_destroy (maker.attributes);
  if (done)
    return self;
  sym_dnnl_free (self);
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                       "oneDNN has no algorithm for an operation of this shape");
  return NULL;
}

void
sym_dnnl_free (SymDnnl *self)
{
  if (self->primitive != NULL)
    library.dnnl_primitive_destroy (self->primitive);
  if (self->weights != NULL)
    library.dnnl_memory_destroy (self->weights);
  if (self->bias != NULL)
    library.dnnl_memory_destroy (self->bias);
  g_aligned_free (self->packed);
  g_free (self->numbers);
  g_free (self);
}

gsize
sym_dnnl_get_n_bytes (const SymDnnl *self)
{
  return self->n_bytes;
}

gsize
sym_dnnl_get_n_scratch (const SymDnnl *self)
{
  return self->n_scratch;
}

SymDnnlCall *
sym_dnnl_call_new (const SymDnnl *step, GError **error)
{
  SymDnnlCall *self = g_new0 (SymDnnlCall, 1);

  self->step = step;
  if (library.dnnl_stream_create (&self->stream, library.engine, dnnl_stream_default_flags) ==
          dnnl_success &&
      library.dnnl_memory_create (&self->x, &step->x, library.engine, NULL) == dnnl_success &&
      library.dnnl_memory_create (&self->y, &step->y, library.engine, NULL) == dnnl_success &&
      library.dnnl_memory_create (&self->scratch, &step->scratch, library.engine, NULL) ==
          dnnl_success)
    return self;
  sym_dnnl_call_free (self);
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_LIMIT, "oneDNN has no memory for a run");
  return NULL;
}

void
sym_dnnl_call_free (SymDnnlCall *self)
{
  dnnl_memory_t memories[] = { self->x, self->y, self->scratch };

  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    if (memories[i] != NULL)
      library.dnnl_memory_destroy (memories[i]);
  if (self->stream != NULL)
    library.dnnl_stream_destroy (self->stream);
  g_free (self);
}

/* Telling oneDNN takes longer than the smallest products. */
static gboolean
bind (dnnl_memory_t memory, void **bound, void *place)
{
  if (*bound == place)
    return TRUE;
  *bound = NULL;
  if (library.dnnl_memory_set_data_handle (memory, place) != dnnl_success)
    return FALSE;
  *bound = place;
  return TRUE;
}

gboolean
sym_dnnl_call_run (SymDnnlCall *self, void *x, void *y, void *scratch, GError **error)
{
  const SymDnnl *step = self->step;
  dnnl_exec_arg_t arguments[] = {
    { DNNL_ARG_SRC, self->x },
    { DNNL_ARG_DST, self->y },
    { DNNL_ARG_SCRATCHPAD, self->scratch },
    { DNNL_ARG_WEIGHTS, step->weights },
    { DNNL_ARG_BIAS, step->bias },
  };

  if (bind (self->x, &self->places[0], x) && bind (self->y, &self->places[1], y) &&
      bind (self->scratch, &self->places[2], scratch) &&
      library.dnnl_primitive_execute (step->primitive, self->stream, step->weights == NULL ? 3 : 5,
                                      arguments) == dnnl_success)
    return TRUE;
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_LIMIT, "oneDNN could not run an operation");
  return FALSE;
}

#else

gboolean
sym_dnnl_is_there (void)
{
  return FALSE;
}

int
sym_dnnl_begin (void)
{
  return 1;
}

void
sym_dnnl_end (int before)
{
}

SymDnnl *
sym_dnnl_new (const SymPlanGraph *graph, const SymPlanOp *op, GError **error)
{
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                       "this Symscope was built without oneDNN");
  return NULL;
}

void
sym_dnnl_free (SymDnnl *self)
{
}

gsize
sym_dnnl_get_n_bytes (const SymDnnl *self)
{
  return 0;
}

gsize
sym_dnnl_get_n_scratch (const SymDnnl *self)
{
  return 0;
}

SymDnnlCall *
sym_dnnl_call_new (const SymDnnl *self, GError **error)
{
  return NULL;
}

void
sym_dnnl_call_free (SymDnnlCall *self)
{
}

gboolean
sym_dnnl_call_run (SymDnnlCall *self, void *x, void *y, void *scratch, GError **error)
{
  return FALSE;
}

#endif
