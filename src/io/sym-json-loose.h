/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What JSON does not have, and what programs write nevertheless. */
typedef enum {
  SYM_JSON_BARE_WORDS = 1 << 0,  /* {version: 3, type: ADD, scale: inf}: flatc */
  SYM_JSON_DOCUMENTS = 1 << 1,   /* several, one after another: Chakra, logs */
  SYM_JSON_COMMENTS = 1 << 2,    /* within a document: settings, by hand */
  SYM_JSON_LAST_COMMAS = 1 << 3, /* before a bracket that closes: settings, by hand */
  SYM_JSON_REMARKS = 1 << 4,     /* comments before and after a document: test cases */
} SymJsonLiberty;

/* The document that @bytes mean, with each value in the line where it was: several documents are a
 * list of them.  NULL where there is nothing to put right.  Checks nothing else: that is for
 * sym_json_parse().  @liberties is what was found.  At most six bytes are added for each word, and
 * one for each document. */
GBytes *sym_json_tighten (GBytes *bytes, guint *liberties);

G_END_DECLS
