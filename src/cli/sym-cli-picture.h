/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/sym-cli-model.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* What `draw` and `layout` have in common. */
#define SYM_CLI_PICTURE_OPTIONS                                                                 \
  { "nodes", 0, "data|layers", "what is a box: a value (the default), or a layer" },            \
      { "direction", 0, "down|right", "which way the graph flows (down if not given)" },        \
      { "labels", 0, "L[,L...]",                                                                \
        "what boxes tell: name, variable, shape, dtype (name,shape if not given)" },            \
      { "fold", 0, NULL, "groups as one box each, until about 150 boxes are left" },            \
      { "expand", 0, NULL, "also what is inside of nested models and other bodies of layers" }, \
      { "around", 0, "A[,B...]", "only what is near this node, or near any of these" },         \
      { "hops", 0, "N", "how near: at most N layers away (2 if not given)" },                   \
      { "outputs", 0, "A[,B...]", "only what these need, as `extract` would keep it" },         \
  {                                                                                             \
    "inputs", 0, "C[,D...]", "and only from these on; up to the graph's own outputs"            \
  }

/* A laid-out graph, and the milliseconds that each step took. */
typedef struct {
  SymLayout *layout;
  double load, infer, scene, settle;
} SymCliPicture;

/* Opens FILE, infers, lays out.  Free with sym_cli_picture_clear(). */
gboolean sym_cli_picture_make (SymCliPicture *self, SymCliArguments *arguments, GError **error);
void sym_cli_picture_clear (SymCliPicture *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymCliPicture, sym_cli_picture_clear)

G_END_DECLS
