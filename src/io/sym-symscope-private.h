/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "io/sym-io-private.h"
#include "store/sym-store.h"

G_BEGIN_DECLS

/* Symscope's own format.  One document holds flat tables of parameters, layers and models, which
 * refer to each other by key: nothing is nested but arguments, and what is shared appears once.
 *
 *   {
 *     "format": "symscope",
 *     "version": 1,
 *     "weights": "x.safetensors",
 *     "parameters": {key: {"trainable", "tensor"}},      those with several owners
 *     "layers": {key: {"type", "name", "domain", "operator", "since", "attributes", "function",
 *                      "bodies", "parameters"}},
 *     "models": {"main": {"name", "dialect", "nodes": [...], "inputs", "outputs"}, key: ...}
 *   }
 *
 * A node is {"value": key, ...} or {"call": key, "layer": key, "operands": [key or null],
 * "results": [key or {"value": key, ...}], ...}.  A key is the name, unless that is taken or
 * empty: then the name stands in "name".  Members that this version does not know are kept.
 * data/symscope.schema.json has it all. */
#define SYM_SYMSCOPE_VERSION 1
#define SYM_SYMSCOPE_MAIN "main"

#define SYM_SYMSCOPE_MAX_VALUE_DEPTH 64 /* of attributes and arguments */
#define SYM_SYMSCOPE_MAX_TYPE_DEPTH 16  /* of tuples in tuples */
#define SYM_SYMSCOPE_MAX_BODY_DEPTH 64  /* of models in models */
#define SYM_SYMSCOPE_MAX_CALLS 50000000 /* with those of bodies, each time that they are called */

/* What a model keeps of its file: the members that are not known, and what could not be found. */
typedef struct {
  SymJson *json;
  guint model;            /* object of the model */
  char *key;              /* of the model */
  GHashTable *values;     /* value to its object (both plus 1), where the model has not all of it */
  GHashTable *calls;      /* call to its object, likewise */
  GHashTable *layers;     /* call to the object of its layer, likewise */
  GHashTable *layer_keys; /* call to the key of its layer, where that is no name */
  gboolean lacks_weights; /* the file of weights was not there */
} SymSymscopeOrigin;

extern const SymIoFormat sym_symscope_format;

/* Makes the origin of the model in the making, which owns it. */
SymSymscopeOrigin *sym_symscope_origin_new (SymModelBuilder *builder, SymJson *json, guint model);

/* NULL unless the model was read from this format. */
const SymSymscopeOrigin *sym_symscope_get_origin (const SymModel *model);

void sym_symscope_origin_keep (GHashTable *table, guint id, guint object);

/* The object that an origin's table has for @id, SYM_JSON_NONE for none. */
guint sym_symscope_origin_find (GHashTable *table, guint id);

/* The text of a member of such an object; NULL for none. */
char *sym_symscope_origin_dup_text (const SymSymscopeOrigin *self,
                                    GHashTable *table,
                                    guint id,
                                    const char *name);

/* Members of @object whose names are not in the NULL-ended list. */
gboolean sym_symscope_has_unknown (const SymJson *json, guint object, const char *const *known);
void sym_symscope_append_unknown (GString *out,
                                  const SymJson *json,
                                  guint object,
                                  const char *const *known,
                                  const char *separator);

extern const char *const sym_symscope_root_keys[];
extern const char *const sym_symscope_model_keys[];
extern const char *const sym_symscope_layer_keys[];
extern const char *const sym_symscope_value_keys[];
extern const char *const sym_symscope_call_keys[];

/* ---- sym-symscope-value.c: attributes and arguments ---- */

/* NULL with SYM_IO_ERROR_FORMAT or _LIMIT. */
SymValue *sym_symscope_read_value (const SymJson *json, guint token, GError **error);

/* FALSE with SYM_IO_ERROR_UNSUPPORTED when nested too deep. */
gboolean sym_symscope_append_value (GString *out, const SymValue *value, GError **error);

/* A value is written as its literal alone where @op reads the one from the other. */
SymAttributes *sym_symscope_read_attributes (const SymJson *json,
                                             guint object,
                                             const SymOperator *op,
                                             GError **error);
gboolean sym_symscope_append_attributes (GString *out,
                                         const SymAttributes *attributes,
                                         const SymOperator *op,
                                         GError **error);

/* ---- sym-symscope-type.c ---- */

/* The unknowns of a model without a name are numbered in the order of their appearance: "?1", "?2".
 * One that appears once, alone, is null. */
typedef struct {
  const SymTerms *terms; /* NULL: every dimension that is no number is null */
  GHashTable *uses;      /* minus the variable to how often it appears; in a form counts twice */
  GHashTable *numbers;   /* minus the variable to its number */
} SymSymscopeNumbers;

void sym_symscope_numbers_init (SymSymscopeNumbers *self, const SymTerms *terms);

/* All types that are to be written are counted before the first is. */
void sym_symscope_numbers_count (SymSymscopeNumbers *self, const SymType *type);
void sym_symscope_numbers_clear (SymSymscopeNumbers *self);
gboolean sym_symscope_append_type (GString *out,
                                   const SymType *type,
                                   SymSymscopeNumbers *numbers,
                                   GError **error);

/* @terms may be NULL: then only numbers and null are accepted.  @unknowns has the SymDims of
 * "?1" and its like.  Elements of tuples are allocated in @memory, a list of blocks that are freed
 * with it. */
gboolean sym_symscope_read_type (const SymJson *json,
                                 guint token,
                                 SymTerms *terms,
                                 GHashTable *unknowns,
                                 GPtrArray *memory,
                                 SymType *type,
                                 GError **error);

/* ---- sym-symscope-tensor.c ---- */

/* Small tensors stand in the document: as a list of numbers, or in base64; and so do those that
 * safetensors, beside it, cannot hold. */
gboolean sym_symscope_is_inline (SymTensor *tensor);
gboolean sym_symscope_is_small (SymTensor *tensor);
gboolean sym_symscope_append_tensor (GString *out, SymTensor *tensor, GError **error);
SymTensor *sym_symscope_read_tensor (const SymJson *json, guint object, GError **error);

/* ---- Reading ---- */

typedef struct {
  guint token;
  SymLayer *layer;  /* NULL until it is first applied */
  gboolean is_kept; /* its object is kept: it has unknown members, or an unknown operator */
} SymSymscopeLayer;

typedef struct {
  const char *key;
  guint token;
  SymModel *model;  /* NULL until it is read */
  gboolean is_open; /* the models within it are being read */
  guint depth;      /* of models within it */
  guint64 n_calls;  /* all that run when it runs */
} SymSymscopeBody;

/* An operator that is not known here. */
typedef struct {
  char *domain, *name;
  guint line; /* of the first layer that has it */
  guint n_layers;
} SymSymscopeUnknown;

typedef struct {
  SymJson *json;
  const SymIoSource *source;
  SymProblems *problems;    /* of the file as a whole */
  SymStoreTensors *weights; /* NULL when there are none */
  gboolean lacks_weights;   /* the document names a file that cannot be opened */
  GHashTable *bodies;       /* key to SymSymscopeBody */
  GHashTable *layers;       /* key to SymSymscopeLayer */
  GHashTable *parameters;   /* key to SymParameter */
  GHashTable *without;      /* of these: those whose tensor the weights have not */
  GPtrArray *unknown;       /* of SymSymscopeUnknown: operators */
  guint n_missing;          /* tensors that the weights have not */
  char *first_missing;
} SymSymscopeReader;

/* sym-symscope-read-layer.c: the layer that @token, a string, names; a new reference.  A
 * dangling name becomes an opaque layer and a problem.  *@kept is the object to be kept of it,
 * SYM_JSON_NONE for none. */
SymLayer *sym_symscope_read_layer (SymSymscopeReader *self,
                                   guint token,
                                   SymProblems *problems,
                                   guint *kept,
                                   GError **error);

/* sym-symscope-read-model.c: all models that this one needs have been read. */
SymModel *sym_symscope_read_model (SymSymscopeReader *self, SymSymscopeBody *body, GError **error);

/* sym-symscope-read-data.c: what members "parameter", "trainable" and "tensor" say.  Either result
 * stays NULL when there is no such thing. */
gboolean sym_symscope_read_data (SymSymscopeReader *self,
                                 guint object,
                                 gboolean is_trainable,
                                 SymParameter **parameter,
                                 SymTensor **tensor,
                                 SymProblems *problems,
                                 GError **error);
gboolean sym_symscope_read_parameters (SymSymscopeReader *self, GError **error);

SymModel *sym_symscope_read (SymJson *json, const SymIoSource *source, GError **error);
gboolean sym_symscope_write (SymModel *model,
                             const SymInference *inference,
                             const char *path,
                             SymProblems *notes,
                             GError **error);

G_END_DECLS
