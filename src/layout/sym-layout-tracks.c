/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <stdlib.h>

/* What goes sideways at one height should end this far from what else does so there. */
#define END_ROOM 6.0

/* Shifts that share a track: those of one line to several places, or of several lines to one. */
typedef struct {
  double left, right;
  guint source, target; /* nodes, as of its shifts; G_MAXUINT when these differ */
  double from, to;
  SymShiftKind kind;
  guint n_taken;
  guint twin; /* a group that comes to the same place from the other side; G_MAXUINT for none */
  guint track;
} Group;

/* From x on to the next step, this many tracks are taken. */
typedef struct {
  double x;
  guint n;
} Step;

typedef struct {
  SymShift *shifts;
  guint *sorted;  /* of a gap */
  GArray *groups; /* Group, of a gap */
  guint *owners;  /* by shift: its group */
  guint *lasts;   /* by node: the group of this gap that leads there, and one more than its gap */
  guint *gaps;
  GArray *skyline; /* Step */
} Packer;

static int
compare_numbers (double a, double b)
{
  return a < b ? -1 : a > b;
}

/* Short turns lie nearest to the items they belong to.  Of lines that go to one side, the one that
 * starts farthest on that side comes first: it would cross all the others. */
static int
compare_shifts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SymShift *shifts = user_data;
  guint i = *(const guint *) a;
  guint k = *(const guint *) b;
  const SymShift *x = &shifts[i];
  const SymShift *y = &shifts[k];
  int result;

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  switch (x->kind)
    {
    case SYM_SHIFT_LEFT_FIRST:
    case SYM_SHIFT_LEFT:
      result = compare_numbers (x->from, y->from);
      break;
    case SYM_SHIFT_RIGHT:
      result = compare_numbers (y->from, x->from);
      break;
    case SYM_SHIFT_BACK_UP:
      result = compare_numbers (ABS (x->to - x->from), ABS (y->to - y->from));
      break;
    case SYM_SHIFT_BACK_DOWN:
    default:
      result = compare_numbers (ABS (y->to - y->from), ABS (x->to - x->from));
      break;
    }
  return result ? result : i < k ? -1 : i > k;
}

static gboolean
is_back (SymShiftKind kind)
{
  return kind == SYM_SHIFT_BACK_UP || kind == SYM_SHIFT_BACK_DOWN;
}

/* The group that the shift joins; G_MAXUINT for none.  Lines of one source come one after the
 * other. */
static guint
find_group (const Packer *self, const SymShift *shift)
{
  guint last = self->groups->len - 1;
  const Group *group;

  if (self->groups->len == 0 || is_back (shift->kind))
    return G_MAXUINT;
  group = &g_array_index (self->groups, Group, last);
  if (group->kind == shift->kind && group->source == shift->source &&
      ABS (group->from - shift->from) < 0.01)
    return last;
  if (self->gaps[shift->target] != shift->gap + 1)
    return G_MAXUINT;
  last = self->lasts[shift->target];
  group = &g_array_index (self->groups, Group, last);
  return group->kind == shift->kind && group->target == shift->target &&
                 ABS (group->to - shift->to) < 0.01
             ? last
             : G_MAXUINT;
}

/* A group that comes from the other side to where the shift leads; G_MAXUINT for none. */
static guint
find_twin (const Packer *self, const SymShift *shift)
{
  const Group *group;

  if (is_back (shift->kind) || self->gaps[shift->target] != shift->gap + 1)
    return G_MAXUINT;
  group = &g_array_index (self->groups, Group, self->lasts[shift->target]);
  return !is_back (group->kind) && (group->from < group->to) != (shift->from < shift->to) &&
                 ABS (group->to - shift->to) < 0.01
             ? self->lasts[shift->target]
             : G_MAXUINT;
}

static void
add_shift (Packer *self, guint index)
{
  const SymShift *shift = &self->shifts[index];
  guint number = find_group (self, shift);
  double left = MIN (shift->from, shift->to);
  double right = MAX (shift->from, shift->to);

  if (number == G_MAXUINT)
    {
      Group group = { left,      right,       shift->source,  shift->target,           shift->from,
                      shift->to, shift->kind, shift->n_taken, find_twin (self, shift), 0 };

      number = self->groups->len;
      g_array_append_val (self->groups, group);
      self->lasts[shift->target] = number;
      self->gaps[shift->target] = shift->gap + 1;
    }
  else
    {
      Group *group = &g_array_index (self->groups, Group, number);

      group->left = MIN (group->left, left);
      group->right = MAX (group->right, right);
      group->n_taken = MAX (group->n_taken, shift->n_taken);
      if (group->source != shift->source)
        group->source = G_MAXUINT;
      if (group->target != shift->target)
        group->target = G_MAXUINT;
    }
  self->owners[index] = number;
}

/* The last step that begins at @x or left of it. */
static guint
find_step (const Packer *self, double x)
{
  guint low = 0;
  guint high = self->skyline->len - 1;

  while (low < high)
    {
      guint middle = (low + high + 1) / 2;

      if (g_array_index (self->skyline, Step, middle).x <= x)
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

/* The first track below all that are taken between @left and @right. */
static guint
find_track (const Packer *self, double left, double right)
{
  guint track = 0;

  for (guint i = find_step (self, left);
       i < self->skyline->len && g_array_index (self->skyline, Step, i).x < right; i++)
    track = MAX (track, g_array_index (self->skyline, Step, i).n);
  return track;
}

/* Takes all tracks up to @end. */
static void
take_tracks (Packer *self, double left, double right, guint end)
{
  guint first = find_step (self, left);
  guint last = find_step (self, right);
  Step after = { right, g_array_index (self->skyline, Step, last).n };

  if (g_array_index (self->skyline, Step, first).x < left)
    first++;
  if (last + 1 > first)
    g_array_remove_range (self->skyline, first, last + 1 - first);
  g_array_insert_vals (self->skyline, first, (Step[]){ { left, end }, after }, 2);
}

/* Lines that come to one place from both sides do so at one height, unless other lines are in the
 * way. */
static gboolean
meets_twin (const Packer *self, const Group *group, double left, double right)
{
  const Group *twin;

  if (group->twin == G_MAXUINT || group->target == G_MAXUINT)
    return FALSE;
  twin = &g_array_index (self->groups, Group, group->twin);
  if (twin->target != group->target)
    return FALSE;
  if (group->from < group->to)
    right = group->to - END_ROOM;
  else
    left = group->to + END_ROOM;
  return left >= right || find_track (self, left, right) <= twin->track;
}

/* Where a line begins, its way to the other side may begin as well. */
static void
place_group (Packer *self, Group *group)
{
  gboolean goes_right = group->kind == SYM_SHIFT_RIGHT;
  double left = goes_right ? group->left + 1 : group->left - END_ROOM;
  double right = goes_right ? group->right + END_ROOM : group->right - 1;

  if (is_back (group->kind))
    {
      left = group->left - END_ROOM;
      right = group->right + END_ROOM;
    }
  right = MAX (left + 1, right);
  if (meets_twin (self, group, left, right))
    group->track = g_array_index (self->groups, Group, group->twin).track;
  else
    group->track = find_track (self, left, right);
  take_tracks (self, left, right,
               MAX (find_track (self, left, right), group->track + group->n_taken));
}

/* Numbers the tracks of one gap. */
static guint
pack_gap (Packer *self, guint *sorted, guint n)
{
  Step ground = { -G_MAXDOUBLE, 0 };
  guint n_tracks = 0;

  g_qsort_with_data (sorted, (int) n, sizeof (guint), compare_shifts, self->shifts);
  g_array_set_size (self->groups, 0);
  for (guint i = 0; i < n; i++)
    add_shift (self, sorted[i]);
  g_array_set_size (self->skyline, 0);
  g_array_append_val (self->skyline, ground);
  for (guint i = 0; i < self->groups->len; i++)
    place_group (self, &g_array_index (self->groups, Group, i));
  for (guint i = 0; i < n; i++)
    {
      SymShift *shift = &self->shifts[sorted[i]];

      shift->track = g_array_index (self->groups, Group, self->owners[sorted[i]]).track;
      n_tracks = MAX (n_tracks, shift->track + 1);
    }
  return n_tracks;
}

/* The shifts gap by gap. */
static guint *
sort_by_gap (const SymShift *shifts, guint n, guint *starts, guint n_gaps)
{
  guint *sorted = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    starts[shifts[i].gap + 2]++;
  for (guint gap = 0; gap < n_gaps; gap++)
    starts[gap + 2] += starts[gap + 1];
  for (guint i = 0; i < n; i++)
    sorted[starts[shifts[i].gap + 1]++] = i;
  return sorted;
}

guint *
sym_shifts_number (SymShift *shifts, guint n, guint n_gaps, guint n_nodes)
{
  guint *n_tracks = g_new0 (guint, n_gaps + 1);
  g_autofree guint *starts = g_new0 (guint, n_gaps + 2);
  g_autofree guint *sorted = sort_by_gap (shifts, n, starts, n_gaps);
  g_autofree guint *owners = g_new (guint, n + 1);
  g_autofree guint *lasts = g_new (guint, n_nodes + 1);
  g_autofree guint *gaps = g_new0 (guint, n_nodes + 1);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_autoptr (GArray) skyline = g_array_new (FALSE, FALSE, sizeof (Step));
  Packer packer = { shifts, sorted, groups, owners, lasts, gaps, skyline };

  for (guint gap = 0; gap < n_gaps; gap++)
    if (starts[gap + 1] > starts[gap])
      n_tracks[gap] = pack_gap (&packer, sorted + starts[gap], starts[gap + 1] - starts[gap]);
  return n_tracks;
}
