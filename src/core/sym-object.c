/* SPDX-License-Identifier: MIT */
#include "core/sym-object.h"

#include <string.h>

#include "core/sym-datum-private.h"
#include "core/sym-element.h"
#include "core/sym-error.h"
#include "core/sym-python.h"

/* Trees of arguments may be nested so deep. */
#define MAX_DEPTH 64

/* ---- Objects ---- */

SymDatum *
sym_datum_new_object (const SymObjectClass *klass, gpointer take_object)
{
  g_return_val_if_fail (klass != NULL && klass->name != NULL, NULL);

  return sym_datum_new_opaque (klass->name, klass, take_object, klass->free);
}

gpointer
sym_datum_get_object (const SymDatum *self, const SymObjectClass *klass)
{
  g_return_val_if_fail (self != NULL && klass != NULL, NULL);

  return sym_datum_get_class (self) == klass ? sym_datum_get_opaque (self) : NULL;
}

/* ---- Methods ---- */

typedef struct {
  SymDatum *owner;
  char *method;
} Method;

static void
free_method (gpointer data)
{
  Method *self = data;

  sym_datum_unref (self->owner);
  g_free (self->method);
  g_free (self);
}

static const SymObjectClass operator_class = { .name = "method-wrapper", .free = free_method };
static const SymObjectClass method_class = { .name = "builtin_function_or_method",
                                             .free = free_method };

SymDatum *
sym_datum_new_method (SymDatum *owner, const char *method)
{
  Method *self;

  g_return_val_if_fail (owner != NULL && method != NULL, NULL);

  self = g_new0 (Method, 1);
  self->owner = sym_datum_ref (owner);
  self->method = g_strdup (method);
  return sym_datum_new_object (g_str_has_prefix (method, "__") ? &operator_class : &method_class,
                               self);
}

SymDatum *
sym_datum_get_method (const SymDatum *self, const char **method)
{
  const Method *bound = sym_datum_get_object (self, &operator_class);

  if (bound == NULL)
    bound = sym_datum_get_object (self, &method_class);
  if (bound == NULL)
    return NULL;
  *method = bound->method;
  return bound->owner;
}

/* The types of the symbolic operands that are no methods, as P6 has it. */
static void
refuse_method (const SymHostCall *call, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const char *method;

  for (guint i = 0; i < call->n_operands; i++)
    if (sym_datum_get_method (call->operands[i], &method) == NULL)
      g_string_append_printf (names, "%s'%s'", names->len > 0 ? ", " : "",
                              sym_datum_get_type_name (call->operands[i]));
  g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
               "Operation on [%s] returned NonImplemented object!", names->str);
}

SymDatum *
sym_datum_call_method (SymDatum *self, const char *method, const SymHostCall *call, GError **error)
{
  const SymObjectClass *klass;
  g_autoptr (GError) local = NULL;
  SymDatum *result = NULL;

  g_return_val_if_fail (self != NULL && method != NULL && call != NULL, NULL);

  klass = sym_datum_get_class (self);
  if (klass != NULL && klass->call != NULL)
    result = klass->call (sym_datum_get_opaque (self), method, call, &local);
  if (result != NULL)
    return result;
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (klass == NULL || klass->call == NULL)
    g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                 "nothing is known of methods of '%s' values, such as %s",
                 sym_datum_get_type_name (self), method);
  else
    refuse_method (call, error);
  return NULL;
}

/* ---- Parts ---- */

static gboolean
count (const SymDatum *self, gint64 *length)
{
  const SymArray *array = sym_datum_get_array (self);
  const SymObjectClass *klass = sym_datum_get_class (self);

  if (array != NULL && array->shape.rank > 0)
    *length = array->shape.dims[0];
  else if (sym_datum_get_kind (self) == SYM_KIND_SEQUENCE ||
           sym_datum_get_kind (self) == SYM_KIND_TUPLE)
    *length = sym_datum_get_n_items (self);
  else if (klass != NULL && klass->get_length != NULL)
    *length = klass->get_length (sym_datum_get_opaque (self));
  else
    return FALSE;
  return TRUE;
}

gboolean
sym_datum_get_length (const SymDatum *self, gint64 *length, GError **error)
{
  g_return_val_if_fail (self != NULL && length != NULL, FALSE);

  if (count (self, length))
    return TRUE;
  if (sym_datum_get_kind (self) == SYM_KIND_TENSOR)
    g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "len() of a 0-d tensor");
  else
    g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "object of type '%s' has no len()",
                 sym_datum_get_type_name (self));
  return FALSE;
}

static void
copy_elements (const SymArray *from, gsize first, SymArray *to)
{
  gsize n = sym_array_get_n_elements (to);
  guint bits = sym_dtype_get_bits (from->dtype);

  if (from->dtype == SYM_DTYPE_STRING)
    for (gsize i = 0; i < n; i++)
      sym_array_set_string (to, i, ((GBytes *const *) from->data)[first + i]);
  else if (bits % 8 == 0)
    memcpy (to->data, (const char *) from->data + first * (bits / 8), n * (bits / 8));
  else
    for (gsize i = 0; i < n; i++)
      sym_element_set_double (to->dtype, to->data, i,
                              sym_element_get_double (from->dtype, from->data, first + i));
}

static SymDatum *
take_slice (const SymArray *array, gint64 i, GError **error)
{
  SymShape shape = { .rank = array->shape.rank - 1 };
  SymDatum *slice;
  SymArray *to;

  for (int k = 0; k < shape.rank; k++)
    shape.dims[k] = array->shape.dims[k + 1];
  slice = sym_datum_new (array->dtype, &shape, error);
  if (slice == NULL)
    return NULL;
  to = (SymArray *) sym_datum_get_array (slice);
  copy_elements (array, (gsize) i * sym_array_get_n_elements (to), to);
  return slice;
}

SymDatum *
sym_datum_take_apart (const SymDatum *self, gint64 i, GError **error)
{
  const SymArray *array;
  const SymObjectClass *klass;
  gint64 length;

  g_return_val_if_fail (self != NULL, NULL);

  if (!sym_datum_get_length (self, &length, error))
    return NULL;
  if (i < 0 || i >= length)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "'%s' has %" G_GINT64_FORMAT " elements, and none at %" G_GINT64_FORMAT,
                   sym_datum_get_type_name (self), length, i);
      return NULL;
    }
  array = sym_datum_get_array (self);
  klass = sym_datum_get_class (self);
  if (array != NULL)
    return take_slice (array, i, error);
  if (klass == NULL)
    return sym_datum_ref (sym_datum_get_item (self, (guint) i));
  if (klass->get_item != NULL)
    return klass->get_item (sym_datum_get_opaque (self), i, error);
  g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED, "'%s' object is not iterable", klass->name);
  return NULL;
}

static SymType
describe (const SymDatum *self)
{
  const SymArray *array = sym_datum_get_array (self);
  SymType type = SYM_TYPE_UNKNOWN;

  if (array != NULL)
    return sym_type_tensor (array->dtype, array->shape);
  if (sym_datum_get_kind (self) == SYM_KIND_OPAQUE)
    return sym_type_opaque (sym_datum_get_type_name (self));
  type.kind = sym_datum_get_kind (self);
  type.dtype = sym_datum_get_dtype (self);
  return type;
}

SymType
sym_datum_get_type (const SymDatum *self, GPtrArray *arena)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GPtrArray) data = g_ptr_array_new ();
  SymType type = describe (self);

  g_ptr_array_add (open, &type);
  g_ptr_array_add (data, (gpointer) self);
  while (open->len > 0)
    {
      SymType *tuple = g_ptr_array_steal_index_fast (open, open->len - 1);
      const SymDatum *datum = g_ptr_array_steal_index_fast (data, data->len - 1);
      SymType *elements;

      if (tuple->kind != SYM_KIND_TUPLE || sym_datum_get_n_items (datum) == 0)
        continue;
      tuple->n_elements = sym_datum_get_n_items (datum);
      elements = g_new0 (SymType, tuple->n_elements);
      g_ptr_array_add (arena, elements);
      tuple->elements = elements;
      for (guint i = 0; i < tuple->n_elements; i++)
        {
          elements[i] = describe (sym_datum_get_item (datum, i));
          g_ptr_array_add (open, &elements[i]);
          g_ptr_array_add (data, sym_datum_get_item (datum, i));
        }
    }
  return type;
}

/* ---- Checking ---- */

static char *
format_type (SymDType dtype, const SymShape *shape)
{
  GString *text = g_string_new (sym_dtype_to_string (dtype));

  g_string_append_c (text, '[');
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0)
      g_string_append (text, i > 0 ? ",?" : "?");
    else
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", shape->dims[i]);
  g_string_append (text, shape->rank < 0 ? "rank ?]" : "]");
  return g_string_free (text, FALSE);
}

static gboolean
fits (const SymType *declared, const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);

  if (declared->kind == SYM_KIND_OPAQUE && declared->name != NULL)
    return g_strcmp0 (declared->name, sym_datum_get_type_name (datum)) == 0;
  if (declared->kind != SYM_KIND_TENSOR)
    return declared->kind == SYM_KIND_UNKNOWN || declared->kind == sym_datum_get_kind (datum);
  if (array == NULL)
    return FALSE;
  if (declared->dtype != SYM_DTYPE_UNKNOWN && declared->dtype != array->dtype)
    return FALSE;
  if (declared->shape.rank < 0)
    return TRUE;
  if (declared->shape.rank != array->shape.rank)
    return FALSE;
  for (int i = 0; i < array->shape.rank; i++)
    if (declared->shape.dims[i] >= 0 && declared->shape.dims[i] != array->shape.dims[i])
      return FALSE;
  return TRUE;
}

gboolean
sym_datum_check_type (const SymDatum *self,
                      const SymType *declared,
                      const char *name,
                      GError **error)
{
  const SymArray *array;
  g_autofree char *need = NULL, *given = NULL;

  g_return_val_if_fail (self != NULL && declared != NULL, FALSE);

  if (fits (declared, self))
    return TRUE;
  array = sym_datum_get_array (self);
  need = declared->kind == SYM_KIND_TENSOR
             ? format_type (declared->dtype, &declared->shape)
             : g_strdup_printf ("a value of type %s", sym_type_get_python_name (declared));
  given = array == NULL
              ? g_strdup_printf ("no tensor but of type %s", sym_datum_get_type_name (self))
              : format_type (array->dtype, &array->shape);
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "“%s” should be %s, and is %s",
               name == NULL ? "?" : name, need, given);
  return FALSE;
}

/* ---- Calls ---- */

guint
sym_host_call_get_n_positional (const SymHostCall *self)
{
  g_return_val_if_fail (self != NULL, 0);

  if (self->arguments == NULL)
    return self->n_operands;
  return sym_value_get_n_children (self->arguments) == 0
             ? 0
             : sym_value_get_n_children (sym_value_get_child (self->arguments, 0));
}

const SymValue *
sym_host_call_find (const SymHostCall *self, int place, const char *name)
{
  const SymValue *positional, *named;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->arguments == NULL || sym_value_get_n_children (self->arguments) != 2)
    return NULL;
  positional = sym_value_get_child (self->arguments, 0);
  named = sym_value_get_child (self->arguments, 1);
  for (guint i = 0; name != NULL && i < sym_value_get_n_children (named); i++)
    if (g_strcmp0 (sym_value_get_key (named, i), name) == 0)
      return sym_value_get_child (named, i);
  return place >= 0 && (guint) place < sym_value_get_n_children (positional)
             ? sym_value_get_child (positional, (guint) place)
             : NULL;
}

SymDatum *
sym_host_call_get (const SymHostCall *self, int place, const char *name, GError **error)
{
  const SymValue *value = sym_host_call_find (self, place, name);

  if (value != NULL)
    return sym_host_call_resolve (self, value, error);
  if (self->arguments == NULL && place >= 0 && (guint) place < self->n_operands)
    return sym_datum_ref (self->operands[place]);
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "missing required argument '%s' (pos %d)",
               name == NULL ? "?" : name, place + 1);
  return NULL;
}

static gboolean
holds_operands (const SymValue *value)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, (gpointer) value);
  while (open->len > 0)
    {
      const SymValue *part = g_ptr_array_steal_index_fast (open, open->len - 1);

      if (sym_value_get_kind (part) == SYM_VALUE_OPERAND)
        return TRUE;
      for (guint i = 0; i < sym_value_get_n_children (part); i++)
        g_ptr_array_add (open, (gpointer) sym_value_get_child (part, i));
    }
  return FALSE;
}

static SymDatum *
resolve_operand (const SymHostCall *self, const SymValue *value, GError **error)
{
  gint64 i = 0;

  sym_value_get_int (value, &i);
  if (i >= 0 && i < self->n_operands && self->operands[i] != NULL)
    return sym_datum_ref (self->operands[i]);
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "Expected %" G_GINT64_FORMAT " inputs, not %u!", i + 1, self->n_operands);
  return NULL;
}

static SymDatum *
resolve (const SymHostCall *self, const SymValue *value, guint depth, GError **error);

static SymDatum *
resolve_all (const SymHostCall *self, const SymValue *value, guint depth, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);

  if (depth > MAX_DEPTH || sym_value_get_kind (value) == SYM_VALUE_DICT)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   depth > MAX_DEPTH ? "the arguments are nested too deep"
                                     : "a dict of nodes is to be looked at value by value");
      return NULL;
    }
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      SymDatum *item = resolve (self, sym_value_get_child (value, i), depth + 1, error);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  return sym_datum_new_tuple ((SymDatum *const *) items->pdata, items->len);
}

static SymDatum *
resolve (const SymHostCall *self, const SymValue *value, guint depth, GError **error)
{
  if (sym_value_get_kind (value) == SYM_VALUE_OPERAND)
    return resolve_operand (self, value, error);
  return holds_operands (value) ? resolve_all (self, value, depth, error)
                                : sym_datum_new_value (value, error);
}

SymDatum *
sym_host_call_resolve (const SymHostCall *self, const SymValue *value, GError **error)
{
  g_return_val_if_fail (self != NULL && value != NULL, NULL);

  return resolve (self, value, 0, error);
}
