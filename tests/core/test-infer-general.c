/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-general.h"
#include "core/sym-model-builder.h"

/* Two models made alike, for other sizes in the place of those that nobody knows: what holds for
 * both holds for any. */

static const SymType no_type = { .shape = { .rank = -1 } };

static SymModel *
make_model (const SymType *types, guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("x%u", i);

      sym_model_builder_add_input (
          builder, sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &types[i]));
    }
  return sym_model_builder_end (builder);
}

static SymInference *
generalize (const SymType *one, guint n_one, const SymType *other, guint n_other, SymTerms *terms)
{
  g_autoptr (SymModel) model = make_model (one, n_one), twin = make_model (other, n_other);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymInference) twin_inference = sym_infer (twin, NULL, 0, NULL, NULL);
  SymStandIn stand_ins[] = { { sym_terms_get_named (terms, "batch"), 1, 17 },
                             { sym_terms_new_unknown (terms), 1, 19 } };

  return sym_inference_generalize (model, inference, twin_inference, terms, stand_ins, 2);
}

static void
assert_shape (const SymInference *inference, SymId value, const char *expected)
{
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *text = sym_inference_format_shape (inference, &type.shape, ",");

  g_assert_cmpstr (text, ==, expected);
}

static void
test_sizes (void)
{
  static const SymType one[] = {
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 3, { 1, 4, 6 } } },
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 3, { 1, 1, 2 } } },
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 1, { 1 } } },
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 2, { 4, 5 } } },
  };
  static const SymType other[] = {
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 3, { 17, 4, 22 } } },
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_INT64, .shape = { 3, { 19, 1, 17 } } },
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 2, { 1, 1 } } },
    { .kind = SYM_KIND_TENSOR, .dtype = SYM_DTYPE_FLOAT32, .shape = { 2, { 4, 5 } } },
  };
  g_autoptr (SymTerms) terms = sym_terms_new ();
  g_autoptr (SymInference) general = generalize (one, 4, other, 4, terms);

  assert_shape (general, 0, "batch,4,?");
  assert_shape (general, 1, "?,1,?");
  assert_shape (general, 2, "rank ?");
  assert_shape (general, 3, "4,5");
  g_assert_cmpint (sym_inference_get_type (general, 0).dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (sym_inference_get_type (general, 1).dtype, ==, SYM_DTYPE_UNKNOWN);
}

static void
test_kinds (void)
{
  const SymType inner[] = { sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 3)), no_type };
  const SymType inner_twin[] = { sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (17, 3)), no_type };
  const SymType one[] = {
    { .kind = SYM_KIND_TUPLE, .elements = inner, .n_elements = 2, .shape = { .rank = -1 } },
    { .kind = SYM_KIND_TUPLE, .elements = inner, .n_elements = 2, .shape = { .rank = -1 } },
    sym_type_opaque ("image"),
  };
  const SymType other[] = {
    { .kind = SYM_KIND_TUPLE, .elements = inner_twin, .n_elements = 2, .shape = { .rank = -1 } },
    { .kind = SYM_KIND_TUPLE, .elements = inner_twin, .n_elements = 1, .shape = { .rank = -1 } },
    sym_type_opaque ("text"),
  };
  g_autoptr (SymTerms) terms = sym_terms_new ();
  g_autoptr (SymInference) general = generalize (one, 3, other, 3, terms);
  SymType tuple = sym_inference_get_type (general, 0);
  g_autofree char *text = NULL;

  g_assert_cmpint (tuple.kind, ==, SYM_KIND_TUPLE);
  g_assert_cmpuint (tuple.n_elements, ==, 2);
  text = sym_inference_format_shape (general, &tuple.elements[0].shape, ",");
  g_assert_cmpstr (text, ==, "batch,3");
  g_assert_cmpint (sym_inference_get_type (general, 1).kind, ==, SYM_KIND_UNKNOWN);
  g_assert_cmpint (sym_inference_get_type (general, 2).kind, ==, SYM_KIND_UNKNOWN);
}

static void
test_unlike_models (void)
{
  const SymType types[] = { no_type, no_type };
  g_autoptr (SymTerms) terms = sym_terms_new ();

  g_assert_null (generalize (types, 1, types, 2, terms));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/infer/general/sizes-that-differ-are-unknown", test_sizes);
  g_test_add_func ("/infer/general/types-that-differ-are-unknown", test_kinds);
  g_test_add_func ("/infer/general/models-that-differ-tell-nothing", test_unlike_models);
  return g_test_run ();
}
