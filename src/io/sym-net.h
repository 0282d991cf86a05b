/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "io/sym-io-private.h"
#include "io/sym-net-attributes.h"

G_BEGIN_DECLS

/* A network in the making of a file that calls its tensors by keys (names or numbers), as most
 * formats do: layers say which keys they use and make, in any order.  A use means what was made
 * under that key last before it, else what is made first after it, so that files that write one
 * tensor twice keep their meaning.  What nobody makes becomes an input.
 *
 *   net = sym_net_new (source, json, "onednn");
 *   ... sym_net_add_call(), _add_operand(), _add_result() for each layer ...
 *   return sym_net_end (g_steal_pointer (&net), error);
 */
typedef struct _SymNet SymNet;

/* @source and @json, which may be NULL for what is no JSON, are borrowed.  @format is a format's
 * name. */
SymNet *sym_net_new (const SymIoSource *source, const SymJson *json, const char *format);
void sym_net_free (SymNet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNet, sym_net_free)

SymModelBuilder *sym_net_get_builder (SymNet *self);

const SymJson *sym_net_get_json (const SymNet *self);

/* What sym_net_set_attribute() has read before. */
SymNetAttributes *sym_net_get_attributes (SymNet *self);

/* The type that sym_net_read_type() has read last, and of which tokens; of unknown rank for none.
 */
typedef struct {
  guint dtype, shape;
  SymType type;
} SymNetLastType;

SymNetLastType *sym_net_get_last_type (SymNet *self);

/* The line of the token in the file, for problems and for the window; without JSON, the token
 * itself. */
guint sym_net_get_line (const SymNet *self, guint token);

/* Calls @visit with each element of an array, or member of an object (@key is SYM_JSON_NONE in
 * arrays), tells how far it is, and stops with an error when one fails or the reading is cancelled.
 */
typedef gboolean (
    *SymNetVisit) (SymNet *self, guint key, guint value, gpointer user_data, GError **error);
gboolean sym_net_visit (SymNet *self,
                        guint container,
                        SymNetVisit visit,
                        gpointer user_data,
                        GError **error);

/* A value that no layer makes.  @name may be NULL for the key itself; so may @type. */
SymId sym_net_add_value (SymNet *self,
                         const char *key,
                         const char *name,
                         SymRole role,
                         const SymType *type,
                         guint token);

/* The same of what no layer may turn out to make: where something uses @key and nothing has made it
 * by the end, it is such a value.  One with role intermediate is missing then.  What a layer makes
 * under
 * @key without saying a type is of this one.  The first to declare a key is right. */
void sym_net_declare (SymNet *self,
                      const char *key,
                      const char *name,
                      SymRole role,
                      const SymType *type,
                      guint token);

/* The type that was declared for @key; an unknown one for none. */
SymType sym_net_get_declared_type (SymNet *self, const char *key);

/* A value that no layer makes, of the type that was declared for @key. */
SymId
sym_net_add_declared (SymNet *self, const char *key, const char *name, SymRole role, guint token);

/* A layer of type @type applied once.  @op may be NULL, @take_attributes too. */
SymId sym_net_add_call (SymNet *self,
                        const char *name,
                        const char *type,
                        const SymOperator *op,
                        SymAttributes *take_attributes,
                        guint token);
SymId sym_net_add_layer (SymNet *self, const char *name, SymLayer *layer, guint token);

/* A text of the file as a key, NULL for what is no string; @self keeps it.  To make a result under
 * the key that was kept last, it is not looked for again. */
const char *sym_net_keep_key (SymNet *self, guint token);

/* The next operand of a call; an empty slot when @key is NULL. */
void sym_net_add_operand (SymNet *self, SymId call, const char *key);

/* The same of a value that is there already. */
void sym_net_add_operand_value (SymNet *self, SymId call, SymId value);

/* The same of a key of so many bytes, or NULL; and of one that a token of the file is, a string or
 * a number: what is none is an empty slot. */
void sym_net_add_operand_of (SymNet *self, SymId call, const char *text, gsize length);
void sym_net_add_operand_at (SymNet *self, SymId call, guint token);

/* An operand whose type is told where it is used, as in sym_net_declare() where nothing has made
 * it. A warning at @token tells where that is not what its maker, or else the first use, says. */
void sym_net_add_told_operand (SymNet *self,
                               SymId call,
                               const char *key,
                               SymRole role,
                               const SymType *type,
                               guint token);

/* Of a layer in the making, whose results have a dtype of their own that no attribute tells: sets
 * `output_dtype` where @made is another than @given and both are known. */
void sym_net_note_dtype (SymAttributes *attributes, SymDType given, SymDType made);

/* The next result.  @key may be NULL when nothing can use it, @name for the name that results of
 * the call get anyway: that of the layer. */
SymId sym_net_add_result (SymNet *self,
                          SymId call,
                          const char *key,
                          const char *name,
                          const SymType *type);

/* The same of a key of so many bytes, which is its name too when it is @named. */
SymId
sym_net_add_result_of (SymNet *self, SymId call, const char *text, gsize length, gboolean named);

/* Tells that @value stands for an effect alone: without outputs that the file tells, it is none. */
void sym_net_pass_over (SymNet *self, SymId value);

/* The same for each key of an array of keys, strings or numbers; what is none is an empty slot.
 * Keys of results that are @named are their names too. */
void sym_net_add_operands (SymNet *self, SymId call, guint keys);
void sym_net_add_results (SymNet *self, SymId call, guint keys, gboolean named);

/* Formats in which a layer claims so many results that the file need not name: how many of @n it
 * gets.  *@room is left for all layers, beyond the first result of each; what is left out is told.
 * Of the whole file, sym_net_get_free_results() is what makes no more of it than it says. */
guint64 sym_net_get_free_results (const SymNet *self);
guint sym_net_limit_results (SymNet *self, guint token, const char *name, guint n, guint64 *room);

/* Formats in which layers name graphs of the file as their bodies, each of which is read anew where
 * it is named: FALSE where all of them, *@spent so far, would be more than the file justifies.
 * @graph is its token. */
gboolean sym_net_take_body (const SymNet *self, guint graph, guint64 *spent);

guint sym_net_count_operands (const SymNet *self, SymId call);
guint sym_net_count_results (const SymNet *self, SymId call);

/* Another key for what the call makes first. */
void sym_net_add_alias (SymNet *self, const char *key, SymId call);

/* What makes @key has to run before @call. */
void sym_net_add_control (SymNet *self, SymId call, const char *key);

/* Without any, the outputs are what layers make and nothing uses. */
void sym_net_add_output (SymNet *self, const char *key);
void sym_net_add_outputs (SymNet *self, guint keys);

/* One of a value that is there already, before those of keys. */
void sym_net_add_output_value (SymNet *self, SymId value);

/* What is known under a key by now; SYM_NO_ID for nothing. */
SymId sym_net_find (const SymNet *self, const char *key);

/* Tells that keys which nobody makes are missing in the file, rather than its inputs. */
void sym_net_expect_all (SymNet *self);

/* Adds a warning at @token. */
void sym_net_warn (SymNet *self, guint token, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* The same of what leaves weights without numbers. */
void sym_net_warn_of_lack (SymNet *self, guint token, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Warns where @key is of type @here at @token and of another where it is @made, or else used first;
 * NULL is unknown. */
void sym_net_compare_types (SymNet *self,
                            guint token,
                            const char *key,
                            const SymType *here,
                            const SymType *other,
                            gboolean made);

/* Resolves what is open and settles the model; frees @self.  NULL only when it was cancelled. */
SymModel *sym_net_end (SymNet *self, GError **error);

/* The same for a body: keys that it does not have are taken from around the layer.  They become its
 * last inputs, and are appended to @captures (of char *), to be operands of the layer's call. */
SymModel *sym_net_end_body (SymNet *self, GPtrArray *captures, GError **error);

/* ---- Pieces that formats share ---- */

/* A dtype by any of the names that formats have for it: "f32", "FP32", "float", "DT_FLOAT",
 * "torch.float32", "int64_t", whatever the case.  SYM_DTYPE_UNKNOWN for others. */
SymDType sym_net_parse_dtype (const char *text);
SymDType sym_net_parse_dtype_of (const char *text, gsize length);
SymDType sym_net_read_dtype (const SymJson *json, guint token);

/* The shape of an array of sizes: a negative number or null is an unknown size, a string names one.
 * Of unknown rank when it is no array, or has more than SYM_MAX_RANK. */
SymShape sym_net_read_shape (SymNet *self, guint array);
SymType sym_net_read_type (SymNet *self, guint dtype, guint shape);

/* The same of sizes in a text, between @separators: "1,3,224,224". */
SymShape sym_net_parse_shape (SymNet *self, const char *text, const char *separators);

/* The text of a string, or of a number as it is written; NULL for anything else. */
char *sym_net_dup_key (const SymJson *json, guint token);

/* A constant: null, true, numbers, strings, lists, objects as dicts.  Deeper than 32 levels it is
 * the text itself. */
SymValue *sym_net_read_value (const SymJson *json, guint token);

/* Sets attribute @name to it, with the literal that the file has. */
void sym_net_set_attribute (SymNet *self, SymAttributes *attributes, const char *name, guint token);

/* All members of an object but those called as in the NULL-ended @except, which may be NULL. */
SymAttributes *sym_net_read_attributes (SymNet *self, guint object, const char *const *except);

/* The same, not to be changed: layers that have the same share a list. */
SymAttributes *sym_net_share_attributes (SymNet *self, guint object, const char *const *except);

G_END_DECLS
