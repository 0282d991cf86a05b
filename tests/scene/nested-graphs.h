/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene-graphs.h"

#include <string.h>

/* Models with bodies in them. */

/* A call with one result of a layer that has @bodies. */
static inline SymId
graph_call_with_bodies (SymModelBuilder *builder,
                        const char *name,
                        SymModel *const *bodies,
                        guint n_bodies,
                        const SymId *operands,
                        guint n_operands)
{
  static const char *const names[] = { "then", "else", "other" };
  g_autoptr (SymLayer) layer = sym_layer_new ("Nest", NULL, NULL);
  SymId call;
  SymId value;

  for (guint i = 0; i < n_bodies; i++)
    sym_layer_add_body (layer, names[i % G_N_ELEMENTS (names)], bodies[i], FALSE);
  call = sym_model_builder_add_call (builder, name, layer, operands, n_operands, 1);
  value = sym_model_builder_get_result (builder, call, 0);
  sym_model_builder_set_value_name (builder, value, name);
  return value;
}

/* p, q, weight k -> two calls, "add" and "end". */
static inline SymModel *
graph_inner (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId p = graph_input (builder, "p"), q = graph_input (builder, "q"),
        k = graph_input (builder, "k");
  SymId add = graph_call (builder, "Add", "add", (SymId[]){ p, q }, 2);
  SymId end = graph_call (builder, "End", "end", (SymId[]){ add, k }, 2);

  sym_model_builder_add_output (builder, end);
  return sym_model_builder_end (builder);
}

/* x, y -> "first" of x -> "nest" with the inner model as @n_bodies bodies, of first, y, weight w
 * and "flag" (which no body takes) -> "last". */
static inline SymModel *
graph_nested (guint n_bodies)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymModel) inner = graph_inner ();
  SymModel *bodies[] = { inner, inner, inner };
  SymId x = graph_input (builder, "x"), y = graph_input (builder, "y"),
        flag = graph_input (builder, "flag");
  SymId first = graph_call (builder, "First", "first", &x, 1);
  SymId w = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, NULL);
  SymId nest =
      graph_call_with_bodies (builder, "nest", bodies, n_bodies, (SymId[]){ first, y, w, flag }, 4);

  sym_model_builder_add_output (builder, graph_call (builder, "Last", "last", &nest, 1));
  return sym_model_builder_end (builder);
}

/* A model in a model, @depth times, with @n_calls calls of the next in each. */
static inline SymModel *
graph_deep (guint depth, guint n_calls)
{
  SymModel *model = NULL;

  for (guint i = 0; i <= depth; i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      SymId value = graph_input (builder, "x");

      for (guint k = 0; k < n_calls && model; k++)
        value = graph_call_with_bodies (builder, "nest", &model, 1, &value, 1);
      sym_model_builder_add_output (builder, graph_call (builder, "End", "end", &value, 1));
      g_clear_pointer (&model, sym_model_unref);
      model = sym_model_builder_end (builder);
    }
  return model;
}

/* With the calls open whose paths are called, a list with spaces; all with "*". */
static inline SymOpenBodies *
graph_open_bodies (const char *paths)
{
  g_auto (GStrv) list = g_strsplit (paths, " ", -1);
  SymOpenBodies *open =
      g_str_equal (paths, "*") ? sym_open_bodies_new_all () : sym_open_bodies_new ();

  for (guint i = 0; list[i] && *list[i] && *list[i] != '*'; i++)
    {
      SymOpenBodies *next = sym_open_bodies_open (open, list[i]);

      sym_open_bodies_unref (open);
      open = next;
    }
  return open;
}

static inline SymScene *
graph_opened_scene (SymModel *model, const SymSceneOptions *options, const char *paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);
  g_autoptr (SymOpenBodies) open_bodies = graph_open_bodies (paths);
  SymSceneOptions with_bodies = options ? *options : (SymSceneOptions){ 0 };

  g_assert_no_error (error);
  with_bodies.open_bodies = open_bodies;
  return sym_scene_new (inference, &with_bodies);
}
