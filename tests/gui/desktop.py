# SPDX-License-Identifier: MIT
"""Drives the program from outside, as its users do: pointer and keys through the X server, and what a
screen reader is told through AT-SPI.  Nothing of the program's insides is known here.

GTK 4.8 tells less than it knows.  No object says whether it can be seen, so that what lies on another
page of a stack is found as well; rows of tables have no action, so they are clicked; objects of what a
widget paints do not exist, so the drawing describes itself."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = 30  # seconds until something that should happen did not


def skip (reason):
  print (f'1..0 # SKIP {reason}')
  sys.exit (77)


try:
  import gi
  gi.require_version ('Atspi', '2.0')
  from gi.repository import Atspi, GLib
except (ImportError, ValueError):
  skip ('gir1.2-atspi-2.0 or python3-gi is missing')

if shutil.which ('xdotool') is None or 'DISPLAY' not in os.environ:
  skip ('there is no X display, or no xdotool')

Atspi.set_timeout (int (PATIENCE * 1000), int (PATIENCE * 1000))

# What takes the keyboard or is clicked, and so has to say what it is.
CONTROLS = {
  Atspi.Role.CHECK_BOX, Atspi.Role.COMBO_BOX, Atspi.Role.ENTRY, Atspi.Role.LINK, Atspi.Role.LIST_ITEM,
  Atspi.Role.MENU_ITEM, Atspi.Role.CHECK_MENU_ITEM, Atspi.Role.RADIO_MENU_ITEM,
  Atspi.Role.PAGE_TAB, Atspi.Role.PASSWORD_TEXT, Atspi.Role.PUSH_BUTTON, Atspi.Role.RADIO_BUTTON,
  Atspi.Role.SLIDER, Atspi.Role.SPIN_BUTTON, Atspi.Role.TABLE_ROW,
  Atspi.Role.TEXT, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.TREE_TABLE, Atspi.Role.LIST, Atspi.Role.IMAGE,
}


def is_class_name (name):
  """What GTK says of an object that has no name."""
  return name == '' or (name.isalnum () and name.startswith (('Gtk', 'Adw', 'Scope', 'Gdk')))


def xdotool (*words):
  subprocess.run (['xdotool', *map (str, words)], check=True, stdout=subprocess.DEVNULL)


def press (*keys):
  for key in keys:
    xdotool ('key', key)
    time.sleep (0.08)


def type_text (text):
  xdotool ('type', '--delay', 25, text)
  time.sleep (0.15)


def wait_for (what, is_true, patience=PATIENCE):
  """What @is_true returns, once that is something."""
  end = time.monotonic () + patience
  while True:
    try:
      result = is_true ()
    except GLib.Error: # what was looked at is gone
      result = None
    if result:
      return result
    assert time.monotonic () < end, f'waited in vain for {what}'
    time.sleep (0.1)


class Object:
  """Something that the program tells of itself."""

  def __init__ (self, accessible, parent):
    self.accessible = accessible
    self.parent = parent
    self.role = accessible.get_role ()

  @property
  def name (self):
    return self.accessible.get_name () or ''

  @property
  def description (self):
    return self.accessible.get_description () or ''

  @property
  def path (self):
    mine = f'{self.accessible.get_role_name ()} “{self.name}”'
    return mine if self.parent is None else f'{self.parent.path} / {mine}'

  def has (self, state):
    return self.accessible.get_state_set ().contains (state)

  def get_text (self):
    return Atspi.Text.get_text (self.accessible, 0, Atspi.Text.get_character_count (self.accessible))

  def act (self, name='click'):
    for i in range (Atspi.Action.get_n_actions (self.accessible)):
      if Atspi.Action.get_action_name (self.accessible, i) == name:
        assert Atspi.Action.do_action (self.accessible, i), f'{self.path} does not {name}'
        return
    raise AssertionError (f'{self.path} has no action {name}')

  def get_rectangle (self):
    box = Atspi.Component.get_extents (self.accessible, Atspi.CoordType.WINDOW)
    return box.x, box.y, box.width, box.height

  def is_on_screen (self):
    """As far as can be known: what was never shown has no size."""
    left, top, width, height = self.get_rectangle ()
    return width > 0 and height > 0

  def walk (self, enters_rows=True):
    """It and all below it, in the order of the tree."""
    stack = [self]
    while stack:
      one = stack.pop ()
      yield one
      if one.role == Atspi.Role.TABLE_ROW and not enters_rows:
        continue
      children = []
      for i in range (one.accessible.get_child_count ()):
        child = one.accessible.get_child_at_index (i)
        if child is not None:
          children.append (Object (child, one))
      stack.extend (reversed (children))

  def find_all (self, role, name=None, part=None):
    """Those of a role; @name is the whole name, @part a part of it.  Cells are not looked through."""
    for one in self.walk (enters_rows=False):
      if one.role == role and (name is None or one.name == name) and \
         (part is None or part in one.name):
        yield one

  def find (self, role, name=None, part=None):
    return next (self.find_all (role, name, part), None)


class Program:
  """The program, started as a user would, with a home of its own."""

  running = []

  def __init__ (self, *files, home=None, variables={}):
    self.canvas = None
    self.home = home or tempfile.mkdtemp (prefix='symscope-outside-')
    environment = {**os.environ, **variables}
    environment.pop ('GTK_A11Y', None)
    for variable in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'):
      environment[variable] = self.home
    self.errors = open (os.path.join (self.home, 'stderr'), 'w+')
    self.process = subprocess.Popen ([os.environ['SYMSCOPE_WINDOW'], *files], env=environment,
                                     stdout=subprocess.DEVNULL, stderr=self.errors)
    Program.running.append (self)
    self.application = wait_for ('the program', self._find_application)
    self.window = self.get_window ()
    self.xid = int (wait_for ('its window', lambda: self._search ('--pid', self.process.pid,
                                                                  '--name', '.'))[0])
    xdotool ('windowmove', '--sync', self.xid, 0, 0)
    self.focus ()

  def _search (self, *words):
    result = subprocess.run (['xdotool', 'search', '--onlyvisible', '--all', *map (str, words)],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return result.stdout.split ()

  def _find_application (self):
    desktop = Atspi.get_desktop (0)
    for i in range (desktop.get_child_count ()):
      child = desktop.get_child_at_index (i)
      if child is not None and child.get_process_id () == self.process.pid and \
         child.get_child_count () > 0:
        return Object (child, None)
    assert self.process.poll () is None, 'the program has ended'
    return None

  # ---- Windows ----

  def get_window (self, title=None):
    """The window with that title, once it is there; without one the first."""
    return wait_for (f'a window called {title}', lambda: next (
      (one for one in self.list_windows () if title is None or one.name == title), None))

  def list_windows (self):
    self.application.accessible.clear_cache ()
    count = self.application.accessible.get_child_count ()
    children = [self.application.accessible.get_child_at_index (i) for i in range (count)]
    return [Object (child, None) for child in children if child is not None]

  def window_is_titled (self, beginning):
    return any (one.name.startswith (beginning) for one in self.list_windows ())

  def has_window (self, title):
    return any (one.name == title for one in self.list_windows ())

  def focus (self, title=None):
    xid = self.xid
    if title is not None:
      xid = int (wait_for (f'the window {title}', lambda: self._search ('--pid', self.process.pid,
                                                                        '--name', f'^{title}$'))[-1])
    xdotool ('windowfocus', '--sync', xid)
    time.sleep (0.2)
    return xid

  # ---- What it tells ----

  def find (self, role, name=None, part=None):
    self.application.accessible.clear_cache ()
    return self.application.find (role, name, part)

  def wait_for (self, role, name=None, part=None):
    return wait_for (f'{role.value_nick} {name or part}', lambda: self.find (role, name, part))

  def wait_for_label (self, part):
    return self.wait_for (Atspi.Role.LABEL, part=part)

  def get_canvas (self):
    """The drawing of the tab in front: those of others have no size, or lie below it in the tree."""
    if self.canvas is None:
      self.canvas = self.wait_for (Atspi.Role.IMAGE, 'Graph')
    return self.canvas

  def get_selected (self):
    return self.get_canvas ().description

  def wait_selected (self, part):
    return wait_for (f'the selection of {part}',
                     lambda: self.get_selected () if part in self.get_selected () else None)

  # ---- What is done with it ----

  def click (self, thing, button=1, x=None, y=None):
    left, top, width, height = thing.get_rectangle ()
    assert width > 0 and height > 0, f'{thing.path} is not on the screen'
    xdotool ('mousemove', '--window', self.xid, left + int (width / 2 if x is None else x),
             top + int (height / 2 if y is None else y))
    time.sleep (0.15)
    xdotool ('click', button)
    time.sleep (0.25)

  def click_canvas (self, x, y, button=1):
    self.click (self.get_canvas (), button, x, y)

  # ---- Its end ----

  def get_errors (self):
    self.errors.seek (0)
    return self.errors.read ()

  def stop (self):
    """Ends it, and looks whether it had anything to complain of."""
    if self.process.poll () is None:
      self.process.terminate ()
    assert self.process.wait (PATIENCE) == 0, f'ended with {self.process.returncode}'
    Program.running.remove (self)
    errors = self.get_errors ()
    self.errors.close ()
    shutil.rmtree (self.home)
    assert errors == '', errors


# ---- TAP ----

def run (prefix, tests):
  """Runs functions, called test_..., and tells of each; from the command line, only those named."""
  chosen = sys.argv[1:]
  tests = [one for one in tests if not chosen or one.__name__[5:] in chosen]
  print (f'1..{len (tests)}', flush=True)
  failed = 0
  for n, test in enumerate (tests, 1):
    name = f'{prefix}/{test.__name__[5:].replace ("_", "-")}'
    try:
      test ()
      print (f'ok {n} {name}', flush=True)
    except Exception as error:
      failed += 1
      if 'SYMSCOPE_SHOT' in os.environ: # a picture of what was there
        subprocess.run (['import', '-window', 'root', os.environ['SYMSCOPE_SHOT']])
      import traceback
      for line in traceback.format_exc ().splitlines ():
        print ('#', line)
      print (f'not ok {n} {name}', flush=True)
    finally:
      for program in list (Program.running):
        program.process.kill ()
        program.process.wait ()
      Program.running.clear ()
  sys.exit (1 if failed else 0)
