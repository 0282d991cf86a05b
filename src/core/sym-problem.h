/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef guint32 SymId;
#define SYM_NO_ID G_MAXUINT32

typedef enum {
  SYM_SEVERITY_NOTE,    /* worth knowing; nothing is wrong */
  SYM_SEVERITY_WARNING, /* unusual, or only partly understood */
  SYM_SEVERITY_ERROR,   /* the file contradicts itself or its format */
} SymSeverity;

const char *sym_severity_to_string (SymSeverity severity);

/* Something found wrong with a model that can be shown all the same.  @line counts from 1, 0 when
 * it is not known; @value and @call are SYM_NO_ID unless the problem sits at one. */
typedef struct {
  SymSeverity severity;
  guint line;
  SymId value;
  SymId call;
  char *message;
  gboolean is_left_out; /* see sym-problem-left-out.h */
} SymProblem;

/* A growing list of problems.  After 1,000 of one severity those are only counted: a thousand notes
 * leave room for an error. */
typedef struct _SymProblems SymProblems;

SymProblems *sym_problems_new (void);
SymProblems *sym_problems_ref (SymProblems *self);
void sym_problems_unref (SymProblems *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymProblems, sym_problems_unref)

void sym_problems_add (SymProblems *self,
                       SymSeverity severity,
                       guint line,
                       SymId value,
                       SymId call,
                       const char *format,
                       ...) G_GNUC_PRINTF (6, 7);

/* Appends copies of what @other holds; NULL is an empty list. */
void sym_problems_append (SymProblems *self, const SymProblems *other);

/* The same of those from @first on, for a list that grows on: returns where the next call is to
 * begin.  What was dropped is only counted from the beginning. */
guint sym_problems_append_rest (SymProblems *self, const SymProblems *other, guint first);

guint sym_problems_get_n (const SymProblems *self);
const SymProblem *sym_problems_get (const SymProblems *self, guint i);

/* How many were added beyond the limit and are not kept: of one severity, and of all. */
guint sym_problems_count_dropped (const SymProblems *self, SymSeverity severity);
guint sym_problems_get_n_dropped (const SymProblems *self);
gboolean sym_problems_has_errors (const SymProblems *self);

G_END_DECLS
