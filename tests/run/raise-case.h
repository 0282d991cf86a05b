/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "text-net.h"

/* Models of ONNX that become those of another framework: what the tests of both share. */

typedef struct {
  const char *name;
  const char *inputs;  /* of the graph */
  const char *weights; /* and what it holds */
  const char *nodes;
  int opset; /* 0: 17 */
} RaiseCase;

#define IMAGE "float[1,2,5,4] x"
#define KERNEL                                                             \
  "float[2,2,3,2] w = {0.1,-0.2,0.3,0.4,-0.5,0.6,0.7,-0.8,0.9,1,-1.1,1.2," \
  "0.2,0.3,-0.4,0.5,0.6,-0.7,0.8,-0.9,0.1,0.2,0.3,-0.4}"

static inline SymModel *
raise_case_read (const RaiseCase *self)
{
  g_autofree char *text =
      g_strdup_printf ("<ir_version: 8, opset_import: [\"\" : %d]>\n"
                       "net (%s) => (y) <int64[1] z = {0}%s%s>\n{\n%s\n}\n",
                       self->opset == 0 ? 17 : self->opset, self->inputs,
                       *self->weights == '\0' ? "" : ", ", self->weights, self->nodes);

  return text_net_read (self->name, text);
}

/* Random numbers for the only input. */
static inline SymDatum *
raise_case_fill (SymModel *model)
{
  SymType type = sym_model_get_declared_type (model, sym_model_get_inputs (model).ids[0]);
  g_autoptr (GError) error = NULL;
  SymDatum *input = sym_run_fill (SYM_RUN_FILL_RANDOM, type.dtype, &type.shape, 7, &error);

  g_assert_no_error (error);
  return input;
}

static inline GPtrArray *
raise_case_run (SymModel *model, SymDatum *input)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *outputs = sym_model_call (model, &input, 1, NULL, &error);

  g_assert_no_error (error);
  return outputs;
}

/* A case that the writer of @format refuses, by the type that is its name. */
static inline void
raise_case_refuse (const RaiseCase *self, const char *format)
{
  g_autoptr (SymModel) model = raise_case_read (self);
  g_autofree char *type = g_strdup_printf ("of type %s has no counterpart", self->name);
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_io_write (sym_io_find_format (format), model, NULL, "-", NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, type));
}
