/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-compare.h"

#include <stdio.h>

/* ---- What is told ---- */

static void
clear_row (gpointer data)
{
  SymCliComparedRow *row = data;

  g_free (row->before);
  g_free (row->note);
}

SymCliCompared *
sym_cli_compared_new (SymModel *model, const double tolerances[2])
{
  SymCliCompared *self = g_new0 (SymCliCompared, 1);

  self->model = sym_model_ref (model);
  self->tolerances[0] = tolerances[0];
  self->tolerances[1] = tolerances[1];
  self->rows = g_array_new (FALSE, FALSE, sizeof (SymCliComparedRow));
  g_array_set_clear_func (self->rows, clear_row);
  self->missing = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
sym_cli_compared_free (SymCliCompared *self)
{
  if (self == NULL)
    return;
  sym_model_unref (self->model);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->missing);
  g_free (self);
}

void
sym_cli_compared_add (SymCliCompared *self,
                      SymId value,
                      const char *before,
                      const SymDistance *distance,
                      gboolean is_beyond,
                      char *note)
{
  SymCliComparedRow row = { value, g_strdup (before), *distance, is_beyond, note };

  if (is_beyond && self->n_beyond++ == 0)
    self->first_beyond = self->rows->len;
  self->n_known += distance->is_known;
  g_array_append_val (self->rows, row);
}

static const SymCliComparedRow *
get_row (const SymCliCompared *self, guint i)
{
  return &g_array_index (self->rows, SymCliComparedRow, i);
}

static const char *
name_value (const SymCliCompared *self, const SymCliComparedRow *row)
{
  return sym_model_get_unique_name (self->model, row->value);
}

/* What made it; of an input or a weight that is what it is. */
static const char *
get_type (const SymCliCompared *self, const SymCliComparedRow *row)
{
  SymId call = sym_model_get_producer (self->model, row->value);

  if (call != SYM_NO_ID)
    return sym_layer_get_type (sym_model_get_layer (self->model, call));
  return sym_role_to_string (sym_model_get_role (self->model, row->value));
}

/* ---- As text ---- */

static void
print_row (const SymCliCompared *self, const SymCliComparedRow *row)
{
  const SymDistance *distance = &row->distance;
  g_autofree char *name = sym_cli_fold_line (name_value (self, row));

  if (!distance->is_known)
    printf ("%c %10s %10s %10s %10s", row->is_beyond ? '!' : '?', "-", "-", "-", "-");
  else
    printf ("%c %10.3g %10.3g %10.3g %10.6f", row->is_beyond ? '!' : ' ', distance->max,
            distance->relative, distance->mean, distance->cosine);
  printf ("  %s (%s)", name, get_type (self, row));
  if (distance->n_odd > 0)
    printf (", %" G_GUINT64_FORMAT " NaN or infinite on one side", distance->n_odd);
  if (row->note != NULL)
    printf (", %s", row->note);
  putchar ('\n');
}

static void
print_text (const SymCliCompared *self)
{
  printf ("  %10s %10s %10s %10s  %s\n", "MAX", "RELATIVE", "MEAN", "COSINE", "VALUE");
  for (guint i = 0; i < self->rows->len; i++)
    print_row (self, get_row (self, i));
  for (guint i = 0; i < self->missing->len; i++)
    {
      g_autofree char *name = sym_cli_fold_line (self->missing->pdata[i]);

      printf ("no value or layer is called %s\n", name);
    }
  printf ("%u of %u values compared, %u beyond the tolerance\n", self->n_known, self->rows->len,
          self->n_beyond);
  if (self->n_beyond > 0)
    {
      const SymCliComparedRow *first = get_row (self, self->first_beyond);
      g_autofree char *name = sym_cli_fold_line (name_value (self, first));

      printf ("first: %s (%s)\n", name, get_type (self, first));
    }
}

/* ---- As JSON ---- */

static void
add_number (SymCliJson *json, const char *key, double number)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_add_double (json, number);
}

static void
add_name (SymCliJson *json, const char *key, const char *name)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_add_string (json, name);
}

static void
add_row (SymCliJson *json, const SymCliCompared *self, const SymCliComparedRow *row)
{
  const SymDistance *distance = &row->distance;

  sym_cli_json_begin_object (json);
  add_name (json, "before", row->before);
  add_name (json, "after", name_value (self, row));
  add_name (json, "type", get_type (self, row));
  sym_cli_json_add_key (json, "compared");
  sym_cli_json_add_bool (json, distance->is_known);
  if (distance->is_known)
    {
      add_number (json, "max", distance->max);
      add_number (json, "relative", distance->relative);
      add_number (json, "mean", distance->mean);
      add_number (json, "cosine", distance->cosine);
      sym_cli_json_add_key (json, "odd");
      sym_cli_json_add_uint (json, distance->n_odd);
    }
  if (distance->is_known || row->is_beyond)
    {
      sym_cli_json_add_key (json, "beyond");
      sym_cli_json_add_bool (json, row->is_beyond);
    }
  if (row->note != NULL)
    add_name (json, "note", row->note);
  sym_cli_json_end_object (json);
}

static gboolean
print_json (const SymCliCompared *self, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "compared");
  sym_cli_json_add_uint (json, self->n_known);
  sym_cli_json_add_key (json, "beyond");
  sym_cli_json_add_uint (json, self->n_beyond);
  add_name (json, "first",
            self->n_beyond > 0 ? name_value (self, get_row (self, self->first_beyond)) : NULL);
  sym_cli_json_add_key (json, "missing");
  sym_cli_json_begin_array (json);
  for (guint i = 0; i < self->missing->len; i++)
    sym_cli_json_add_string (json, self->missing->pdata[i]);
  sym_cli_json_end_array (json);
  sym_cli_json_add_key (json, "values");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < self->rows->len; i++)
    add_row (json, self, get_row (self, i));
  sym_cli_json_end_array (json);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

gboolean
sym_cli_compared_print (const SymCliCompared *self, SymCliArguments *arguments, GError **error)
{
  if (self->n_known + self->n_beyond == 0)
    {
      g_set_error_literal (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
                           "no value was computed on both sides that could be compared");
      return FALSE;
    }
  if (sym_cli_wants_json (arguments))
    return print_json (self, error);
  print_text (self);
  return TRUE;
}
