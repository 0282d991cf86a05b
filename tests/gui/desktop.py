# SPDX-License-Identifier: MIT
"""Drives the program from outside, as its users do: pointer and keys through the X server, and what a
screen reader is told (reader.py).  Nothing of the program's insides is known here.

Nothing waits for a time to pass, but for what should happen."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = 120  # seconds until something that should happen did not


def skip (reason):
  print (f'1..0 # SKIP {reason}')
  sys.exit (77)


try:
  from reader import Atspi, Bus, GLib, Tree, is_class_name
except (ImportError, ValueError):
  skip ('gir1.2-atspi-2.0 or python3-gi is missing')

if shutil.which ('xdotool') is None or 'DISPLAY' not in os.environ:
  skip ('there is no X display, or no xdotool')

# What takes the keyboard or is clicked, and so has to say what it is.
CONTROLS = {
  Atspi.Role.CHECK_BOX, Atspi.Role.COMBO_BOX, Atspi.Role.ENTRY, Atspi.Role.LINK, Atspi.Role.LIST_ITEM,
  Atspi.Role.MENU_ITEM, Atspi.Role.CHECK_MENU_ITEM, Atspi.Role.RADIO_MENU_ITEM,
  Atspi.Role.PAGE_TAB, Atspi.Role.PASSWORD_TEXT, Atspi.Role.PUSH_BUTTON, Atspi.Role.RADIO_BUTTON,
  Atspi.Role.SLIDER, Atspi.Role.SPIN_BUTTON, Atspi.Role.TABLE_ROW,
  Atspi.Role.TEXT, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.TREE_TABLE, Atspi.Role.LIST, Atspi.Role.IMAGE,
}

bus = Bus (PATIENCE)
Atspi.set_timeout (PATIENCE * 1000, PATIENCE * 1000) # else a busy program has no names after 0.8 s


def xdotool (*words):
  subprocess.run (['xdotool', *map (str, words)], check=True, stdout=subprocess.DEVNULL)


def press (*keys):
  """Keys come in their order, and wait for each other in the program as any user's do."""
  xdotool ('key', '--delay', 20, *keys)


def type_text (text):
  xdotool ('type', '--delay', 4, text)


def wait_for (what, is_true, patience=PATIENCE):
  """What @is_true returns, once that is something."""
  end = time.monotonic () + patience
  while True:
    hindrance = ''
    try:
      result = is_true ()
    except GLib.Error as error: # what was looked at is gone
      result = None
      hindrance = f': {error.message}'
    if result:
      return result
    assert time.monotonic () < end, f'waited in vain for {what}{hindrance}'
    time.sleep (0.03)


def happens (is_true, seconds):
  """Whether it does, within that time: for what may as well not."""
  end = time.monotonic () + seconds
  while not is_true ():
    if time.monotonic () > end:
      return False
    time.sleep (0.01)
  return True


class Program:
  """The program, started as a user would, with a home of its own: that of a new user, none of whose
  folders exist."""

  running = []

  def __init__ (self, *files, home=None, variables={}):
    self.canvas = self.tree = None
    self.home = home or tempfile.mkdtemp (prefix='symscope-outside-')
    environment = {**os.environ, **variables}
    environment.pop ('GTK_A11Y', None)
    for variable in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'):
      environment[variable] = os.path.join (self.home, variable.lower ())
    self.errors = open (os.path.join (self.home, 'stderr'), 'w+')
    self.process = subprocess.Popen ([os.environ['SYMSCOPE_WINDOW'], *files], env=environment,
                                     stdout=subprocess.DEVNULL, stderr=self.errors)
    Program.running.append (self)
    self.tree = Tree (bus, wait_for ('the program', self._find_on_bus))
    self.window = self.get_window ()
    self.xid = int (wait_for ('its window', lambda: self._search ('--pid', self.process.pid,
                                                                  '--name', '.'))[0])
    xdotool ('windowmove', '--sync', self.xid, 0, 0)
    self.focus ()

  def _search (self, *words):
    result = subprocess.run (['xdotool', 'search', '--onlyvisible', '--all', *map (str, words)],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return result.stdout.split ()

  def _find_on_bus (self):
    assert self.process.poll () is None, 'the program has ended'
    return bus.find_program (self.process.pid)

  # ---- Windows ----

  def get_window (self, title=None):
    """The window with that title, once it is there; without one the first."""
    return wait_for (f'a window called {title}', lambda: next (
      (one for one in self.list_windows () if title is None or one.name == title), None))

  def list_windows (self):
    return self.tree.list_windows ()

  def window_is_titled (self, beginning):
    return any (one.name.startswith (beginning) for one in self.list_windows ())

  def has_window (self, title):
    return any (one.name == title for one in self.list_windows ())

  def focus (self, title=None):
    """Gives the keyboard to a window, and waits until the program knows: GTK 4.8 tells of frames alone
    that they are active, not of dialogs."""
    xid = self.xid
    if title is not None:
      xid = int (wait_for (f'the window {title}', lambda: self._search ('--pid', self.process.pid,
                                                                        '--name', f'^{title}$'))[-1])
    xdotool ('windowfocus', '--sync', xid)
    wait_for (f'the keyboard in {title or "the window"}',
              lambda: self.window.has (Atspi.StateType.ACTIVE) == (title is None))

  # ---- What it tells ----

  def walk (self, enters_rows=True):
    return self.tree.get_root ().walk (enters_rows)

  def find_all (self, role, name=None, part=None):
    return self.tree.get_root ().find_all (role, name, part)

  def find (self, role, name=None, part=None):
    return self.tree.get_root ().find (role, name, part)

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
    """At a place of it, else its middle; which it may not yet have come to rest at."""
    place = None
    while True:
      left, top, width, height = thing.get_rectangle ()
      assert width > 0 and height > 0, f'{thing.path} is not on the screen'
      if place == (left, top, width, height):
        break
      place = left, top, width, height
      xdotool ('mousemove', '--window', self.xid, left + int (width / 2 if x is None else x),
               top + int (height / 2 if y is None else y))
    xdotool ('click', button)

  def click_canvas (self, x, y, button=1):
    self.click (self.get_canvas (), button, x, y)

  # ---- Its end ----

  def format_state (self):
    """For one who wonders why a test failed."""
    if self.process.poll () is not None:
      return f'the program ended with {self.process.returncode}'
    try:
      return f'windows: {[one.name for one in self.list_windows ()] if self.tree else None}'
    except GLib.Error as error:
      return f'the program does not answer: {error}'

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
      for program in Program.running:
        print ('#', program.format_state (), program.get_errors ())
      print (f'not ok {n} {name}', flush=True)
    finally:
      for program in list (Program.running):
        program.process.kill ()
        program.process.wait ()
      Program.running.clear ()
  sys.exit (1 if failed else 0)
