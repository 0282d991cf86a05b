/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-object.h"
#include "core/sym-operator.h"
#include "core/sym-tensor.h"

G_BEGIN_DECLS

typedef struct _SymModel SymModel;

/* A function of the host program, to be called with an argument tree.  What its results are is
 * either declared once or computed from the operands' types; with neither it is not known.  A file
 * has the name of the function, not the function: of one that computes, what it said when the file
 * was written, which holds for the inputs that it was written with; for others it is not known. */
typedef struct {
  const char *name; /* shown as wrap(name) */
  SymType result;   /* of a function whose result does not depend on its arguments: sizes are
                     * numbers or SYM_DIM_UNKNOWN, names and other terms count as unknown */
  gboolean (*infer) (SymRule *rule, gpointer user_data, GError **error); /* NULL: @result */
  gpointer user_data;

  /* The function itself, P45; NULL: it cannot be called here.  Called in the thread that runs the
   * model, and in several at once when several do.  Returns the result, or NULL with an error,
   * which is then told with the name of the layer.  Whoever looks at @call->cancellable now and
   * then can be stopped. */
  SymDatum *(*run) (const SymHostCall *call, gpointer user_data, GError **error);

  /* Called on @user_data when the layer that is made from this is gone, once for each layer: what
   * takes a SymFunction takes @user_data over, also when it fails.  May be NULL. */
  GDestroyNotify destroy;
} SymFunction;

/* What an edge is: a type as its users know it, attributes, its own parameters, named bodies, and
 * at most one way to run: an operator, a body, or a host function.  With none it is opaque: drawn
 * and counted, not run.  Immutable once it is in a graph or model; reference-counted; by identity
 * the same layer wherever it is applied.  Values and calls may carry attributes too, of the file.
 */
typedef struct _SymLayer SymLayer;

/* @operator may be NULL; @attributes may be NULL and is referenced otherwise. */
SymLayer *sym_layer_new (const char *type, const SymOperator *op, SymAttributes *attributes);
SymLayer *sym_layer_new_function (const char *type, const SymFunction *function);
SymLayer *sym_layer_ref (SymLayer *self);
void sym_layer_unref (SymLayer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymLayer, sym_layer_unref)

/* A layer like @self with other attributes; bodies and parameters are shared. */
SymLayer *sym_layer_with_attributes (SymLayer *self, SymAttributes *attributes);

const char *sym_layer_get_type (const SymLayer *self);

/* The name that the file has for the layer, or that the user gave; NULL for none. */
const char *sym_layer_get_name (const SymLayer *self);
void sym_layer_set_name (SymLayer *self, const char *name);

const SymOperator *sym_layer_get_operator (const SymLayer *self);
const SymFunction *sym_layer_get_function (const SymLayer *self);
const SymAttributes *sym_layer_get_attributes (const SymLayer *self);
SymCategory sym_layer_get_category (const SymLayer *self);

/* Bodies: nested models, branches, cells.  A layer that runs by its body (a nested model) has a
 * body marked so; others (the fused graph kept inside a quantised layer) only show it. */
void sym_layer_add_body (SymLayer *self, const char *name, SymModel *body, gboolean runs);
guint sym_layer_get_n_bodies (const SymLayer *self);
SymModel *sym_layer_get_body (const SymLayer *self, guint i, const char **name);
gboolean sym_layer_get_body_runs (const SymLayer *self, guint i);
SymModel *sym_layer_get_running_body (const SymLayer *self);

/* How many of a body's last inputs are values that it takes from around the layer.  They are
 * operands of the layer's calls, after the formal ones: those of body 0, then those of body 1, and
 * so on.  0 unless set; set before the layer is shared. */
void sym_layer_set_body_captures (SymLayer *self, guint i, guint n);
guint sym_layer_get_body_captures (const SymLayer *self, guint i);
guint sym_layer_get_n_captures (const SymLayer *self); /* of all bodies */

/* The body called @name, -1 for none. */
int sym_layer_find_body (const SymLayer *self, const char *name);

/* Which operand of a call with @n_operands each of the @n inputs of body @body is, -1 for none. */
void sym_layer_get_body_operands (const SymLayer *self,
                                  guint body,
                                  guint n_operands,
                                  int *operands,
                                  guint n);

/* Whether it may have parameters that its file does not tell: a class of which neither the file nor
 * anybody here knows the weights.  FALSE unless set; set before the layer is shared. */
void sym_layer_set_hides_parameters (SymLayer *self, gboolean hides_parameters);
gboolean sym_layer_get_hides_parameters (const SymLayer *self);

/* Parameters that the layer brings along (a Conv2d built in C): they become operands of each call,
 * after the data operands.  @name is that of the operator's slot. */
void sym_layer_add_parameter (SymLayer *self,
                              const char *name,
                              const SymType *type,
                              SymParameter *parameter);
guint sym_layer_get_n_parameters (const SymLayer *self);
SymParameter *
sym_layer_get_parameter (const SymLayer *self, guint i, const char **name, const SymType **type);

G_END_DECLS
