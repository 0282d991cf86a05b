/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"

static const char *
get_kind_name (const SymType *type)
{
  switch (type->kind)
    {
    case SYM_KIND_SEQUENCE:
      return "sequence";
    case SYM_KIND_OPTIONAL:
      return "optional";
    case SYM_KIND_TUPLE:
      return "tuple";
    case SYM_KIND_OPAQUE:
      return type->name ? type->name : "opaque";
    case SYM_KIND_UNKNOWN:
    case SYM_KIND_TENSOR:
      break;
    }
  return NULL;
}

char *
sym_cli_format_shape (const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *text = NULL;

  if (get_kind_name (&type))
    return g_strdup (get_kind_name (&type));
  if (type.shape.rank < 0)
    return g_strdup ("?");
  text = sym_inference_format_shape (inference, &type.shape, ",");
  return g_strdup_printf ("[%s]", text);
}

gboolean
sym_cli_is_decided (const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  if (get_kind_name (&type))
    return TRUE;
  if (type.shape.rank < 0)
    return FALSE;
  for (int i = 0; i < type.shape.rank; i++)
    {
      SymDim dim = type.shape.dims[i];
      g_autofree char *text = NULL;

      if (dim < 0)
        text = sym_terms_format (sym_inference_get_terms (inference), dim);
      if (dim < 0 && text == NULL)
        return FALSE;
    }
  return TRUE;
}

void
sym_cli_json_add_shape (SymCliJson *json, const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  if (get_kind_name (&type) || type.shape.rank < 0)
    {
      sym_cli_json_add_null (json);
      return;
    }
  sym_cli_json_begin_array (json);
  for (int i = 0; i < type.shape.rank; i++)
    {
      SymDim dim = type.shape.dims[i];
      g_autofree char *text = NULL;

      if (dim < 0)
        text = sym_terms_format (sym_inference_get_terms (inference), dim);
      if (dim < 0)
        sym_cli_json_add_string (json, text);
      else
        sym_cli_json_add_int (json, dim);
    }
  sym_cli_json_end_array (json);
}

void
sym_cli_json_add_dtype (SymCliJson *json, const SymInference *inference, SymId value)
{
  SymDType dtype = sym_inference_get_type (inference, value).dtype;

  sym_cli_json_add_string (json, dtype == SYM_DTYPE_UNKNOWN ? NULL : sym_dtype_to_string (dtype));
}

void
sym_cli_json_add_typed (SymCliJson *json, const SymInference *inference, SymId value)
{
  SymModel *model = sym_inference_get_model (inference);

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "name");
  sym_cli_json_add_string (json, sym_model_get_unique_name (model, value));
  sym_cli_json_add_key (json, "shape");
  sym_cli_json_add_shape (json, inference, value);
  sym_cli_json_add_key (json, "dtype");
  sym_cli_json_add_dtype (json, inference, value);
  sym_cli_json_end_object (json);
}

gboolean
sym_cli_wants_json (const SymCliArguments *arguments)
{
  return g_strcmp0 (sym_cli_arguments_get (arguments, "format"), "json") == 0;
}

void
sym_cli_json_add_row (SymCliJson *json, const SymSummary *summary, const SymSummaryRow *row)
{
  const SymInference *inference = sym_summary_get_inference (summary);
  const SymModel *model = sym_inference_get_model (inference);

  sym_cli_json_add_key (json, "index");
  sym_cli_json_add_uint (json, row->index);
  sym_cli_json_add_key (json, "name");
  sym_cli_json_add_string (json, row->name);
  sym_cli_json_add_key (json, "type");
  sym_cli_json_add_string (json, row->type);
  sym_cli_json_add_key (json, "output_shape");
  sym_cli_json_add_shape (json, inference, row->value);
  sym_cli_json_add_key (json, "dtype");
  sym_cli_json_add_dtype (json, inference, row->value);
  sym_cli_json_add_key (json, "params");
  if (row->parameters_known)
    sym_cli_json_add_uint (json, row->n_parameters);
  else
    sym_cli_json_add_null (json);
  sym_cli_json_add_key (json, "parents");
  sym_cli_json_begin_array (json);
  for (guint i = 0; i < row->n_listed; i++)
    sym_cli_json_add_string (json, sym_model_get_unique_name (model, row->parents.ids[i]));
  sym_cli_json_end_array (json);
  if (row->n_listed < row->parents.n)
    {
      sym_cli_json_add_key (json, "n_more_parents");
      sym_cli_json_add_uint (json, row->parents.n - row->n_listed);
    }
  sym_cli_json_add_key (json, "is_output");
  sym_cli_json_add_bool (json, row->is_output);
}
