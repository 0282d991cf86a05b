/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-mentions.h"

static const char *const names[] = {
  "model_1/dense_1/kernel:0",
  "model_1/dense_1/bias:0",
  "model_1/dense/kernel:0",
  "dense_1/model_1/bias",
  "dense_1_W",
  "dense_12_W",
  "dense_W",
  "dense_1/dense_1_b",
  "a//b_c_d",
  "",
  "_x",
};

static SymKerasMentions *
make_mentions (void)
{
  SymKerasMentions *mentions = sym_keras_mentions_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    sym_keras_mentions_add (mentions, names[i], i);
  return mentions;
}

static char *
print (SymKerasMentions *mentions, const char *layer)
{
  g_autoptr (GArray) found = sym_keras_mentions_find (mentions, layer);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const SymKerasMention *one = &g_array_index (found, SymKerasMention, i);

      g_string_append_printf (text, "%s%u.%d", i == 0 ? "" : " ", one->array, one->part);
    }
  return g_string_free (text, FALSE);
}

/* As "array.part". */
static void
test_finds_layers_in_names (void)
{
  static const struct {
    const char *layer, *expected;
  } cases[] = {
    { "dense_1", "0.1 1.1 3.0 4.0 7.0" },
    { "dense", "2.1 6.0" },
    { "dense_12", "5.0" },
    { "model_1", "0.0 1.0 2.0 3.1" },
    { "kernel:0", "" },
    { "a", "8.0" },
    { "b", "8.2" },
    { "b_c", "8.2" },
    { "b_c_d", "" },
    { "", "8.1 10.0" },
    { "nobody", "" },
  };
  SymKerasMentions *mentions = make_mentions ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = print (mentions, cases[i].layer);

      g_assert_cmpstr (found, ==, cases[i].expected);
    }
  sym_keras_mentions_free (mentions);
}

static void
test_takes_names_after_a_question (void)
{
  SymKerasMentions *mentions = make_mentions ();
  g_autofree char *before = print (mentions, "late");
  g_autofree char *after = NULL;

  sym_keras_mentions_add (mentions, "late/kernel", 77);
  after = print (mentions, "late");

  g_assert_cmpstr (before, ==, "");
  g_assert_cmpstr (after, ==, "77.0");
  sym_keras_mentions_free (mentions);
}

static void
test_may_be_empty (void)
{
  SymKerasMentions *mentions = sym_keras_mentions_new ();
  g_autofree char *found = print (mentions, "dense");

  g_assert_cmpstr (found, ==, "");
  sym_keras_mentions_free (mentions);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/keras-mentions/finds-layers-in-names", test_finds_layers_in_names);
  g_test_add_func ("/io/keras-mentions/takes-names-after-a-question",
                   test_takes_names_after_a_question);
  g_test_add_func ("/io/keras-mentions/may-be-empty", test_may_be_empty);
  return g_test_run ();
}
