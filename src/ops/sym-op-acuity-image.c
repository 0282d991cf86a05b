/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Acuity's layers that make images of another size, or channels of places.  Channels are last. */

/* ---- Rules ---- */

/* The places that a pool with their indices came from; the file tells how many there are. */
static gboolean
infer_unpool (SymRule *rule, GError **error)
{
  static const char *const names[] = { "upsample_h", "upsample_w" };
  SymShape data = sym_rule_get_input (rule, 0);

  for (int i = 0; i < 2 && data.rank == 4; i++)
    {
      gint64 size = sym_rule_get_int (rule, names[i], 0),
             scale = sym_rule_get_int (rule, "scale", 0);

      if (size > 0 && size <= G_MAXINT32)
        data.dims[1 + i] = size;
      else
        data.dims[1 + i] =
            scale < 1 || scale > G_MAXINT32
                ? SYM_DIM_UNKNOWN
                : sym_terms_multiply (sym_rule_get_terms (rule), data.dims[1 + i], scale);
    }
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         (data.rank != 4 || sym_rule_set_output (rule, 0, &data, error));
}

/* Parts of images, as many as regions, which are a multiple of nothing. */
static gboolean
infer_regions (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 rows, columns;

  if (!sym_op_engine_read (rule, "pooled_h", 1, 1, &rows, error) ||
      !sym_op_engine_read (rule, "pooled_w", 1, 1, &columns, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return data.rank != 4 ||
         sym_rule_set_output (rule, 0, &SYM_SHAPE (SYM_DIM_UNKNOWN, rows, columns, data.dims[3]),
                              error);
}

static gboolean
infer_resize (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 given[2], factor = sym_rule_get_int (rule, "factor", 0);
  int n = sym_rule_get_ints (rule, "new_size", given, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank != 4 ||
      (n != 2 && (factor < 1 || factor > G_MAXINT32)))
    return sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 0; i < 2; i++)
    data.dims[1 + i] =
        n == 2 && given[i] > 0
            ? given[i]
            : sym_terms_multiply (sym_rule_get_terms (rule), data.dims[1 + i], MAX (factor, 1));
  return sym_rule_set_output (rule, 0, &data, error);
}

/* Channels become squares of `block_size` by `block_size` places, or the other way round. */
static gboolean
infer_block (SymRule *rule, const char *name, gboolean to_space, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 given[2];
  int n = sym_rule_get_ints (rule, name, given, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank != 4 || n < 1)
    return sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 0; i < 2; i++)
    {
      gint64 size = given[n == 2 ? i : 0];
      int shrinks = to_space ? 3 : 1 + i, grows = to_space ? 1 + i : 3;

      if (size < 1 || size > G_MAXINT32)
        return sym_rule_fail (error, "%s of %" G_GINT64_FORMAT " makes no sense", name, size);
      data.dims[grows] = sym_terms_multiply (terms, data.dims[grows], size);
      if (data.dims[shrinks] >= 0 && data.dims[shrinks] % size != 0)
        return sym_rule_fail (error, "%" G_GINT64_FORMAT " do not make blocks of %" G_GINT64_FORMAT,
                              (gint64) data.dims[shrinks], size);
      data.dims[shrinks] = data.dims[shrinks] < 0 ? SYM_DIM_UNKNOWN : data.dims[shrinks] / size;
    }
  return sym_rule_set_output (rule, 0, &data, error);
}

static gboolean
infer_depth_to_space (SymRule *rule, GError **error)
{
  return infer_block (rule, "block_size", TRUE, error);
}

static gboolean
infer_space_to_depth (SymRule *rule, GError **error)
{
  return infer_block (rule, "block_size", FALSE, error);
}

static gboolean
infer_reorg (SymRule *rule, GError **error)
{
  return infer_block (rule, "stride", FALSE, error);
}

/* ---- Lowering ---- */

/* Without a word corners lie where TensorFlow 1 had them. */
static void
lower_resize (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  const char *way = sym_op_lower_get_bool (self, "align_corners", FALSE) ? "align_corners"
                    : sym_op_lower_get_bool (self, "half_pixel", FALSE)  ? "half_pixel"
                                                                         : "asymmetric";
  gboolean is_nearest = g_str_equal (type, "upsampling") ||
                        g_str_equal (type, "resizenearest_image") ||
                        sym_op_lower_has_string (self, "type", "nearest");
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);

  if (out->rank != 4 || MIN (out->dims[1], out->dims[2]) < 1)
    sym_op_lower_refuse (self, "%s: the size of its result is not known", type);
  else
    sym_op_engine_set_resized (self, TRUE, out->dims + 1, is_nearest ? "nearest" : "linear", way);
}

static void
lower_blocks (SymOpLower *self)
{
  gboolean to_space = g_str_equal (sym_op_lower_get_type (self), "depth2space");
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "block_size", sizes);

  if (n < 1 || (n > 1 && (n != 2 || sizes[0] != sizes[1])))
    sym_op_lower_refuse (self, "%s: only square blocks are lowered", sym_op_lower_get_type (self));
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_blocks (self, TRUE, to_space, sym_op_lower_get_string (self, "mode", "DCR"),
                              sizes[0]);
}

/* ---- Table ---- */

static const SymAttributeSpec block_attributes[] = {
  { "block_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of a block" },
  { "mode", SYM_ATTRIBUTE_STRING, "DCR", "CRD: channels are the slowest part of a place" },
  { NULL },
};

static const SymAttributeSpec reorg_attributes[] = {
  { "stride", SYM_ATTRIBUTE_INT, "None", "rows and columns of a block" },
  { NULL },
};

static const SymAttributeSpec region_attributes[] = {
  { "pooled_h", SYM_ATTRIBUTE_INT, "1", "rows of a result" },
  { "pooled_w", SYM_ATTRIBUTE_INT, "1", "columns of a result" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "what regions are multiplied by" },
  { NULL },
};

static const SymAttributeSpec unpool_attributes[] = {
  { "upsample_h", SYM_ATTRIBUTE_INT, "0", "rows of the result" },
  { "upsample_w", SYM_ATTRIBUTE_INT, "0", "columns of the result" },
  { "scale", SYM_ATTRIBUTE_INT, "0", "how many times the places, where neither is told" },
  { NULL },
};

static const SymAttributeSpec resize_attributes[] = {
  { "new_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of the result" },
  { "factor", SYM_ATTRIBUTE_INT, "2", "how many times the places, where no size is told" },
  { "type", SYM_ATTRIBUTE_STRING, "bilinear", "bilinear or nearest" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether corners stay corners" },
  { "half_pixel", SYM_ATTRIBUTE_BOOL, "False", "whether places are squares, not points" },
  { NULL },
};

#define RULE(name_, summary_, slots_, attributes_, infer_)                          \
  {                                                                                 \
    SYM_OP_FOREIGN ("acuity", name_, NULL, summary_, SHAPE),                        \
        .reference = "Acuity 6 " name_, .slots = slots_, .attributes = attributes_, \
        .get_n_operands = sym_op_foreign_any, .infer = infer_                       \
  }
#define IMAGE(name_, aliases_, summary_, attributes_, infer_, lower_)                              \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, aliases_, summary_, SHAPE, sym_op_foreign_one, \
                       attributes_, infer_, lower_)

const SymOperator sym_op_acuity_image[] = {
  { SYM_OP_FOREIGN ("acuity", "roipooling", NULL, "One number of each window of a region", POOLING),
    .reference = "Acuity 6 roipooling", .slots = sym_op_foreign_many,
    .attributes = region_attributes, .get_n_operands = sym_op_foreign_any, .infer = infer_regions },
  RULE ("upsample",
        "Numbers back at the places that a pool found them at",
        sym_op_foreign_many,
        unpool_attributes,
        infer_unpool),
  IMAGE ("upsampling",
         "image_resize resizebilinear_image resizenearest_image",
         "Images of another size",
         resize_attributes,
         infer_resize,
         lower_resize),
  IMAGE ("depth2space",
         NULL,
         "Channels become places",
         block_attributes,
         infer_depth_to_space,
         lower_blocks),
  IMAGE ("space2depth",
         NULL,
         "Places become channels",
         block_attributes,
         infer_space_to_depth,
         lower_blocks),
  RULE ("reorg",
        "Places become channels, as in Darknet",
        sym_op_foreign_one,
        reorg_attributes,
        infer_reorg),
  { NULL },
};
