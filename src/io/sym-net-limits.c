/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include "io/sym-json-private.h"

/* What a small file may make a large model of. */

/* So many results a small file may claim, so many values its bodies may be made of, and what one of
 * them takes besides. */
#define FREE_RESULTS 4096
#define FREE_BODIES 65536
#define BODY 64

guint64
sym_net_get_free_results (const SymNet *self)
{
  const SymJson *json = sym_net_get_json (self);

  return FREE_RESULTS + (json == NULL ? 0 : sym_json_get_end (json, 0));
}

guint
sym_net_limit_results (SymNet *self, guint token, const char *name, guint n, guint64 *room)
{
  guint limited = (guint) MIN (n, *room + 1);

  if (limited < n)
    sym_net_warn (self, token, "'%s' claims %u results; %u of them are shown", name, n, limited);
  *room -= MAX (limited, 1) - 1;
  return limited;
}

gboolean
sym_net_take_body (const SymNet *self, guint graph, guint64 *spent)
{
  const SymJson *json = sym_net_get_json (self);
  guint64 all = FREE_BODIES + 4 * (guint64) sym_json_get_end (json, 0);

  *spent += BODY + sym_json_get_end (json, graph) - graph;
  return *spent <= all;
}
