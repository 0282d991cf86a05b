/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-grid.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* GridSample, which reads a picture at places that need not be those of its elements, and
 * AffineGrid, which makes such places. */

#define ALIGN                                                                         \
  {                                                                                   \
    "align_corners", SYM_ATTRIBUTE_INT, "0",                                          \
        "whether -1 and 1 are the centres of the outermost elements, not their edges" \
  }
#define PADDING                                                                  \
  {                                                                              \
    "padding_mode", SYM_ATTRIBUTE_STRING, "zeros", "what is beyond the picture", \
        "zeros border reflection"                                                \
  }

static const SymAttributeSpec sample_attributes_16[] = {
  ALIGN,
  { "mode", SYM_ATTRIBUTE_STRING, "bilinear", "how to read in between",
    "bilinear nearest bicubic" },
  PADDING,
  { NULL },
};

static const SymAttributeSpec sample_attributes_20[] = {
  ALIGN,
  { "mode", SYM_ATTRIBUTE_STRING, "linear", "how to read in between", "linear nearest cubic" },
  PADDING,
  { NULL },
};

static const SymAttributeSpec affine_attributes[] = { ALIGN, { NULL } };
static const SymSlotSpec sample_slots[] = { { "X" }, { "grid" }, { NULL } };
static const SymSlotSpec affine_slots[] = { { "theta" }, { "size" }, { NULL } };

/* ---- GridSample: rules ---- */

/* X [N, C, d...], grid [N, o..., |d|]: Y [N, C, o...]. */
static gboolean
infer_sample (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), grid = sym_rule_get_input (rule, 1), y;
  int rank = x.rank >= 0 ? x.rank : grid.rank;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (rank < 3)
    return sym_rule_fail (error, "X must have 3 axes or more, not %d", rank);
  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (rank), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (rank), error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  grid = sym_rule_get_input (rule, 1);
  if (!sym_rule_unify (rule, x.dims[0], grid.dims[0], "examples of X and of the grid", error))
    return FALSE;
  grid.dims[rank - 1] = rank - 2;
  y = x;
  for (int i = 2; i < rank; i++)
    y.dims[i] = grid.dims[i - 1];
  return sym_rule_set_input (rule, 1, &grid, error) && sym_rule_set_output (rule, 0, &y, error);
}

/* ---- GridSample: along one axis ---- */

#define MAX_AXES (SYM_MAX_RANK - 2)

/* A place as it lies within [least, greatest], thrown back at either end as often as needed. */
static double
reflect (double place, double least, double greatest)
{
  double range = greatest - least, turns, rest;
  double beyond = place < least ? least - place : place - greatest;

  if (place >= least && place <= greatest)
    return place;
  if (!(range > 0))
    return least;
  turns = floor (beyond / range);
  rest = beyond - turns * range;
  return (fmod (turns, 2) == 0) == (place < least) ? least + rest : greatest - rest;
}

/* Where the last element is left, or thrown back from, on either side. */
static double
get_edge (const SymOpGrid *method, gint64 size, gboolean last)
{
  double centre = last ? (double) size - 1 : 0;

  return method->is_aligned ? centre : last ? centre + 0.5 : centre - 0.5;
}

/* The element that is read for element @i of an axis. */
static gint64
find_element (const SymOpGrid *method, gint64 i, gint64 size)
{
  if (i >= 0 && i < size)
    return i;
  if (method->padding == SYM_OP_GRID_ZEROS)
    return -1;
  if (method->padding == SYM_OP_GRID_REFLECTION)
    i = (gint64) reflect ((double) i, get_edge (method, size, FALSE),
                          get_edge (method, size, TRUE));
  return CLAMP (i, 0, size - 1);
}

/* Keys' cubic convolution with a = -0.75, of an element @distance away. */
static double
weigh_cubic (double distance)
{
  const double a = -0.75;
  double d = fabs (distance);

  if (d <= 1)
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

void
sym_op_grid_find_taps (const SymOpGrid *method, double place, gint64 size, SymOpGridTaps *taps)
{
  double least = get_edge (method, size, FALSE), greatest = get_edge (method, size, TRUE);
  gint64 first;

  if (!isfinite (place))
    place = isnan (place) || place < 0 ? -1 : (double) size;
  if (method->mode == SYM_OP_GRID_NEAREST)
    place = rint (place);
  if (place < least || place > greatest)
    {
      /* Cubic convolution goes on beyond the border, where the last element is repeated. */
      if (method->padding == SYM_OP_GRID_BORDER && method->mode != SYM_OP_GRID_CUBIC)
        place = CLAMP (place, 0, (double) size - 1);
      else if (method->padding == SYM_OP_GRID_REFLECTION)
        place = reflect (place, least, greatest);
    }
  place = CLAMP (place, -4, (double) size + 4);
  first = (gint64) floor (place);
  taps->n = method->mode == SYM_OP_GRID_NEAREST ? 1 : method->mode == SYM_OP_GRID_LINEAR ? 2 : 4;
  if (method->mode == SYM_OP_GRID_CUBIC)
    first--;
  for (int i = 0; i < taps->n; i++)
    {
      double distance = place - (double) (first + i);

      taps->at[i] = find_element (method, first + i, size);
      taps->weight[i] = method->mode == SYM_OP_GRID_NEAREST  ? 1
                        : method->mode == SYM_OP_GRID_LINEAR ? 1 - fabs (distance)
                                                             : weigh_cubic (distance);
    }
}

const char *
sym_op_grid_read (SymOpGrid *self, const char *mode, const char *padding)
{
  if (g_str_equal (mode, "linear") || g_str_equal (mode, "bilinear"))
    self->mode = SYM_OP_GRID_LINEAR;
  else if (g_str_equal (mode, "cubic") || g_str_equal (mode, "bicubic"))
    self->mode = SYM_OP_GRID_CUBIC;
  else if (g_str_equal (mode, "nearest"))
    self->mode = SYM_OP_GRID_NEAREST;
  else
    return mode;
  if (g_str_equal (padding, "zeros"))
    self->padding = SYM_OP_GRID_ZEROS;
  else if (g_str_equal (padding, "border"))
    self->padding = SYM_OP_GRID_BORDER;
  else if (g_str_equal (padding, "reflection"))
    self->padding = SYM_OP_GRID_REFLECTION;
  else
    return padding;
  return NULL;
}

/* ---- GridSample: all axes ---- */

typedef struct {
  SymKernel *kernel;
  SymOpGrid method;
  const SymArray *x;
  SymArray *y;
  int n; /* axes */
  gsize channels, plane, n_places;
  gboolean is_wide; /* the grid is of float64 */
  const void *grid;
  gsize n_taps; /* elements of the picture that a place is made of at most */
  gsize *at;    /* these */
  double *weight;
} Sampler;

/* Coordinate @i of the grid as it counts elements. */
static double
find_place (const Sampler *self, gsize i, gint64 size)
{
  double from;

  if (!self->is_wide)
    return (double) sym_op_grid_find_place (&self->method, ((const float *) self->grid)[i], size);
  from = ((const double *) self->grid)[i];
  return self->method.is_aligned ? (from + 1) / 2 * (double) (size - 1)
                                 : ((from + 1) * (double) size - 1) / 2;
}

/* The elements of a plane that place @i of all, which are those of the grid, is made of. */
static gsize
gather_taps (const Sampler *self, gsize i)
{
  SymOpGridTaps taps[MAX_AXES];
  int tap[MAX_AXES] = { 0 };
  gsize n = 0, total = 1;

  for (int axis = 0; axis < self->n; axis++)
    {
      gint64 size = self->x->shape.dims[2 + axis];
      /* The grid names the last axis first. */
      gsize at = i * (gsize) self->n + (gsize) (self->n - 1 - axis);

      sym_op_grid_find_taps (&self->method, find_place (self, at, size), size, &taps[axis]);
      total *= (gsize) taps[axis].n;
    }
  for (gsize k = 0; k < total; k++)
    {
      gint64 at = 0;
      double weight = 1;

      for (int axis = 0; axis < self->n && at >= 0; axis++)
        {
          gint64 element = taps[axis].at[tap[axis]];

          at = element < 0 ? -1 : at * self->x->shape.dims[2 + axis] + element;
          weight *= taps[axis].weight[tap[axis]];
        }
      if (at >= 0)
        {
          self->at[n] = (gsize) at;
          self->weight[n++] = weight;
        }
      for (int axis = self->n; axis-- > 0;)
        {
          if (++tap[axis] < taps[axis].n)
            break;
          tap[axis] = 0;
        }
    }
  return n;
}

/* Numbers have @n_parts doubles each. */
static gboolean
sample_numbers (const Sampler *self, const double *x, double *y, gsize n_parts, GError **error)
{
  gsize examples = (gsize) self->x->shape.dims[0], asked = 0;

  for (gsize e = 0; e < examples; e++)
    for (gsize i = 0; i < self->n_places; i++)
      {
        gsize n = gather_taps (self, e * self->n_places + i);

        if (!sym_op_go_on (self->kernel, &asked, (n + 1) * self->channels + self->n_taps, error))
          return FALSE;
        for (gsize c = e * self->channels; c < (e + 1) * self->channels; c++)
          for (gsize part = 0; part < n_parts; part++)
            {
              const double *from = x + c * self->plane * n_parts + part;
              double sum = 0;

              for (gsize k = 0; k < n; k++)
                sum += self->weight[k] * from[self->at[k] * n_parts];
              y[(c * self->n_places + i) * n_parts + part] = sum;
            }
      }
  return TRUE;
}

/* Elements of any dtype as they are; nothing, 0 or an empty string, beyond the picture. */
static gboolean
sample_nearest (const Sampler *self, GError **error)
{
  gsize examples = (gsize) self->x->shape.dims[0], asked = 0;

  if (!sym_op_clear (self->kernel, self->y, error))
    return FALSE;
  for (gsize e = 0; e < examples; e++)
    for (gsize i = 0; i < self->n_places; i++)
      {
        gsize n = gather_taps (self, e * self->n_places + i);

        if (!sym_op_go_on (self->kernel, &asked, self->channels, error))
          return FALSE;
        for (gsize c = e * self->channels; n > 0 && c < (e + 1) * self->channels; c++)
          sym_op_move (self->y, c * self->n_places + i, self->x, c * self->plane + self->at[0], 1);
      }
  return TRUE;
}

/* Complex numbers are pairs of reals. */
static gboolean
sample_between (Sampler *self, GError **error)
{
  gboolean is_complex =
      self->x->dtype == SYM_DTYPE_COMPLEX64 || self->x->dtype == SYM_DTYPE_COMPLEX128;
  SymDType dtype = !is_complex                             ? self->x->dtype
                   : self->x->dtype == SYM_DTYPE_COMPLEX64 ? SYM_DTYPE_FLOAT32
                                                           : SYM_DTYPE_FLOAT64;
  gsize n_parts = is_complex ? 2 : 1;
  gsize n_x = sym_array_get_n_elements (self->x) * n_parts;
  gsize n_y = sym_array_get_n_elements (self->y) * n_parts;
  double *x, *y;

  if (!sym_dtype_is_numeric (dtype))
    return sym_op_refuse_dtype (self->kernel, dtype, error);
  x = sym_kernel_get_scratch (self->kernel, n_x, sizeof (double), error);
  y = x == NULL ? NULL : sym_kernel_get_scratch (self->kernel, n_y, sizeof (double), error);
  if (y == NULL)
    return FALSE;
  sym_convert_elements (dtype, self->x->data, SYM_DTYPE_FLOAT64, x, n_x);
  if (!sample_numbers (self, x, y, n_parts, error))
    return FALSE;
  sym_convert_elements (SYM_DTYPE_FLOAT64, y, dtype, self->y->data, n_y);
  return TRUE;
}

static gboolean
read_method (SymKernel *kernel, SymOpGrid *method, GError **error)
{
  const char *mode = sym_kernel_get_string (kernel, "mode", "linear");
  const char *padding = sym_kernel_get_string (kernel, "padding_mode", "zeros");

  const char *unknown = sym_op_grid_read (method, mode, padding);

  method->is_aligned = sym_kernel_get_bool (kernel, "align_corners", FALSE);
  if (unknown == mode)
    return sym_kernel_fail (error, "there is no mode \"%s\"", mode);
  if (unknown != NULL)
    return sym_kernel_fail (error, "there is no padding_mode \"%s\"", padding);
  return TRUE;
}

static gboolean
check_grid (const SymArray *x, const SymArray *grid, GError **error)
{
  int rank = x->shape.rank;

  if (rank >= 3 && grid->shape.rank == rank && grid->shape.dims[0] == x->shape.dims[0] &&
      grid->shape.dims[rank - 1] == rank - 2)
    return TRUE;
  {
    g_autofree char *left = sym_op_format_shape (&x->shape);
    g_autofree char *right = sym_op_format_shape (&grid->shape);

    return sym_kernel_fail (error, "a grid of shape %s does not fit X of %s", right, left);
  }
}

/* The sizes, and memory for what a place is made of. */
static gboolean
begin_sampler (Sampler *self, const SymArray *grid, GError **error)
{
  SymShape to = self->x->shape;
  gsize taps = self->method.mode == SYM_OP_GRID_NEAREST  ? 1
               : self->method.mode == SYM_OP_GRID_LINEAR ? 2
                                                         : 4;

  self->n = to.rank - 2;
  self->channels = (gsize) to.dims[1];
  self->plane = self->n_places = self->n_taps = 1;
  for (int i = 0; i < self->n; i++)
    {
      self->plane *= (gsize) to.dims[2 + i];
      to.dims[2 + i] = grid->shape.dims[1 + i];
      self->n_places *= (gsize) to.dims[2 + i];
      self->n_taps *= taps;
    }
  self->is_wide = grid->dtype == SYM_DTYPE_FLOAT64;
  self->grid = sym_op_read_as (self->kernel, grid,
                               self->is_wide ? SYM_DTYPE_FLOAT64 : SYM_DTYPE_FLOAT32, error);
  if (self->grid == NULL)
    return FALSE;
  self->at = sym_kernel_get_scratch (self->kernel, self->n_taps, sizeof (gsize), error);
  if (self->at == NULL)
    return FALSE;
  self->weight = sym_kernel_get_scratch (self->kernel, self->n_taps, sizeof (double), error);
  if (self->weight == NULL)
    return FALSE;
  self->y = sym_kernel_new_output (self->kernel, 0, self->x->dtype, &to, error);
  return self->y != NULL;
}

static gboolean
run_sample (SymKernel *kernel, GError **error)
{
  Sampler self = { .kernel = kernel, .x = sym_kernel_need_input (kernel, 0, error) };
  const SymArray *grid;

  if (self.x == NULL || (grid = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      !read_method (kernel, &self.method, error) || !check_grid (self.x, grid, error))
    return FALSE;
  if (!sym_dtype_is_floating (grid->dtype))
    return sym_op_refuse_dtype (kernel, grid->dtype, error);
  if (!begin_sampler (&self, grid, error))
    return FALSE;
  if (sym_array_get_n_elements (self.y) == 0)
    return TRUE;
  if (self.plane == 0)
    return sym_kernel_fail (error, "there are no elements to read");
  return self.method.mode == SYM_OP_GRID_NEAREST ? sample_nearest (&self, error)
                                                 : sample_between (&self, error);
}

/* ---- AffineGrid ---- */

/* theta [N, r, r + 1], size [N, C, d...]: grid [N, d..., r]. */
static gboolean
infer_affine (SymRule *rule, GError **error)
{
  SymShape theta = sym_rule_get_input (rule, 0), grid = { .rank = 0 };
  SymDim size[SYM_MAX_RANK];
  int n = sym_op_get_sizes (rule, 1, size);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n != 4 && n != 5)
    return n < 0 || sym_rule_fail (error, "size must have 4 or 5 numbers, not %d", n);
  grid.rank = n;
  for (int i = 0; i < n - 1; i++)
    grid.dims[i] = size[i == 0 ? 0 : i + 1];
  grid.dims[n - 1] = n - 2;
  if (theta.rank == 3 && size[0] == SYM_DIM_UNKNOWN)
    grid.dims[0] = theta.dims[0];
  else if (theta.rank == 3 &&
           !sym_rule_unify (rule, theta.dims[0], size[0], "examples of theta and of size", error))
    return FALSE;
  return sym_rule_set_output (rule, 0, &grid, error);
}

/* Coordinate @i of @size.  One element alone lies where the first of several would. */
static double
get_coordinate (gint64 i, gint64 size, gboolean aligned)
{
  if (aligned)
    return size == 1 ? -1 : -1 + 2 * (double) i / (double) (size - 1);
  return -1 + (2 * (double) i + 1) / (double) size;
}

static gboolean
make_grid (SymKernel *kernel, const double *theta, const SymShape *to, double *y, GError **error)
{
  gboolean aligned = sym_kernel_get_bool (kernel, "align_corners", FALSE);
  int n = to->rank - 2;
  gsize n_places = 1, asked = 0;

  for (int i = 0; i < n; i++)
    n_places *= (gsize) to->dims[1 + i];
  for (gint64 e = 0; e < to->dims[0]; e++, theta += n * (n + 1))
    for (gsize i = 0; i < n_places; i++)
      {
        double from[3];
        gsize rest = i;

        if (!sym_op_go_on (kernel, &asked, (gsize) n, error))
          return FALSE;
        /* x, the coordinate along the last axis, comes first. */
        for (int axis = n; axis-- > 0; rest /= (gsize) to->dims[1 + axis])
          from[n - 1 - axis] = get_coordinate ((gint64) (rest % (gsize) to->dims[1 + axis]),
                                               to->dims[1 + axis], aligned);
        for (int row = 0; row < n; row++)
          {
            double sum = theta[row * (n + 1) + n];

            for (int k = 0; k < n; k++)
              sum += theta[row * (n + 1) + k] * from[k];
            *y++ = sum;
          }
      }
  return TRUE;
}

static gboolean
run_affine (SymKernel *kernel, GError **error)
{
  const SymArray *theta = sym_kernel_need_input (kernel, 0, error);
  gint64 size[SYM_MAX_RANK];
  const double *numbers;
  SymShape to = { .rank = 0 };
  SymArray *y;
  double *data;
  int n;

  if (theta == NULL || sym_kernel_need_input (kernel, 1, error) == NULL ||
      !sym_kernel_read_ints (kernel, 1, size, SYM_MAX_RANK, &n, error))
    return FALSE;
  if (!sym_dtype_is_floating (theta->dtype))
    return sym_op_refuse_dtype (kernel, theta->dtype, error);
  if (n != 4 && n != 5)
    return sym_kernel_fail (error, "size must have 4 or 5 numbers, not %d", n);
  if (theta->shape.rank != 3 || theta->shape.dims[0] != size[0] || theta->shape.dims[1] != n - 2 ||
      theta->shape.dims[2] != n - 1)
    {
      g_autofree char *text = sym_op_format_shape (&theta->shape);

      return sym_kernel_fail (error, "theta of shape %s is not [%" G_GINT64_FORMAT ",%d,%d]", text,
                              size[0], n - 2, n - 1);
    }
  to.rank = n;
  for (int i = 0; i < n - 1; i++)
    {
      to.dims[i] = size[i == 0 ? 0 : i + 1];
      if (to.dims[i] < 0)
        return sym_kernel_fail (error, "%" G_GINT64_FORMAT " is no size", to.dims[i]);
    }
  to.dims[n - 1] = n - 2;
  y = sym_kernel_new_output (kernel, 0, theta->dtype, &to, error);
  numbers = y == NULL ? NULL : sym_op_read_as (kernel, theta, SYM_DTYPE_FLOAT64, error);
  data = numbers == NULL ? NULL : sym_op_place_as (kernel, y, SYM_DTYPE_FLOAT64, error);
  if (data == NULL || !make_grid (kernel, numbers, &to, data, error))
    return FALSE;
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, data);
  return TRUE;
}

#define SAMPLE(version_, attributes_)                                                              \
  {                                                                                                \
    SYM_OP_ONNX ("GridSample", version_),                                                          \
        .summary = "reads a picture at places of its own", .category = SYM_CATEGORY_SHAPE,         \
        .attributes = attributes_, .slots = sample_slots, .infer = infer_sample, .run = run_sample \
  }

const SymOperator sym_op_onnx_grid[] = {
  SAMPLE (16, sample_attributes_16),
  SAMPLE (20, sample_attributes_20),
  { SYM_OP_ONNX ("AffineGrid", 20), .summary = "the places that an affine map reads a picture at",
    .category = SYM_CATEGORY_SHAPE, .attributes = affine_attributes, .slots = affine_slots,
    .infer = infer_affine, .run = run_affine },
  { 0 },
};
