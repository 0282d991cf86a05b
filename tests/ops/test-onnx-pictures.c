/* SPDX-License-Identifier: MIT */
#include "../stand-in.h"
#include "kernel-case.h"
#include "make-picture.h"
#include "ops/sym-op-picture-private.h"

/* Kernels that read and write pictures, and the process that does it for them. */

/* ---- Running ---- */

/* What ImageDecoder and its kin make of @picture; NULL with an error. */
static SymDatum *
run_op (const char *op,
        const char *domain,
        const char *attributes,
        SymDatum *operand,
        const SymKernelHost *host,
        GError **error)
{
  KernelCase call = { .op = op, .domain = domain, .attributes = attributes };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&call);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, host);
  SymDatum *output = NULL;

  if (!sym_kernel_run (kernel, &operand, 1, &output, 1, NULL, error))
    g_clear_pointer (&output, sym_datum_unref);
  return output;
}

static SymDatum *
make_operand (const GByteArray *bytes)
{
  SymDatum *datum = sym_datum_new (SYM_DTYPE_UINT8, &SYM_SHAPE (bytes->len), NULL);

  g_assert_nonnull (datum);
  if (bytes->len > 0)
    memcpy (sym_datum_get_array (datum)->data, bytes->data, bytes->len);
  return datum;
}

static SymDatum *
decode (const GByteArray *bytes, const char *attributes, GError **error)
{
  const SymKernelHost host = { .seed = 0 };
  g_autoptr (SymDatum) operand = make_operand (bytes);

  return run_op ("ImageDecoder", "", attributes, operand, &host, error);
}

static void
assert_told (const GError *error, const char *part)
{
  g_assert_nonnull (error);
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” does not tell “%s”", error->message, part);
}

static void
refuses (const GByteArray *bytes, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (decode (bytes, "", &error));
  assert_told (error, part);
}

/* @expected is as in kernel-case.h; NULL: anything. */
static void
gives (const char *what, const GByteArray *bytes, const char *attributes, const char *expected)
{
  KernelCase call = { .op = what, .attributes = attributes, .operands = "" };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) found = decode (bytes, attributes, &error);
  g_autoptr (SymDatum) wanted = expected == NULL ? NULL : kernel_case_read (expected);

  if (error != NULL)
    g_error ("%s: %s", what, error->message);
  if (wanted != NULL)
    kernel_case_compare (&call, sym_datum_get_array (found), sym_datum_get_array (wanted));
}

/* ---- Formats ---- */

#define RED_GREEN_BLUE_WHITE "uint8 2,2,3: 255 0 0  0 255 0  0 0 255  255 255 255"

/* Rows from the bottom up, blue first, each of a whole number of 4 bytes. */
static const char bmp[] = "424d 46000000 0000 0000 36000000  28000000 02000000 02000000 0100 1800"
                          "00000000 10000000 130b0000 130b0000 00000000 00000000"
                          "ff0000 ffffff 0000  0000ff 00ff00 0000";

static void
test_formats (void)
{
  const char *const pnms[][2] = {
    { "P3 2 2 255 255 0 0 0 255 0 0 0 255 255 255 255\n", RED_GREEN_BLUE_WHITE },
    { "P3\n# a comment\n2 2 1\n1 0 0 0 1 0 0 0 1 1 1 1\n", RED_GREEN_BLUE_WHITE },
    { "P2 2 1 100 100 50\n", "uint8 1,2,3: 255 255 255 127 127 127" },
    { "P1 2 1 0 1\n", "uint8 1,2,3: 255 255 255 0 0 0" },
    { "P6 1 1 255\nabc", "uint8 1,1,3: 97 98 99" },
    { "P6 1 1 65535\naXbXcX", "uint8 1,1,3: 97 98 99" },
    { "P5 2 1 255\nab", "uint8 1,2,3: 97 97 97 98 98 98" },
    { "P4 2 1\n@", "uint8 1,2,3: 255 255 255 0 0 0" },
  };
  g_autoptr (GByteArray) bmp_bytes = make_hex (bmp);

  gives ("BMP", bmp_bytes, "", RED_GREEN_BLUE_WHITE);
  for (guint i = 0; i < G_N_ELEMENTS (pnms); i++)
    {
      g_autoptr (GByteArray) bytes = make_text (pnms[i][0]);

      gives (pnms[i][0], bytes, "", pnms[i][1]);
    }
}

static void
test_png (void)
{
  const struct {
    int color_type, depth;
    const char *row; /* of two pixels */
    const char *expected;
  } cases[] = {
    { PNG_COLOR_TYPE_RGB, 8, "010203 fdfeff", "uint8 1,2,3: 1 2 3 253 254 255" },
    { PNG_COLOR_TYPE_RGB_ALPHA, 8, "01020300 fdfeff80", "uint8 1,2,3: 1 2 3 253 254 255" },
    { PNG_COLOR_TYPE_GRAY, 8, "07 09", "uint8 1,2,3: 7 7 7 9 9 9" },
    { PNG_COLOR_TYPE_GRAY_ALPHA, 8, "0700 09ff", "uint8 1,2,3: 7 7 7 9 9 9" },
    { PNG_COLOR_TYPE_PALETTE, 8, "01 00", "uint8 1,2,3: 40 50 60 10 20 30" },
    { PNG_COLOR_TYPE_PALETTE, 1, "80", "uint8 1,2,3: 40 50 60 10 20 30" },
    { PNG_COLOR_TYPE_GRAY, 1, "40", "uint8 1,2,3: 0 0 0 255 255 255" },
    { PNG_COLOR_TYPE_GRAY, 16, "12ff 3400", "uint8 1,2,3: 18 18 18 52 52 52" },
    { PNG_COLOR_TYPE_RGB, 16, "01ff 02ff 03ff fd00 fe00 ff00", "uint8 1,2,3: 1 2 3 253 254 255" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) row = make_hex (cases[i].row);
      g_autoptr (GByteArray) png = make_png (cases[i].color_type, cases[i].depth, 2, row);

      gives (cases[i].row, png, "", cases[i].expected);
    }
}

/* Baseline TIFF; orientation 6 is that of a camera held upright: the first row is the right edge.
 */
static void
test_tiff (void)
{
  g_autoptr (GByteArray) plain = make_tiff (2, 1, 3, 0, "010203 040506");
  g_autoptr (GByteArray) mirrored = make_tiff (2, 1, 3, 2, "010203 040506");
  g_autoptr (GByteArray) turned = make_tiff (2, 2, 3, 6, "010101 020202 030303 040404");
  g_autoptr (GByteArray) opaque = make_tiff (2, 1, 4, 0, "010203ff 040506ff");
  g_autoptr (GByteArray) clear = make_tiff (2, 1, 4, 0, "010203ff 04050680");

  gives ("TIFF", plain, "", "uint8 1,2,3: 1 2 3 4 5 6");
  gives ("TIFF mirrored", mirrored, "", "uint8 1,2,3: 4 5 6 1 2 3");
  gives ("TIFF turned", turned, "pixel_format='Grayscale'", "uint8 2,2,1: 3 1 4 2");
  gives ("TIFF opaque", opaque, "", "uint8 1,2,3: 1 2 3 4 5 6");
  refuses (clear, "pixels that are not opaque");
}

/* As GDK-Pixbuf reads it here, and in all orders of the channels. */
static void
test_jpeg (void)
{
  g_autoptr (GByteArray) bytes = make_saved ("jpeg", 9, 7, NULL);
  g_autoptr (GdkPixbuf) pixbuf = read_pixbuf (bytes);
  const char *const formats[] = { "RGB", "BGR", "Grayscale" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *attributes = g_strdup_printf ("pixel_format='%s'", formats[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymDatum) found = decode (bytes, attributes, &error);
      const SymArray *y;
      const guint8 *data;

      g_assert_no_error (error);
      y = sym_datum_get_array (found);
      data = y->data;
      g_assert_cmpint (y->shape.dims[0], ==, 7);
      g_assert_cmpint (y->shape.dims[1], ==, 9);
      g_assert_cmpint (y->shape.dims[2], ==, i == 2 ? 1 : 3);
      for (int j = 0; j < 63; j++)
        {
          const guint8 *x = gdk_pixbuf_read_pixels (pixbuf) +
                            j / 9 * gdk_pixbuf_get_rowstride (pixbuf) + j % 9 * 3;

          if (i == 2)
            g_assert_cmpint (data[j], ==,
                             (x[0] * 19595 + x[1] * 38470 + x[2] * 7471 + 32768) / 65536);
          else
            for (int k = 0; k < 3; k++)
              g_assert_cmpint (data[j * 3 + k], ==, x[i == 0 ? k : 2 - k]);
        }
    }
}

static void
test_refined (void)
{
  g_autoptr (GByteArray) jpeg = make_hex (progressive), png = make_interlaced_png ();
  g_autoptr (SymDatum) scans = decode (jpeg, "pixel_format='Grayscale'", NULL);
  g_autoptr (SymDatum) parts = decode (png, "pixel_format='Grayscale'", NULL);
  const guint8 *data;

  g_assert_true (scans != NULL && parts != NULL);
  data = sym_datum_get_array (scans)->data;
  g_assert_cmpint (data[0], ==, 38);
  g_assert_cmpint (data[127], ==, 180);
  data = sym_datum_get_array (parts)->data;
  for (int i = 0; i < 64; i++)
    g_assert_cmpint (data[i], ==, i * i % 256);
}

/* ITU-R BT.601's weights of pure colours. */
static void
test_channels (void)
{
  g_autoptr (GByteArray) bytes = make_hex (bmp);

  gives ("BGR", bytes, "pixel_format='BGR'", "uint8 2,2,3: 0 0 255  0 255 0  255 0 0  255 255 255");
  gives ("Grayscale", bytes, "pixel_format='Grayscale'", "uint8 2,2,1: 76 150 29 255");
}

/* Exif's orientation is told beside the pixels, which stay as they are. */
static void
test_exif (void)
{
  g_autoptr (GByteArray) plain = make_saved ("jpeg", 8, 16, NULL);
  g_autoptr (GByteArray) exif =
      make_hex ("ffd8 ffe1 0022 457869660000 4d4d002a 00000008 0001 0112 0003 00000001 0006 0000"
                "00000000");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) before = decode (plain, "", &error);
  g_autoptr (SymDatum) after = NULL;

  g_assert_no_error (error);
  g_byte_array_append (exif, plain->data + 2, plain->len - 2);
  after = decode (exif, "", &error);
  g_assert_no_error (error);
  g_assert_cmpint (sym_datum_get_array (after)->shape.dims[0], ==, 16);
  g_assert_cmpmem (sym_datum_get_array (before)->data, 16 * 8 * 3,
                   sym_datum_get_array (after)->data, 16 * 8 * 3);
}

/* ---- What is refused ---- */

static void
test_other_formats (void)
{
  const char *const cases[][2] = {
    { "GIF89a................", "the bytes are GIF; what is read is BMP, JPEG" },
    { "<svg xmlns='http://www.w3.org/2000/svg'/>", "the bytes are SVG" },
    { "<?xml version='1.0'?><svg/>", "as SVG is" },
    { "P7\nWIDTH 1\n", "the bytes are PAM" },
    { "qoif", "the bytes are QOI" },
    { "RIFF....AVI ", "RIFF, and no WebP" },
    { "RIFF....WEBPVP8X....\x02.........", "an animated WebP" },
    { "hello", "the 5 bytes, which begin with 68 65 6c 6c 6f, are of no picture" },
    { "", "the 0 bytes are of no picture that is known" },
    { "P6X", "are of no picture that is known" },
    { "\xff\x4f\xff\x51....", "GDK-Pixbuf has no reader of JPEG 2000 here" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) bytes = make_text (cases[i][0]);

      refuses (bytes, cases[i][1]);
    }
}

/* Those that say at once that they are huge: none takes memory for its pixels. */
static void
test_bombs (void)
{
  g_autoptr (GByteArray) large_bmp = make_hex (bmp), large_png = make_empty_png (20000, 20000);
  g_autoptr (GByteArray) large_pnm = make_text ("P6 100000 100000 255\n.....");
  g_autoptr (GByteArray) large_tiff = make_tiff (20000, 20000, 3, 0, "000000");
  g_autoptr (GByteArray) large_jpeg = make_saved ("jpeg", 8, 8, NULL);

  memcpy (large_bmp->data + 18, "\0\0\1\0\0\0\1\0", 8);
  refuses (large_bmp, "the BMP has 65536 × 65536 pixels, and at most 268435456 are read");
  refuses (large_png, "the PNG has 20000 × 20000 pixels");
  refuses (large_pnm, "the PNM has 100000 × 100000 pixels");
  refuses (large_tiff, "the TIFF has 20000 × 20000 pixels");
  memcpy (find_jpeg_size (large_jpeg), "\xff\xdc\xff\xdc", 4);
  refuses (large_jpeg, "the JPEG has 65500 × 65500 pixels");
}

static void
test_cut_heads (void)
{
  g_autoptr (GPtrArray) seeds = make_seeds ();

  for (guint i = 0; i < seeds->len; i++)
    {
      const GByteArray *whole = g_ptr_array_index (seeds, i);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      g_byte_array_append (bytes, whole->data, 10);
      refuses (bytes, whole->data[0] == 'I' ? "the TIFF cannot be read: Failed to load TIFF image"
                      : whole->data[0] == 'P'
                          ? "the PNM ends too early"
                          : "its 10 bytes do not tell how many pixels there are");
    }
}

/* The end of a small picture within Exif is not that of the picture. */
static void
test_other_end (void)
{
  g_autoptr (GByteArray) bytes = make_hex ("ffd8 ffe1 0004 ffd9");
  g_autoptr (GByteArray) whole = make_hex (progressive);

  g_byte_array_append (bytes, whole->data + 2, whole->len - 2);
  gives ("Exif", bytes, "pixel_format='Grayscale'", NULL);
  g_byte_array_set_size (bytes, bytes->len - 20);
  refuses (bytes, "the JPEG ends too early");
}

/* Where pixels are missing, nothing is made up.  Checksums and marks after them may be. */
static void
test_truncated (void)
{
  g_autoptr (GPtrArray) seeds = make_seeds ();

  for (guint i = 0; i < seeds->len; i++)
    {
      g_autoptr (GByteArray) whole = g_byte_array_ref (g_ptr_array_index (seeds, i));
      g_autoptr (GError) error = NULL;
      g_autoptr (SymDatum) found = decode (whole, "", &error);

      g_assert_no_error (error);
      g_assert_nonnull (found);
      for (guint part = 1; part <= 12; part++)
        {
          g_autoptr (GByteArray) bytes = g_byte_array_new ();
          g_autoptr (GError) cut = NULL;

          g_byte_array_append (bytes, whole->data, whole->len * part / 15);
          if (decode (bytes, "", &cut) != NULL)
            g_error ("seed %u: %u of %u bytes are read", i, bytes->len, whole->len);
          g_assert_nonnull (cut);
        }
    }
}

/* Whatever a few wrong bytes do to the process, the call ends, and says what was wrong. */
static void
test_mutations (void)
{
  guint n = g_test_slow () ? 2000 : 40;
  g_autoptr (GPtrArray) seeds = make_seeds ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (36);
  guint n_read = 0;

  for (guint i = 0; i < n; i++)
    {
      const GByteArray *seed = g_ptr_array_index (seeds, i % seeds->len);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (SymDatum) found = NULL;

      g_byte_array_append (bytes, seed->data, seed->len);
      for (gint32 left = g_rand_int_range (rand, 1, 6); left > 0; left--)
        bytes->data[g_rand_int_range (rand, 0, (gint32) bytes->len)] =
            (guint8) g_rand_int_range (rand, 0, 256);
      found = decode (bytes, "", &error);
      g_assert_true ((found == NULL) == (error != NULL));
      n_read += found != NULL;
    }
  g_test_message ("%u of %u were read", n_read, n);
}

/* ---- The process ---- */

static char *
make_program (const char *script)
{
  char *program = stand_in_new (script);

  g_setenv ("SYMSCOPE_PICTURES", program, TRUE);
  return program;
}

static void
remove_program (char *program)
{
  g_unsetenv ("SYMSCOPE_PICTURES");
  stand_in_free (program);
}

/* Frames of kind 33, pixels, and 3, a failure. */
static void
test_broken_programs (void)
{
#define ZEROS "\\0\\0\\0\\0"
#define PIXELS "#!/bin/sh\nprintf 'smw1\\041\\0\\0\\0"
  const char *const cases[][2] = {
    { "#!/bin/sh\nexit 0\n", "has died" },
    { "#!/bin/sh\nhead -c 20 >/dev/null; kill -9 $$\n", "has died" },
    { "#!/bin/sh\nprintf 'nonsense nonsense'; exec sleep 100\n", "does not speak its protocol" },
    { "#!/bin/sh\nprintf 'smw1\\003\\0\\0\\0\\2\\0\\0\\0" ZEROS "no'; exec sleep 100\n", "no" },
    { "#!/bin/sh\nprintf 'smw1\\003\\0\\0\\0\\0\\0\\1\\0" ZEROS "'; exec sleep 100\n",
      "does not speak its protocol" },
    { PIXELS "\\4\\0\\0\\0" ZEROS "....'; exec sleep 100\n", "does not speak its protocol" },
    /* One pixel of a million by a million, and one that has four channels. */
    { PIXELS "\\023\\0\\0\\0" ZEROS "\\0\\0\\020\\0\\0\\0\\020\\0\\3\\0\\0\\0" ZEROS
             "...'; exec sleep 100\n",
      "does not speak its protocol" },
    { PIXELS "\\024\\0\\0\\0" ZEROS "\\1\\0\\0\\0\\1\\0\\0\\0\\4\\0\\0\\0" ZEROS
             "....'; exec sleep 100\n",
      "does not speak its protocol" },
  };
#undef PIXELS
#undef ZEROS
  g_autoptr (GByteArray) bytes = make_hex (bmp);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *program = make_program (cases[i][0]);

      refuses (bytes, cases[i][1]);
      remove_program (program);
    }
}

static void
test_missing_program (void)
{
  g_autoptr (GByteArray) bytes = make_hex (bmp);

  g_setenv ("SYMSCOPE_PICTURES", "/nowhere/at-all", TRUE);
  refuses (bytes, "/nowhere/at-all");
  g_unsetenv ("SYMSCOPE_PICTURES");
  gives ("BMP", bytes, "", RED_GREEN_BLUE_WHITE);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (50000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancelled (void)
{
  char *program = make_program ("#!/bin/sh\nexec sleep 100\n");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const SymKernelHost host = { .cancellable = cancellable };
  g_autoptr (GByteArray) bytes = make_hex (bmp);
  g_autoptr (SymDatum) operand = make_operand (bytes);
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);

  g_assert_null (run_op ("ImageDecoder", "", "", operand, &host, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  remove_program (program);
}

/* Kernels without a host are tried while a file is opened. */
static void
test_no_host (void)
{
  g_autoptr (GByteArray) bytes = make_hex (bmp);
  g_autoptr (SymDatum) operand = make_operand (bytes);
  g_autoptr (GError) error = NULL;

  g_assert_null (run_op ("ImageDecoder", "", "", operand, NULL, &error));
  assert_told (error, "only read and written while a model runs");
}

/* ---- ONNX Runtime's extensions ---- */

static SymDatum *
run_extension (const char *op, const char *attributes, SymDatum *operand, GError **error)
{
  const SymKernelHost host = { .seed = 0 };

  return run_op (op, "ai.onnx.contrib", attributes, operand, &host, error);
}

static void
test_extensions (void)
{
  const char *const formats[] = { "format='png'", "format='jpg'" };
  g_autoptr (SymDatum) pixels =
      kernel_case_read ("uint8 2,2,3: 200 100 50 200 100 50 200 100 50 200 100 50");

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymDatum) file = run_extension ("EncodeImage", formats[i], pixels, &error);
      g_autoptr (SymDatum) back = NULL;
      const guint8 *before = sym_datum_get_array (pixels)->data, *after;

      g_assert_no_error (error);
      g_assert_cmpmem (sym_datum_get_array (file)->data, 3, i == 0 ? "\x89PN" : "\xff\xd8\xff", 3);
      back = run_extension ("DecodeImage", "", file, &error);
      g_assert_no_error (error);
      after = sym_datum_get_array (back)->data;
      g_assert_cmpint (sym_datum_get_array (back)->shape.dims[2], ==, 3);
      for (int j = 0; j < 12; j++)
        g_assert_cmpint (ABS (before[j] - after[j]), <=, i == 0 ? 0 : 2);
    }
}

static void
test_wrong_pixels (void)
{
  const struct {
    const char *operand, *attributes, *error;
  } cases[] = {
    { "uint8 1,1,4: 1 2 3 4", "format='png'", "must be [height,width,3], not [1,1,4]" },
    { "uint8 3: 1 2 3", "format='png'", "must be [height,width,3], not [3]" },
    { "uint8 0,4,3:", "format='jpg'", "no pixels in [0,4,3]" },
    { "float32 1,1,3: 1 2 3", "format='jpg'", "EncodeImage has no kernel for float32" },
    { "uint8 1,1,3: 1 2 3", "", "format must be jpg or png, not nothing" },
    { "uint8 1,1,3: 1 2 3", "format='webp'", "format must be jpg or png, not webp" },
  };
  g_autoptr (SymDatum) wide = sym_datum_new (SYM_DTYPE_UINT8, &SYM_SHAPE (1, 70000, 3), NULL);
  g_autoptr (GError) too_wide = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymDatum) operand = kernel_case_read (cases[i].operand);
      g_autoptr (GError) error = NULL;

      g_assert_null (run_extension ("EncodeImage", cases[i].attributes, operand, &error));
      assert_told (error, cases[i].error);
    }
  memset (sym_datum_get_array (wide)->data, 0, 210000);
  g_assert_null (run_extension ("EncodeImage", "format='jpg'", wide, &too_wide));
  assert_told (too_wide, "a JPEG of 70000 × 1 pixels cannot be written");
}

static void
test_wrong_bytes (void)
{
  const struct {
    const char *operand, *attributes, *error;
  } cases[] = {
    { "uint8 1,3: 66 77 0", "", "the bytes must have 1 axis, not 2" },
    { "int8 3: 66 77 0", "", "ImageDecoder has no kernel for int8" },
    { "uint8 3: 66 77 0", "pixel_format='YUV'", "must be RGB, BGR or Grayscale, not “YUV”" },
  };
  const SymKernelHost host = { .seed = 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymDatum) operand = kernel_case_read (cases[i].operand);
      g_autoptr (GError) error = NULL;

      g_assert_null (run_op ("ImageDecoder", "", cases[i].attributes, operand, &host, &error));
      assert_told (error, cases[i].error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/pictures/reads-bmp-and-pnm", test_formats);
  g_test_add_func ("/ops/pictures/reads-png-of-all-kinds-of-pixels", test_png);
  g_test_add_func ("/ops/pictures/reads-tiff-upright-where-it-is-opaque", test_tiff);
  g_test_add_func ("/ops/pictures/reads-jpeg", test_jpeg);
  g_test_add_func ("/ops/pictures/reads-what-is-refined-part-by-part", test_refined);
  g_test_add_func ("/ops/pictures/gives-channels-in-any-order-or-gray", test_channels);
  g_test_add_func ("/ops/pictures/leaves-pixels-as-they-are-whatever-exif-says", test_exif);
  g_test_add_func ("/ops/pictures/names-formats-that-are-not-read", test_other_formats);
  g_test_add_func ("/ops/pictures/refuses-bombs-by-their-size", test_bombs);
  g_test_add_func ("/ops/pictures/refuses-what-ends-too-early", test_truncated);
  g_test_add_func ("/ops/pictures/refuses-a-coarse-picture-beside-a-whole-one", test_other_end);
  g_test_add_func ("/ops/pictures/refuses-heads-that-end-too-early", test_cut_heads);
  g_test_add_func ("/ops/pictures/survives-wrong-bytes", test_mutations);
  g_test_add_func ("/ops/pictures/refuses-operands-that-are-no-bytes", test_wrong_bytes);
  g_test_add_func ("/ops/pictures/process/survives-any-program", test_broken_programs);
  g_test_add_func ("/ops/pictures/process/tells-a-missing-program", test_missing_program);
  g_test_add_func ("/ops/pictures/process/is-cancelled-at-once", test_cancelled);
  g_test_add_func ("/ops/pictures/process/is-asked-by-runs-alone", test_no_host);
  g_test_add_func ("/ops/pictures/extensions/read-what-they-wrote", test_extensions);
  g_test_add_func ("/ops/pictures/extensions/refuse-what-is-no-picture", test_wrong_pixels);
  return g_test_run ();
}
