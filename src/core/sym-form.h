/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The arithmetic under SymTerms: linear forms `constant + sum of coefficient * variable` over
 * numbered variables, by value.  Parts are sorted by variable and have no zero coefficient.  Every
 * number stays within [-G_MAXINT64, G_MAXINT64], so that each may be negated. */
#define SYM_FORM_MAX_PARTS 8

typedef struct {
  guint32 variable;
  gint64 coefficient;
} SymFormPart;

typedef struct {
  gint64 constant;
  guint n_parts;
  SymFormPart parts[SYM_FORM_MAX_PARTS];
} SymForm;

#define SYM_FORM_NUMBER(number) ((SymForm){ .constant = (number) })
#define SYM_FORM_VARIABLE(id) ((SymForm){ .n_parts = 1, .parts = { { (id), 1 } } })

/* Adds @factor * @other.  FALSE, leaving @self alone, on overflow or when the sum has too many
 * parts. */
gboolean sym_form_add_scaled (SymForm *self, const SymForm *other, gint64 factor);

/* Puts @by in place of @variable.  FALSE as above. */
gboolean sym_form_substitute (SymForm *self, guint32 variable, const SymForm *by);

/* 0 for a variable that does not occur. */
gint64 sym_form_get_coefficient (const SymForm *self, guint32 variable);

/* The greatest common divisor of the coefficients alone, and of the constant as well; 0 when all of
 * these are 0. */
gint64 sym_form_get_coefficient_gcd (const SymForm *self);
gint64 sym_form_get_content (const SymForm *self);

/* Divides by @divisor > 0, which divides all coefficients; the constant is rounded down or up. */
void sym_form_divide (SymForm *self, gint64 divisor, gboolean up);

/* Whether the form is below zero whatever its variables, which are never negative. */
gboolean sym_form_is_negative (const SymForm *self);

gboolean sym_form_equal (const SymForm *a, const SymForm *b);
guint sym_form_hash (const SymForm *self);

G_END_DECLS
