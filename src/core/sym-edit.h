/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* The only way from model to model.  An edit collects changes to @model, which stays as it is,
 * and ends in a new model that shares every table it did not touch; ids stay, so selection and
 * positions survive.  After a failed call nothing of that call is applied. */
typedef struct _SymEdit SymEdit;

SymEdit *sym_edit_new (SymModel *model);
void sym_edit_free (SymEdit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymEdit, sym_edit_free)

/* The terms of the model to be, for types with named or unknown dimensions.  The ids of the base's
 * terms are valid in it. */
SymTerms *sym_edit_get_terms (SymEdit *self);

/* Inserts a call of @layer after everything that makes its operands; returns its id, and the ids
 * of its results through sym_edit_get_result().  With a NULL @name it gets one by its type.  An
 * inserted value of role input becomes the last input of the model; its type is as in
 * sym_model_builder_add_value(). */
SymId sym_edit_insert_call (SymEdit *self,
                            const char *name,
                            SymLayer *layer,
                            const SymId *operands,
                            guint n_operands,
                            guint n_results,
                            GError **error);
SymId sym_edit_insert_value (SymEdit *self, const char *name, SymRole role, const SymType *type);
SymId sym_edit_get_result (SymEdit *self, SymId call, guint index);

/* Erases a call, or a value without one, that nothing uses (torch.fx erase_node). */
gboolean sym_edit_erase_call (SymEdit *self, SymId call, GError **error);
gboolean sym_edit_erase_value (SymEdit *self, SymId value, GError **error);

/* Every use of @value, as operand or as output, becomes one of @by; but the calls by which @by is
 * computed keep @value, so that a layer can be put between a value and its users.
 * sym_edit_set_operand() accepts SYM_NO_ID for an empty slot; SYM_ERROR_CYCLE. */
gboolean sym_edit_replace_uses (SymEdit *self, SymId value, SymId by, GError **error);
gboolean sym_edit_set_operand (SymEdit *self, SymId call, guint slot, SymId value, GError **error);

/* Makes @call apply @layer, which is referenced, to other operands; its results stay what they are.
 * Where the layer is shared, other calls keep theirs.  SYM_ERROR_CYCLE. */
gboolean sym_edit_set_call (SymEdit *self,
                            SymId call,
                            SymLayer *layer,
                            const SymId *operands,
                            guint n_operands,
                            GError **error);

/* Sets an attribute of the call's layer, wherever that layer is applied; NULL removes it. */
gboolean sym_edit_set_attribute (SymEdit *self,
                                 SymId call,
                                 const char *name,
                                 SymValue *take_value,
                                 GError **error);

/* Names of values differ, and so do those of calls.  Results that are called after their call
 * ("fc1", "fc1_output") are renamed with it. */
gboolean sym_edit_rename_value (SymEdit *self, SymId value, const char *name, GError **error);
gboolean sym_edit_rename_call (SymEdit *self, SymId call, const char *name, GError **error);

/* What a result is called when its call, which was called @old, is called @new; the caller's.  NULL
 * for one that keeps its name. */
char *sym_edit_follow_name (const char *result, const char *old, const char *new);
gboolean sym_edit_set_variable (SymEdit *self, SymId value, const char *variable, GError **error);

/* SYM_ERROR_ARGUMENT for a size that is neither 0 or more, nor SYM_DIM_UNKNOWN, nor a term of the
 * edit. */
gboolean sym_edit_set_type (SymEdit *self, SymId value, const SymType *type, GError **error);

/* Declares what @inference, which is of the model before the edit, has found of @values, those
 * whose types it was given; and of all others that declare something else, which is true no longer.
 * A dimension that was given another name has it wherever it is declared but in bodies, which stay
 * as they are. */
gboolean sym_edit_take_types (SymEdit *self,
                              const SymInference *inference,
                              const SymId *values,
                              guint n,
                              GError **error);

gboolean sym_edit_set_inputs (SymEdit *self, const SymId *values, guint n, GError **error);
gboolean sym_edit_set_outputs (SymEdit *self, const SymId *values, guint n, GError **error);

/* P59: appends an output.  "Node is an input of this SymbolicModel!", "Node is out of reach for
 * this SymbolicModel!". */
gboolean sym_edit_add_output (SymEdit *self, SymId value, GError **error);

/* Moves a call in file order to just before another. */
gboolean sym_edit_move_call (SymEdit *self, SymId call, SymId before, GError **error);

/* The new model.  Frees the edit. */
SymModel *sym_edit_end (SymEdit *self);

G_END_DECLS
