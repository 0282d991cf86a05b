/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

/* ONNX Runtime through its C interface, from a library that is opened while the program runs.
 * Whatever goes wrong ends the program with a message. */
typedef struct _OnnxRuntime OnnxRuntime;

OnnxRuntime *onnx_runtime_new (const char *library);

/* A session for the model, with so many threads; its inputs and the first output by name.  What
 * @inputs point to must live on.  Once for each runtime. */
void onnx_runtime_open (OnnxRuntime *self,
                        const char *model,
                        int n_threads,
                        const char *const *names,
                        const SymArray *const *inputs,
                        guint n_inputs,
                        const char *output);

/* Runs it once.  The numbers of the output, if @numbers is no NULL, are valid until the next run.
 */
void onnx_runtime_run (OnnxRuntime *self, const void **numbers);
