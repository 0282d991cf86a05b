/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <glib/gstdio.h>
#include <string.h>

static const char *const commands[] = { "summary", "show",    "list",      "infer", "check",
                                        "extract", "convert", "layout",    "draw",  "run",
                                        "bench",   "formats", "operators", "find",  "code" };

static void
test_help (void)
{
  g_autoptr (Ending) help = run_line ("--help");
  g_autoptr (Ending) same = run_line ("help");

  assert_status (help, 0);
  g_assert_cmpstr (help->out, ==, same->out);
  g_assert_cmpstr (help->err, ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    assert_out (help, commands[i]);
}

static void
test_command_help (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (Ending) help = run_line ("%s --help", commands[i]);
      g_autoptr (Ending) same = run_line ("help %s", commands[i]);
      g_autofree char *usage = g_strdup_printf ("Usage: symscope %s", commands[i]);

      assert_status (help, 0);
      assert_out (help, usage);
      g_assert_cmpstr (help->out, ==, same->out);
      g_assert_cmpstr (help->err, ==, "");
    }
}

static void
test_version (void)
{
  g_autoptr (Ending) version = run_line ("--version");

  assert_status (version, 0);
  g_assert_true (g_str_has_prefix (version->out, "symscope 0."));
}

static void
test_usage (void)
{
  static const struct {
    const char *line, *part;
  } cases[] = {
    { "", "which file" },
    { "--nothing", "no option “--nothing”" },
    { "sumary", "did you mean “summary”?" },
    { "help sumary", "did you mean “summary”?" },
    { "summary", "summary needs FILE" },
    { "summary a b", "“b” is one operand too many" },
    { "summary a --style torch", "symbolic|keras|mxnet|torchinfo" },
    { "summary a --stile keras", "did you mean --style?" },
    { "show a", "show also needs NODE" },
    { "list a", "list also needs" },
    { "list a things", "no list of “things”" },
    { "extract a -o b", "extract needs --outputs A" },
    { "extract a --outputs b", "extract needs -o OUT" },
    { "extract a --outputs b -o c --to nothing", "is no format that can be written" },
    { "convert a", "convert needs -o OUT" },
    { "convert a -o b.csv", "symscope summary --format csv" },
    { "convert a -o b.png", "which format is “b.png”?" },
    { "draw a", "draw needs -o OUT" },
    { "draw a -o b", "say which with --to" },
    { "draw a -o b.png --scale 0", "no number above 0" },
    { "draw a -o b.png --scale 1x", "no number above 0" },
    { "draw a -o b.svg --labels name,size", "“size” is none of" },
    { "draw a -o b.svg --hops 2", "--hops needs --around" },
    { "draw a -o b.svg --around c --hops -1", "no number of layers" },
    { "layout a", "layout needs -o OUT.json" },
    { "formats a", "one operand too many" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending = run_line ("%s", cases[i].line);

      assert_refused (ending, 2, cases[i].part);
      assert_err (ending, "Try ");
      g_assert_cmpstr (ending->out, ==, "");
    }
}

static void
test_shape_usage (void)
{
  static const struct {
    const char *option, *part;
  } cases[] = {
    { "--shape data", "--shape takes NAME=VALUE" },
    { "--shape =1,2", "--shape takes NAME=VALUE" },
    { "--shape data=1,x!", "“x!” is no dimension" },
    { "--shape data=1,-3", "“-3” is no dimension" },
    { "--shape data=1,,3", "“” is no dimension" },
    { "--shape data=1,1,1,1,1,1,1,1,1,1,1,1,1", "more than 12 dimensions" },
    { "--shape data=99999999999999999999", "is no dimension" },
    { "--dtype data=float33", "there is no dtype “float33”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending =
          run_line ("infer %s %s", fixture ("small-symbol.json"), cases[i].option);

      assert_refused (ending, 2, cases[i].part);
    }
}

static void
test_wrong_files (void)
{
  static const char *const bad[] = { "{", "", "hello", "[]", "{\"nodes\": 1}", "\xff\xfe{" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (Ending) ending = NULL;
      g_autofree char *about = g_strdup_printf ("symscope: %s", scratch ("bad.json"));

      g_assert_true (g_file_set_contents (scratch ("bad.json"), bad[i], -1, NULL));
      ending = run_line ("summary %s", scratch ("bad.json"));
      assert_refused (ending, 1, about);
      g_assert_cmpstr (ending->out, ==, "");
    }
}

static void
test_no_file (void)
{
  static const char *const lines[] = {
    "summary /nowhere/at-all.json",
    "draw /nowhere/at-all.json -o x.svg",
    "summary /",
    "check /",
    "extract / --outputs a -o b",
    "summary /dev/zero",
    "check /dev/full",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Ending) ending = run_line ("%s", lines[i]);

      assert_refused (ending, 1, "symscope: /");
    }
}

/* A full device is noticed. */
static void
test_full_output (void)
{
  static const char *const lines[] = { "formats", "--help", "help", "draw --help", "--version" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *inner =
          g_strdup_printf ("%s %s > /dev/full", g_getenv ("SYMSCOPE"), lines[i]);
      g_autofree char *quoted = g_shell_quote (inner);
      g_autofree char *line = g_strdup_printf ("sh -c %s", quoted);
      g_autofree char *err = NULL;
      int status;

      g_assert_true (g_spawn_command_line_sync (line, NULL, &err, &status, NULL));
      g_assert_cmpint (WEXITSTATUS (status), ==, 1);
      g_assert_cmpstr (err, ==, "symscope: -: standard output cannot be written\n");
    }
}

static void
copy_program (const char *target)
{
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (g_getenv ("SYMSCOPE"), &bytes, &n, NULL));
  g_assert_true (g_file_set_contents_full (target, bytes, (gssize) n, 0, 0755, NULL));
}

/* The copy stands in a folder of its own, where a window is, or is not. */
static void
test_window (void)
{
  static const char script[] = "#!/bin/sh\necho window \"$@\"\nexit 7\n";
  g_autofree char *quoted = g_shell_quote (scratch ("symscope"));
  g_autofree char *line = g_strdup_printf ("env PATH=/usr/bin:/bin %s a.json -- summary", quoted);
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  int status;

  copy_program (scratch ("symscope"));
  g_assert_true (g_file_set_contents_full (scratch ("symscope-window"), script, -1, 0, 0755, NULL));
  g_assert_true (g_spawn_command_line_sync (line, &out, NULL, &status, NULL));
  g_assert_cmpstr (out, ==, "window a.json -- summary\n");
  g_assert_cmpint (WEXITSTATUS (status), ==, 7);

  if (g_find_program_in_path ("symscope-window"))
    return;
  g_remove (scratch ("symscope-window"));
  g_assert_true (g_spawn_command_line_sync (line, NULL, &err, &status, NULL));
  g_assert_cmpint (WEXITSTATUS (status), ==, 1);
  g_assert_nonnull (strstr (err, "symscope-window is not installed"));
}

static void
test_tables (void)
{
  g_autoptr (Ending) formats = run_line ("formats");
  g_autoptr (Ending) json = run_line ("formats --format json");
  g_autoptr (Ending) operators = run_line ("operators");

  assert_status (formats, 0);
  assert_out (formats, "mxnet");
  assert_out (formats, "symscope");
  assert_out (formats, "0.4 to 1.0.0-M2\n  limits: updaters are not read");
  assert_status (json, 0);
  assert_out (json, "{\"name\": \"graphml\", \"reads\": false, \"writes\": true, \"suffix\": ");
  assert_status (operators, 0);
  assert_out (operators, "FullyConnected");
  assert_out (operators, "onnx     Add                                  7     yes     elementwise");
  assert_out (operators, "mxnet    FullyConnected                       1     lowered weights");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/program/lists-its-commands", test_help);
  g_test_add_func ("/cli/program/helps-with-each-command", test_command_help);
  g_test_add_func ("/cli/program/tells-its-version", test_version);
  g_test_add_func ("/cli/program/refuses-wrong-usage-with-a-hint", test_usage);
  g_test_add_func ("/cli/program/refuses-malformed-shapes", test_shape_usage);
  g_test_add_func ("/cli/program/names-a-file-that-is-no-graph", test_wrong_files);
  g_test_add_func ("/cli/program/names-a-file-that-cannot-be-read", test_no_file);
  g_test_add_func ("/cli/program/notices-a-full-device", test_full_output);
  g_test_add_func ("/cli/program/becomes-the-window", test_window);
  g_test_add_func ("/cli/program/lists-formats-and-operators", test_tables);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
