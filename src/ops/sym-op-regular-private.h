/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-regular.h"

G_BEGIN_DECLS

/* What a set of characters is made of: a range, or what has a category or a script. */
typedef struct {
  gunichar first, last;  /* of a range; of others first is greater */
  guint32 categories;    /* a bit for each GUnicodeType */
  GUnicodeScript script; /* G_UNICODE_SCRIPT_INVALID_CODE for none */
  gboolean is_negated;
} SymOpSetPart;

/* Parts @first to @first + @n - 1 of the expression's. */
typedef struct {
  guint first, n;
  gboolean is_negated, folds; /* letters match whatever their case */
} SymOpSet;

typedef enum {
  SYM_OP_STEP_SET,   /* takes a character of set @value */
  SYM_OP_STEP_SPLIT, /* goes on behind itself and at a distance of @value */
  SYM_OP_STEP_JUMP,  /* goes on at a distance of @value */
  SYM_OP_STEP_AT,    /* goes on where place @value is */
  SYM_OP_STEP_END,
} SymOpStepKind;

typedef enum {
  SYM_OP_AT_TEXT_START,
  SYM_OP_AT_TEXT_END,
  SYM_OP_AT_LINE_START,
  SYM_OP_AT_LINE_END,
  SYM_OP_AT_WORD_EDGE,
  SYM_OP_AT_NO_WORD_EDGE,
} SymOpPlace;

typedef struct {
  SymOpStepKind kind;
  int value;
} SymOpStep;

struct _SymOpRegular {
  GArray *parts; /* of SymOpSetPart */
  GArray *sets;  /* of SymOpSet */
  GArray *steps; /* of SymOpStep, the last one an END */

  /* Memory of a walk: places that are reached, marks of those, and places yet to be looked at. */
  guint *now, *next, *marks, *open;
  guint mark;
};

/* What has been read of a pattern. */
typedef struct {
  SymOpRegular *self;
  const char *start, *place;
} SymOpRegularReader;

/* ---- sym-op-regular-set.c ---- */

/* Sets at the reader's place: [...], and those of an escape (\d, \pL); a single character.  The
 * number of the set, or -1 with an error. */
int sym_op_regular_read_class (SymOpRegularReader *reader, gboolean folds, GError **error);
int sym_op_regular_read_escape (SymOpRegularReader *reader, gboolean folds, GError **error);
int sym_op_regular_add_range (SymOpRegular *self,
                              gunichar first,
                              gunichar last,
                              gboolean is_negated,
                              gboolean folds);

gboolean sym_op_regular_has (const SymOpRegular *self, guint set, gunichar character);

gboolean sym_op_regular_fail (const SymOpRegularReader *reader, const char *what, GError **error);

G_END_DECLS
