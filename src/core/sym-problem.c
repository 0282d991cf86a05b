/* SPDX-License-Identifier: MIT */
#include "core/sym-problem.h"

#include "core/sym-problem-lack.h"
#include "core/sym-problem-left-out.h"

#define MAX_KEPT 1000 /* of each severity */
#define N_SEVERITIES (SYM_SEVERITY_ERROR + 1)

struct _SymProblems {
  gatomicrefcount ref_count;
  GArray *kept; /* of SymProblem */
  guint n_kept[N_SEVERITIES];
  guint n_dropped[N_SEVERITIES];
  char *lack;
};

static void
clear_problem (gpointer data)
{
  SymProblem *problem = data;

  g_free (problem->message);
}

/* Counts a problem; TRUE when its message is to be kept as well, which a hostile file's millions
 * are not even made for. */
static gboolean
count (SymProblems *self, SymSeverity severity)
{
  if (self->n_kept[severity] < MAX_KEPT)
    {
      self->n_kept[severity]++;
      return TRUE;
    }
  self->n_dropped[severity] += self->n_dropped[severity] < G_MAXUINT;
  return FALSE;
}

const char *
sym_severity_to_string (SymSeverity severity)
{
  switch (severity)
    {
    case SYM_SEVERITY_NOTE:
      return "note";
    case SYM_SEVERITY_WARNING:
      return "warning";
    case SYM_SEVERITY_ERROR:
      return "error";
    default:
      g_return_val_if_reached ("error");
    }
}

SymProblems *
sym_problems_new (void)
{
  SymProblems *self = g_new0 (SymProblems, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kept = g_array_new (FALSE, FALSE, sizeof (SymProblem));
  g_array_set_clear_func (self->kept, clear_problem);
  return self;
}

SymProblems *
sym_problems_ref (SymProblems *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_problems_unref (SymProblems *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_array_unref (self->kept);
  g_free (self->lack);
  g_free (self);
}

static void G_GNUC_PRINTF (3, 0)
    add (SymProblems *self, SymProblem *problem, const char *format, va_list arguments)
{
  if (!count (self, problem->severity))
    return;
  problem->message = g_strdup_vprintf (format, arguments);
  g_array_append_vals (self->kept, problem, 1);
}

void
sym_problems_add (SymProblems *self,
                  SymSeverity severity,
                  guint line,
                  SymId value,
                  SymId call,
                  const char *format,
                  ...)
{
  SymProblem problem = { severity, line, value, call, NULL, FALSE };
  va_list arguments;

  va_start (arguments, format);
  add (self, &problem, format, arguments);
  va_end (arguments);
}

void
sym_problems_explain_lack (SymProblems *self, const char *why)
{
  if (self->lack == NULL)
    self->lack = g_strdup (why);
}

void
sym_problems_add_lack (SymProblems *self, SymSeverity severity, guint line, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sym_problems_add (self, severity, line, SYM_NO_ID, SYM_NO_ID, "%s", message);
  sym_problems_explain_lack (self, message);
}

const char *
sym_problems_get_lack (const SymProblems *self)
{
  return self->lack;
}

void
sym_problems_add_left_out (SymProblems *self,
                           SymSeverity severity,
                           guint line,
                           const char *format,
                           ...)
{
  SymProblem problem = { severity, line, SYM_NO_ID, SYM_NO_ID, NULL, TRUE };
  va_list arguments;

  va_start (arguments, format);
  add (self, &problem, format, arguments);
  va_end (arguments);
}

void
sym_problems_append_left_out (SymProblems *self, const SymProblems *other)
{
  for (guint i = 0; i < other->kept->len; i++)
    {
      const SymProblem *problem = &g_array_index (other->kept, SymProblem, i);

      if (problem->is_left_out)
        sym_problems_add (self, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID, "%s",
                          problem->message);
    }
}

guint
sym_problems_append_rest (SymProblems *self, const SymProblems *other, guint first)
{
  /* Counted before, so that a list can be appended to itself. */
  guint n = other == NULL ? 0 : other->kept->len;
  guint n_dropped[N_SEVERITIES] = { 0 };

  for (guint i = 0; other != NULL && i < N_SEVERITIES && first == 0; i++)
    n_dropped[i] = other->n_dropped[i];
  for (guint i = first; i < n; i++)
    {
      SymProblem problem = g_array_index (other->kept, SymProblem, i);

      if (!count (self, problem.severity))
        continue;
      problem.message = g_strdup (problem.message);
      g_array_append_val (self->kept, problem);
    }
  for (guint i = 0; i < N_SEVERITIES; i++)
    self->n_dropped[i] += MIN (n_dropped[i], G_MAXUINT - self->n_dropped[i]);
  if (other != NULL && other->lack != NULL)
    sym_problems_explain_lack (self, other->lack);
  return n;
}

void
sym_problems_append (SymProblems *self, const SymProblems *other)
{
  sym_problems_append_rest (self, other, 0);
}

guint
sym_problems_get_n (const SymProblems *self)
{
  return self->kept->len;
}

const SymProblem *
sym_problems_get (const SymProblems *self, guint i)
{
  g_return_val_if_fail (i < self->kept->len, NULL);

  return &g_array_index (self->kept, SymProblem, i);
}

guint
sym_problems_count_dropped (const SymProblems *self, SymSeverity severity)
{
  g_return_val_if_fail (severity < N_SEVERITIES, 0);

  return self->n_dropped[severity];
}

guint
sym_problems_get_n_dropped (const SymProblems *self)
{
  guint64 sum = 0;

  for (guint i = 0; i < N_SEVERITIES; i++)
    sum += self->n_dropped[i];
  return (guint) MIN (sum, G_MAXUINT);
}

gboolean
sym_problems_has_errors (const SymProblems *self)
{
  return self->n_kept[SYM_SEVERITY_ERROR] > 0;
}
