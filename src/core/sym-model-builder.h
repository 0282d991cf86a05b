/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* The raw way to make a model, for readers of files: anything goes in, in file order, dangling and
 * cyclic as it may be; sym_model_builder_end() settles it.  Ids are handed out in order from 0. */
typedef struct _SymModelBuilder SymModelBuilder;

SymModelBuilder *sym_model_builder_new (SymDialect dialect);
void sym_model_builder_free (SymModelBuilder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymModelBuilder, sym_model_builder_free)

void sym_model_builder_set_name (SymModelBuilder *self, const char *name);
void sym_model_builder_set_origin (SymModelBuilder *self,
                                   const char *format,
                                   gpointer take_origin,
                                   GDestroyNotify free_origin);

/* After that: which values the origin says are named inputs. */
void sym_model_builder_set_named_inputs (SymModelBuilder *self, SymNamedFunc is_named);

/* The terms and the problems of the model to be: the caller may add to both. */
SymTerms *sym_model_builder_get_terms (SymModelBuilder *self);
SymProblems *sym_model_builder_get_problems (SymModelBuilder *self);

/* Room for about so many values, of which @n_results are made by calls, and so many calls: tables
 * that grow leave holes behind.  There may be fewer or more in the end. */
void
sym_model_builder_expect (SymModelBuilder *self, guint n_values, guint n_results, guint n_calls);

/* Ids given out so far. */
guint sym_model_builder_get_n_values (SymModelBuilder *self);

/* A value that no call makes.  It takes the next place in file order.  Sizes of @type, which may be
 * NULL, are numbers, SYM_DIM_UNKNOWN or terms of this builder: with another one, such as -1,
 * nothing is added, SYM_NO_ID comes back and a critical warning says so. */
SymId sym_model_builder_add_value (SymModelBuilder *self,
                                   const char *name,
                                   SymRole role,
                                   const SymType *type);

/* A call with @n_results fresh results.  Operands (SYM_NO_ID for an empty slot) and results may be
 * changed until the end, so that forward references can be filled in.  A result that the dialect
 * hides and nothing uses is best left out.  @layer is referenced. */
SymId sym_model_builder_add_call (SymModelBuilder *self,
                                  const char *name,
                                  SymLayer *layer,
                                  const SymId *operands,
                                  guint n_operands,
                                  guint n_results);

/* The same of a layer of its own, new and called as the call is, without operands and results yet.
 * @take_attributes may be NULL. */
SymId sym_model_builder_add_new (SymModelBuilder *self,
                                 const char *name,
                                 const char *type,
                                 const SymOperator *op,
                                 SymAttributes *take_attributes);
const char *sym_model_builder_get_call_name (SymModelBuilder *self, SymId call);
SymId sym_model_builder_get_result (SymModelBuilder *self, SymId call, guint index);
void sym_model_builder_set_operand (SymModelBuilder *self, SymId call, guint slot, SymId value);
void sym_model_builder_append_operand (SymModelBuilder *self, SymId call, SymId value);
SymId sym_model_builder_append_result (SymModelBuilder *self, SymId call, const char *name);
void sym_model_builder_add_control (SymModelBuilder *self, SymId call, SymId before);
void sym_model_builder_set_arguments (SymModelBuilder *self, SymId call, SymValue *take_tree);
void sym_model_builder_set_call_attributes (SymModelBuilder *self,
                                            SymId call,
                                            SymAttributes *take_attributes);
void sym_model_builder_set_call_line (SymModelBuilder *self, SymId call, guint line);

void sym_model_builder_set_value_name (SymModelBuilder *self, SymId value, const char *name);
void sym_model_builder_set_variable (SymModelBuilder *self, SymId value, const char *variable);
void sym_model_builder_set_role (SymModelBuilder *self, SymId value, SymRole role);
SymRole sym_model_builder_get_role (SymModelBuilder *self, SymId value);

/* Sizes as above, else the value keeps its type. */
void sym_model_builder_set_type (SymModelBuilder *self, SymId value, const SymType *type);

/* The type that was set last; NULL for an unknown one.  It is borrowed until the next is set. */
const SymType *sym_model_builder_get_type (SymModelBuilder *self, SymId value);
void sym_model_builder_set_value_attributes (SymModelBuilder *self,
                                             SymId value,
                                             SymAttributes *take_attributes);
void
sym_model_builder_set_parameter (SymModelBuilder *self, SymId value, SymParameter *take_parameter);
void sym_model_builder_set_tensor (SymModelBuilder *self, SymId value, SymTensor *take_tensor);

/* Why there are no numbers of @value, where that is known of it alone.  What many values share is
 * kept once.  NULL says nothing. */
void sym_model_builder_set_lack (SymModelBuilder *self, SymId value, const char *why);
void sym_model_builder_set_value_line (SymModelBuilder *self, SymId value, guint line);

/* Without any input added, the inputs are all values of that role, in file order. */
void sym_model_builder_add_input (SymModelBuilder *self, SymId value);
void sym_model_builder_add_output (SymModelBuilder *self, SymId value);

/* Settles the model: uses, orders, depths, cycles.  A value with role parameter or auxiliary that
 * has no SymParameter yet gets one of its own (auxiliary: not trainable).  Frees the builder. Never
 * fails: what is wrong becomes a problem of the model. */
SymModel *sym_model_builder_end (SymModelBuilder *self);

G_END_DECLS
