/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* The constants of a graph in which a layer has axes, sizes and the like as operands.  Where an
 * operator has an attribute called as the slot of such an operand, whatever the case, and the layer
 * has none, the constant becomes that attribute: rules and lowerings look there. */
typedef struct _SymNetConstants SymNetConstants;

SymNetConstants *sym_net_constants_new (void);
void sym_net_constants_free (SymNetConstants *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNetConstants, sym_net_constants_free)

/* Says that @key stands for @take_value, which may be NULL for nothing. */
void sym_net_constants_add (SymNetConstants *self, const char *key, SymValue *take_value);

/* Numbers of a tensor of up to 64 integers of 32 or 64 bits, or one float, as such a value; NULL
 * for others. */
SymValue *sym_net_read_small (SymTensor *tensor);

/* Adds what the operands of a layer of @op (which may be NULL) are to its attributes.  @keys are of
 * char *, NULL for an empty slot. */
void sym_net_constants_complete (const SymNetConstants *self,
                                 const SymOperator *op,
                                 const GPtrArray *keys,
                                 SymAttributes *attributes);

/* A file beside the graph, or in its archive: what leads out of the graph's folder is not opened.
 */
SymBlob *sym_net_open_file (const SymIoSource *source, const char *path, GError **error);

/* Where the graph is, with the names of all folders around it: within its archive, or on disk. NULL
 * where that is not told.  Free it. */
char *sym_net_dup_place (const SymIoSource *source);

/* What its file is called, without any folder; and a file beside it whose name ends otherwise:
 * "model.bin" for "model.xml".  NULL where that is not told.  Free them. */
char *sym_net_dup_file_name (const SymIoSource *source);
char *sym_net_dup_name_beside (const SymIoSource *source, const char *suffix);

/* The file of weights that the user chose; else the one called @path, *@blob being NULL where there
 * is none.  FALSE with SYM_IO_ERROR_FILE when the chosen one cannot be opened. */
gboolean
sym_net_open_weights (const SymIoSource *source, const char *path, SymBlob **blob, GError **error);

G_END_DECLS
