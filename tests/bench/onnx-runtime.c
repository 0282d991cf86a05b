/* SPDX-License-Identifier: MIT */
#include "onnx-runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_INPUTS 16

/* Its table of functions by number, as the C interface of version 1 numbers them for good. */
enum {
  GET_ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  RUN = 9,
  CREATE_SESSION_OPTIONS = 10,
  SET_INTRA_OP_NUM_THREADS = 24,
  CREATE_TENSOR_WITH_DATA = 49,
  GET_TENSOR_MUTABLE_DATA = 51,
  CREATE_CPU_MEMORY_INFO = 69,
  RELEASE_VALUE = 96,
};

struct _OnnxRuntime {
  void **api;
  void *session, *inputs[MAX_INPUTS], *result;
  const char *names[MAX_INPUTS], *output;
  guint n_inputs;
};

static void
check (const OnnxRuntime *self, void *status)
{
  const char *(*get_message) (void *) = self->api[GET_ERROR_MESSAGE];

  if (status == NULL)
    return;
  fprintf (stderr, "run: ONNX Runtime: %s\n", get_message (status));
  exit (1);
}

/* Each entry is called by the type that it has there. */
#define CALL(number, types, ...) check (self, ((void *(*) types) self->api[number]) (__VA_ARGS__))

OnnxRuntime *
onnx_runtime_new (const char *library)
{
  typedef struct {
    void **(*get_api) (guint32 version);
    const char *(*get_version) (void);
  } Base;
  void *handle = dlopen (library, RTLD_NOW | RTLD_LOCAL);
  const Base *(*get_base) (void) = handle == NULL ? NULL : dlsym (handle, "OrtGetApiBase");
  OnnxRuntime *self = g_new0 (OnnxRuntime, 1);

  self->api = get_base == NULL ? NULL : get_base ()->get_api (17);
  if (self->api != NULL)
    return self;
  fprintf (stderr, "run: %s is no ONNX Runtime: %s\n", library, dlerror ());
  exit (1);
}

/* Elements as ONNX numbers them. */
static int
find_element (SymDType dtype)
{
  if (dtype == SYM_DTYPE_FLOAT32)
    return 1;
  if (dtype == SYM_DTYPE_INT32)
    return 6;
  if (dtype == SYM_DTYPE_INT64)
    return 7;
  fprintf (stderr, "run: inputs are of float32, int32 and int64 here, not %s\n",
           sym_dtype_to_string (dtype));
  exit (1);
}

void
onnx_runtime_open (OnnxRuntime *self,
                   const char *model,
                   int n_threads,
                   const char *const *names,
                   const SymArray *const *inputs,
                   guint n_inputs,
                   const char *output)
{
  void *environment, *options, *memory;

  g_assert (n_inputs <= MAX_INPUTS);
  CALL (CREATE_ENV, (int, const char *, void **), 3, "symscope", &environment);
  CALL (CREATE_SESSION_OPTIONS, (void **), &options);
  CALL (SET_INTRA_OP_NUM_THREADS, (void *, int), options, n_threads);
  CALL (CREATE_SESSION, (void *, const char *, void *, void **), environment, model, options,
        &self->session);
  CALL (CREATE_CPU_MEMORY_INFO, (int, int, void **), 0, 0, &memory);
  for (guint i = 0; i < n_inputs; i++)
    {
      self->names[i] = names[i];
      CALL (CREATE_TENSOR_WITH_DATA, (void *, void *, size_t, const gint64 *, size_t, int, void **),
            memory, inputs[i]->data, sym_array_get_n_bytes (inputs[i]), inputs[i]->shape.dims,
            (size_t) inputs[i]->shape.rank, find_element (inputs[i]->dtype), &self->inputs[i]);
    }
  self->n_inputs = n_inputs;
  self->output = output;
}

void
onnx_runtime_run (OnnxRuntime *self, const void **numbers)
{
  void (*release) (void *) = self->api[RELEASE_VALUE];

  if (self->result != NULL)
    release (self->result);
  self->result = NULL;
  CALL (RUN,
        (void *, void *, const char *const *, const void *const *, size_t, const char *const *,
         size_t, void **),
        self->session, NULL, self->names, (const void *const *) self->inputs, self->n_inputs,
        &self->output, 1, &self->result);
  if (numbers != NULL)
    CALL (GET_TENSOR_MUTABLE_DATA, (void *, const void **), self->result, numbers);
}
