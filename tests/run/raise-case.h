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

/* Random numbers for the only input, of which two are along axes of any size. */
static inline SymDatum *
raise_case_fill (SymModel *model)
{
  SymType type = sym_model_get_declared_type (model, sym_model_get_inputs (model).ids[0]);
  g_autoptr (GError) error = NULL;
  SymDatum *input;

  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = type.shape.dims[i] < 0 ? 2 : type.shape.dims[i];
  input = sym_run_fill (SYM_RUN_FILL_RANDOM, type.dtype, &type.shape, 7, &error);
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

/* A case that the writer of @format refuses, by the type that is its name and by @why. */
static inline void
raise_case_refuse_for (const RaiseCase *self, const char *format, const char *why)
{
  g_autoptr (SymModel) model = raise_case_read (self);
  g_autofree char *type = g_strdup_printf ("of type %s has no counterpart", self->name);
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_io_write (sym_io_find_format (format), model, NULL, "-", NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, type));
  g_assert_nonnull (strstr (error->message, why));
}

static inline void
raise_case_refuse (const RaiseCase *self, const char *format)
{
  raise_case_refuse_for (self, format, "");
}

/* The sizes that follow are whole, and pixels lie where the scales say: other frameworks have but
 * the sizes. */
static inline void
raise_case_refuse_scales (const char *format)
{
  static const RaiseCase resizes[] = {
    { "Resize", IMAGE, "float[0] r = {}, float[4] f = {1,1,1.3,1.3}",
      "y = Resize <mode = \"linear\"> (x, r, f)" },
    { "Resize", IMAGE, "float[0] r = {}, float[4] f = {1,1,1.3,1.3}",
      "y = Resize <mode = \"linear\", coordinate_transformation_mode = \"align_corners\"> "
      "(x, r, f)" },
    { "Resize", IMAGE, "float[0] r = {}, float[4] f = {1,1,2.1,2.2}", "y = Resize (x, r, f)" },
    { "Resize", IMAGE, "float[0] r = {}, float[2] f = {2,2.1}",
      "y = Resize <axes = [2,3]> (x, r, f)", 18 },
    { "Resize", IMAGE, "float[4] f = {1,1,2.1,2}", "y = Resize (x, f)", 10 },
    { "Upsample", IMAGE, "float[4] f = {1,1,2.1,2}", "y = Upsample (x, f)", 9 },
    { "Upsample", IMAGE, "", "y = Upsample <scales = [1.0,1.0,2.1,2.0]> (x)", 7 },
    { "Upsample", IMAGE, "", "y = Upsample <height_scale = 2.1, width_scale = 2.0> (x)", 1 },
    { "Resize", IMAGE, "float[0] r = {}, float[0] f = {}, int64[2] s = {9,6}",
      "y = Resize <mode = \"linear\", axes = [2,3], keep_aspect_ratio_policy = \"not_larger\"> "
      "(x, r, f, s)",
      18 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (resizes); i++)
    raise_case_refuse_for (&resizes[i], format,
                           "its scales, by which pixels are placed, are not the ratios");
}
