/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* Core ML's compiled networks (model.espresso.net, format versions 100 to 200): layers that name
 * what they take ("bottom") and make ("top"), as Caffe's do. */

static int
score (const SymJson *json)
{
  guint layers = sym_json_get_member (json, 0, "layers");
  guint first = sym_json_get_element (json, layers, 0);

  if (sym_json_get_member (json, first, "top") == SYM_JSON_NONE ||
      sym_json_get_member (json, first, "type") == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, 0, "format_version") != SYM_JSON_NONE ? 100 : 70;
}

typedef void (*Use) (SymNet *net, SymId call, const char *name);

static void
use_operand (SymNet *net, SymId call, const char *name)
{
  sym_net_add_operand (net, call, name);
}

static void
use_result (SymNet *net, SymId call, const char *name)
{
  sym_net_add_result (net, call, name, name, NULL);
}

/* "a,b" */
static void
use_all (SymNet *net, guint token, SymId call, Use use)
{
  g_autofree char *text = sym_json_dup_string (sym_net_get_json (net), token);
  g_auto (GStrv) names = text == NULL ? NULL : g_strsplit (text, ",", -1);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (g_strstrip (names[i])[0] != '\0')
      use (net, call, names[i]);
}

static gboolean
add_layer (SymNet *net, guint key, guint layer, gpointer user_data, GError **error)
{
  static const char *const own[] = { "name", "type", "bottom", "top", NULL };
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *type = sym_json_dup_string (json, sym_json_get_member (json, layer, "type"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, layer, "name"));
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, layer, error, "a layer needs a 'type', a string");
  call = sym_net_add_call (net, name == NULL ? type : name, type, NULL,
                           sym_net_read_attributes (net, layer, own), layer);
  use_all (net, sym_json_get_member (json, layer, "bottom"), call, use_operand);
  use_all (net, sym_json_get_member (json, layer, "top"), call, use_result);
  return TRUE;
}

static SymModel *
read_network (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "espresso");

  if (!sym_net_visit (net, sym_json_get_member (json, 0, "layers"), add_layer, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_espresso_format = {
  .name = "espresso",
  .title = "Core ML compiled network (Espresso)",
  .versions = "100 to 200",
  .suffix = ".espresso.net",
  .score = score,
  .read = read_network,
};
