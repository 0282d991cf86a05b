/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "core/sym-model.h"

G_BEGIN_DECLS

/* Reads a file that holds one value, as ONNX's test data are saved (`input_0.pb`): a TensorProto, a
 * SequenceProto or an OptionalProto.  Which of them it is, the file does not tell: @type does, a
 * value's type; anything but a sequence and an optional is read as a tensor.  Errors are of
 * SYM_IO_ERROR, with the byte, and SYM_ERROR_UNSUPPORTED for maps and sparse tensors. */
SymDatum *sym_onnx_read_datum (const char *path, const SymType *type, GError **error);

/* The input that each of the files is for, one path for each input of @model, NULL where there is
 * no file: the one that it names, where all of them are such files and name another one, else the
 * one in its place.  Free the array. */
SymId *sym_onnx_match_data (const SymModel *model, const char *const *paths);

G_END_DECLS
