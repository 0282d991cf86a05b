/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-query.h"

G_BEGIN_DECLS

/* ---- The index (sym-query-index.c) ---- */

/* Texts of which few are different: one for each item by its number. */
typedef struct {
  GPtrArray *texts;  /* as they stand */
  GPtrArray *folded; /* the same in lower case */
  guint *ids;        /* by item; SYM_QUERY_NO_TEXT for none */
} SymQueryTexts;

#define SYM_QUERY_NO_TEXT G_MAXUINT
#define SYM_QUERY_TIMES "×"

struct _SymQueryIndex {
  gatomicrefcount ref_count;
  SymSummary *summary;
  SymInference *inference;
  SymModel *model;
  SymGroups *groups;
  double *milliseconds;
  guint8 *changes; /* by call, of SymCompareKind; NULL: compared with nothing */

  guint n_items, n_nodes, n_calls; /* all; the first are nodes, then come layers, then groups */
  GArray *calls;                   /* SymId: of the items that are layers */
  GString *names;                  /* of all items, folded, a NUL after each */
  GArray *starts;                  /* gsize: where those of an item begin; one more at the end */
  SymQueryTexts types, dtypes;
  SymQueryTexts shapes; /* "1x64x?"; folded with SYM_QUERY_TIMES, as names of sizes may have an x */
  GHashTable *places;   /* of layers among the items: call + 1 to item + 1 */

  /* What is made when first asked for.  Figures may take long, which completion must not wait for.
   */
  GMutex figures_lock;
  SymFigures *figures;
  GMutex lock;            /* of the rest */
  GHashTable *attributes; /* name, borrowed, to how many items have it */
  GHashTable *bodies;     /* SymModel, borrowed, to GString: names and types in there, folded */
};

/* The item of a value or of a call (its first node), G_MAXUINT for none. */
guint sym_query_index_find_value (const SymQueryIndex *self, SymId value);

SymLayer *sym_query_index_get_layer (const SymQueryIndex *self, guint item); /* NULL for none */
const char *sym_query_index_get_names (const SymQueryIndex *self, guint item, gsize *length);

/* The same as they are, borrowed from the model: a value, its layer and its variable are often
 * called alike.  How many there are. */
#define SYM_QUERY_MAX_NAMES 3
guint sym_query_index_list_names (const SymQueryIndex *self,
                                  const SymQueryItem *item,
                                  const char **names);

/* NULL when it was cancelled. */
SymFigures *
sym_query_index_get_figures (SymQueryIndex *self, GCancellable *cancellable, GError **error);
GHashTable *sym_query_index_get_attributes (SymQueryIndex *self);
const GString *sym_query_index_get_body (SymQueryIndex *self, SymModel *body);

/* @text in lower case, valid; to be freed. */
char *sym_query_fold (const char *text);

/* ---- Conditions (sym-query-parse.c) ---- */

typedef struct _SymQueryField SymQueryField;

typedef enum {
  SYM_QUERY_HAS, /* : */
  SYM_QUERY_IS,  /* = */
  SYM_QUERY_IS_NOT,
  SYM_QUERY_MORE,
  SYM_QUERY_MORE_OR_SAME,
  SYM_QUERY_LESS,
  SYM_QUERY_LESS_OR_SAME,
} SymQueryComparison;

/* How a text is compared. */
typedef enum {
  SYM_QUERY_PART,
  SYM_QUERY_WHOLE,
  SYM_QUERY_GLOB,
  SYM_QUERY_EXPRESSION,
} SymQueryMatching;

typedef struct {
  const SymQueryField *field;
  char *name; /* of an attribute, folded; NULL for fields */
  SymQueryComparison comparison;
  SymQueryMatching matching;
  char *text; /* folded; of an expression as it stands */
  GPatternSpec *glob;
  GRegex *expression;
  double low, high;      /* the numbers that it takes; NaN for a text that is none */
  gboolean truth;        /* of yes and no */
  gboolean asks_unknown; /* FIELD:? */
  gboolean is_relation;  /* the first of a relation, for all of which it stands */
  gsize start, end;      /* in the text of the query */
} SymQueryCondition;

/* Conditions and what joins them, in postfix order. */
typedef enum {
  SYM_QUERY_CONDITION,
  SYM_QUERY_NOT,
  SYM_QUERY_AND,
  SYM_QUERY_OR,
  SYM_QUERY_RELATION, /* parent, child, before, after: of what the query before it matches */
} SymQueryStepKind;

typedef struct {
  SymQueryStepKind kind;
  guint condition;            /* its number */
  const SymQueryField *field; /* of a relation */
} SymQueryStep;

struct _SymQuery {
  gatomicrefcount ref_count;
  char *text;
  GArray *conditions; /* of SymQueryCondition */
  GArray *steps;      /* of SymQueryStep */
  guint64 positive;   /* conditions that are not negated */
};

/* "column 8: " of byte @place of @text, and the message. */
void sym_query_set_error (GError **error,
                          int code,
                          const char *text,
                          gsize place,
                          const char *format,
                          ...) G_GNUC_PRINTF (5, 6);

/* ---- Words (sym-query-word.c), and values after fields (sym-query-value.c) ---- */

typedef enum {
  SYM_QUERY_WORD_END,
  SYM_QUERY_WORD_TEXT,
  SYM_QUERY_WORD_QUOTED,
  SYM_QUERY_WORD_EXPRESSION,
  SYM_QUERY_WORD_FIELD, /* name and comparison; the value comes next */
  SYM_QUERY_WORD_AND,
  SYM_QUERY_WORD_OR,
  SYM_QUERY_WORD_NOT,
  SYM_QUERY_WORD_OPEN,
  SYM_QUERY_WORD_CLOSE,
} SymQueryWordKind;

typedef struct {
  SymQueryWordKind kind;
  SymQueryComparison comparison;
  gsize start, end;           /* all of it */
  gsize text_start, text_end; /* without quotes, slashes or comparison */
} SymQueryWord;

/* The word at byte @from of @text, or after the spaces there.  @is_value: it comes after a
 * comparison, so that it is no field itself.  FALSE with an error when it is not closed. */
gboolean sym_query_read_word (const char *text,
                              gsize from,
                              gboolean is_value,
                              SymQueryWord *word,
                              GError **error);

/* FALSE with an error and in *@place the byte that it is about. */
gboolean sym_query_take_value (SymQueryCondition *self,
                               const char *text,
                               const SymQueryWord *field,
                               const SymQueryWord *value,
                               gsize *place,
                               GError **error);

/* Whether a number is as the condition wants it. */
gboolean sym_query_compare (const SymQueryCondition *self, double number);

/* ---- Fields (sym-query-field.c and beside it) ---- */

/* What is known of an item and a condition. */
typedef enum {
  SYM_QUERY_FALSE,
  SYM_QUERY_TRUE,
  SYM_QUERY_UNKNOWN,
} SymQueryTruth;

typedef enum {
  SYM_QUERY_TAKES_TEXT,
  SYM_QUERY_TAKES_SHAPE,
  SYM_QUERY_TAKES_NUMBER,
  SYM_QUERY_TAKES_TIME,
  SYM_QUERY_TAKES_YES,
  SYM_QUERY_TAKES_ANY,   /* text or number */
  SYM_QUERY_TAKES_QUERY, /* or a text, which stands for one */
} SymQueryTakes;

/* One run of a query. */
typedef struct {
  const SymQuery *query;
  SymQueryIndex *index;
  SymFigures *figures; /* when a condition needs them */
  GCancellable *cancellable;
  GError **error;
  guint16 *ranks; /* by item, of texts */
} SymQueryScan;

struct _SymQueryField {
  SymQueryFieldInfo info;
  SymQueryTakes takes;

  /* Whether each item matches, into @truths, which are all SYM_QUERY_FALSE.  FALSE with an error.
   */
  gboolean (*match) (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);

  /* Of numbers, yes and no: of one item.  FALSE: not known. */
  gboolean (*get_number) (SymQueryScan *scan, guint item, double *number);

  /* Of relations: from what matches to what stands so to it. */
  void (*relate) (SymQueryScan *scan, const guint8 *from, guint8 *truths);

  /* What an item has there, for people; NULL for nothing to say.  NULL: the number. */
  char *(*tell) (SymQueryScan *scan, const SymQueryCondition *condition, guint item);

  /* The texts that it may have, to complete them; NULL for none. */
  const SymQueryTexts *(*get_texts) (SymQueryIndex *index);
};

/* NULL for none. */
const SymQueryField *sym_query_find_field (const char *name, gsize length);
const SymQueryField *sym_query_get_field (guint i);
gboolean sym_query_field_needs_figures (const SymQueryField *field);

extern const SymQueryField sym_query_any_field;       /* a text alone */
extern const SymQueryField sym_query_attribute_field; /* a name that is no field */

/* How many items are looked at before asking whether that is still wanted. */
#define SYM_QUERY_STRIDE 4096

gboolean sym_query_goes_on (SymQueryScan *scan, guint item);

/* Whether a text matches: anywhere or at the beginning of a word.  *@hard tells that an expression
 * was given up. */
gboolean sym_query_match_text (const SymQueryCondition *condition,
                               const char *text,
                               const char *folded,
                               gboolean at_words,
                               gboolean *hard);
gboolean sym_query_fail_hard (SymQueryScan *scan, const SymQueryCondition *condition);

/* sym-query-text.c */
gboolean
sym_query_match_any (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
gboolean
sym_query_match_names (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
gboolean sym_query_match_texts (SymQueryScan *scan,
                                const SymQueryCondition *condition,
                                const SymQueryTexts *texts,
                                gboolean at_words,
                                guint8 *truths);
gboolean
sym_query_match_bodies (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
gboolean
sym_query_match_groups (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);

/* sym-query-shape.c */
gboolean sym_query_check_shape (const char *text);
gboolean
sym_query_match_shapes (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
gboolean
sym_query_match_inputs (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);

/* sym-query-operator.c */
gboolean
sym_query_match_operators (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
gboolean
sym_query_match_categories (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
char *sym_query_tell_operator (SymQueryScan *scan, const SymQueryCondition *condition, guint item);

/* sym-query-attribute.c */
gboolean
sym_query_match_attribute (SymQueryScan *scan, const SymQueryCondition *condition, guint8 *truths);
gboolean sym_query_match_any_attribute (SymQueryScan *scan,
                                        const SymQueryCondition *condition,
                                        guint8 *truths);
char *sym_query_tell_attribute (SymQueryScan *scan, const SymQueryCondition *condition, guint item);
char *
sym_query_tell_any_attribute (SymQueryScan *scan, const SymQueryCondition *condition, guint item);

/* sym-query-relation.c */
void sym_query_relate_parent (SymQueryScan *scan, const guint8 *from, guint8 *truths);
void sym_query_relate_child (SymQueryScan *scan, const guint8 *from, guint8 *truths);
void sym_query_relate_before (SymQueryScan *scan, const guint8 *from, guint8 *truths);
void sym_query_relate_after (SymQueryScan *scan, const guint8 *from, guint8 *truths);

/* ---- Names that are pasted (sym-query-pasted.c) ---- */

/* Marks the items that are called as the whole text of a query that is more than a word, or have it
 * @in_part of a name; whether there are any. */
gboolean sym_query_find_pasted (const SymQuery *self,
                                const SymQueryIndex *index,
                                gboolean in_part,
                                guint8 *is_pasted);

/* "name onnx::Add_12" of an item with the whole text in its name, NULL of any other. */
char *sym_query_tell_pasted (const SymQuery *self, const SymQueryIndex *index, guint item);

G_END_DECLS
