# SPDX-License-Identifier: MIT
"""What a program tells a screen reader, by D-Bus.

Each look-up reads the names and roles of all objects in one answer, which GTK calls its cache: to walk
from object to object takes several calls for each.  GTK fills the cache with what was asked for, so that
children that are new are asked for first; and it keeps children that were hidden, so that of their parents
the list of children is what holds.

GTK 4.8 tells less than it knows.  No object says whether it can be seen, so that what lies on another
page of a stack is found as well; rows of tables have no action, so they are clicked; objects of what a
widget paints do not exist, so the drawing describes itself."""

import ast
import re

import gi
gi.require_version ('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib

ROOT = '/org/a11y/atspi/accessible/root'
WINDOW_COORDINATES = 1

# One object of the cache, as a variant is printed, which takes a tenth of the time of asking for its
# parts: itself, program, parent, place, children, interfaces, name, role, description, states.
WORD = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
ITEM = re.compile (r"\(\('[^']*', '([^']*)'\), \('[^']*', '[^']*'\), \('[^']*', '([^']*)'\), (-?\d+), "
                   rf"(-?\d+), \[[^]]*\], {WORD}, (\d+), {WORD}, \[[^]]*\]\)")


def is_class_name (name):
  """What GTK says of an object that has no name."""
  return name == '' or (name.isalnum () and name.startswith (('Gtk', 'Adw', 'Scope', 'Gdk')))


# ---- The bus ----

class Bus:
  """That of screen readers, which is not the session's."""

  def __init__ (self, patience):
    session = Gio.bus_get_sync (Gio.BusType.SESSION)
    address, = session.call_sync ('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None,
                                  Gio.DBusCallFlags.NONE, -1, None)
    self.connection = Gio.DBusConnection.new_for_address_sync (
      address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
      Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    self.patience_ms = int (patience * 1000)

  def call (self, owner, path, interface, method, words=None):
    """What is answered, a variant."""
    return self.connection.call_sync (owner, path, interface, method, words, None,
                                      Gio.DBusCallFlags.NONE, self.patience_ms, None)

  def find_program (self, pid):
    """The name on the bus of the program of that number; None for none."""
    answer = self.call ('org.a11y.atspi.Registry', ROOT, 'org.a11y.atspi.Accessible', 'GetChildren')
    for owner, _ in answer.unpack ()[0]:
      found, = self.call ('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                          'GetConnectionUnixProcessID', GLib.Variant ('(s)', (owner,))).unpack ()
      if found == pid:
        return owner
    return None


# ---- Objects ----

class Object:
  """Something that the program tells of itself.  Its place, role and name are those of when it was looked
  up; the rest is asked for each time."""

  def __init__ (self, tree, address, role, name):
    self.tree = tree
    self.address = address
    self.role = role
    self.name = name
    self.parent = None
    self.children = []

  @property
  def path (self):
    mine = f'{Atspi.Role (self.role).value_nick} “{self.name}”'
    return mine if self.parent is None else f'{self.parent.path} / {mine}'

  def call (self, interface, method, words=None):
    return self.tree.call (self.address, f'org.a11y.atspi.{interface}', method, words)

  def get (self, interface, name):
    words = GLib.Variant ('(ss)', (f'org.a11y.atspi.{interface}', name))
    return self.tree.call (self.address, 'org.freedesktop.DBus.Properties', 'Get', words).unpack ()[0]

  @property
  def description (self):
    return self.get ('Accessible', 'Description')

  def has (self, state):
    words, = self.call ('Accessible', 'GetState').unpack ()
    return words[int (state) // 32] >> int (state) % 32 & 1 == 1

  def get_text (self):
    count = self.get ('Text', 'CharacterCount')
    return self.call ('Text', 'GetText', GLib.Variant ('(ii)', (0, count))).unpack ()[0]

  def act (self, name='click'):
    for i in range (self.get ('Action', 'NActions')):
      if self.call ('Action', 'GetName', GLib.Variant ('(i)', (i,))).unpack ()[0] == name:
        done, = self.call ('Action', 'DoAction', GLib.Variant ('(i)', (i,))).unpack ()
        assert done, f'{self.path} does not {name}'
        return
    raise AssertionError (f'{self.path} has no action {name}')

  def get_rectangle (self):
    return self.call ('Component', 'GetExtents',
                      GLib.Variant ('(u)', (WINDOW_COORDINATES,))).unpack ()[0]

  def is_on_screen (self):
    """As far as can be known: what was never shown has no size."""
    left, top, width, height = self.get_rectangle ()
    return width > 0 and height > 0

  def look_again (self):
    """The same as it is now; None when it is gone."""
    return self.tree.read ().get (self.address)

  def walk (self, enters_rows=True):
    """It and all below it, in the order of the tree, as they are now."""
    now = self.look_again ()
    stack = [now] if now is not None else []
    while stack:
      one = stack.pop ()
      yield one
      if one.role != Atspi.Role.TABLE_ROW or enters_rows:
        stack.extend (reversed (one.children))

  def find_all (self, role, name=None, part=None):
    """Those of a role; @name is the whole name, @part a part of it.  Cells are not looked through."""
    for one in self.walk (enters_rows=False):
      if one.role == role and (name is None or one.name == name) and \
         (part is None or part in one.name):
        yield one

  def find (self, role, name=None, part=None):
    return next (self.find_all (role, name, part), None)


# ---- All of them ----

class Tree:
  """All objects of a program."""

  def __init__ (self, bus, owner):
    self.bus = bus
    self.owner = owner

  def call (self, address, interface, method, words=None):
    return self.bus.call (self.owner, address, interface, method, words)

  def _list_children (self, address):
    children, = self.call (address, 'org.a11y.atspi.Accessible', 'GetChildren').unpack ()
    return [child for _, child in children]

  def _read_cache (self):
    """Objects by their addresses, and of each the children that the cache knows, with their places, and
    how many it should have."""
    objects, known, counts = {}, {}, {}
    answer = self.call ('/org/a11y/atspi/cache', 'org.a11y.atspi.Cache', 'GetItems').get_child_value (0)
    for item in ITEM.finditer (answer.print_ (False)):
      address, parent, place, count, name, role, _ = item.groups ()
      name = ast.literal_eval (name) if '\\' in name else name[1:-1]
      objects[address] = Object (self, address, int (role), name)
      known.setdefault (parent, []).append ((int (place), address))
      counts[address] = int (count)
    assert len (objects) == answer.n_children (), 'the cache is not understood'
    return objects, known, counts

  def _ask_for (self, addresses, objects):
    """Asks for what lies below objects that are new; whether there was anything."""
    stack = [one for one in addresses if one not in objects]
    is_any = len (stack) > 0
    while stack:
      stack.extend (one for one in self._list_children (stack.pop ()) if one not in objects)
    return is_any

  def _read_once (self):
    """None when there was more than was known."""
    objects, known, counts = self._read_cache ()
    is_new = False
    for address, one in objects.items ():
      places = sorted (known.get (address, []))
      children = [child for _, child in places]
      if len ({place for place, _ in places}) != len (places) or len (places) != counts[address]:
        children = self._list_children (address)
        is_new = self._ask_for (children, objects) or is_new
      one.children = [objects[child] for child in children if child in objects]
      for child in one.children:
        child.parent = one
    return None if is_new else objects

  def read (self):
    """All objects by address.  While windows come and go, it takes some looks."""
    for looks_left in reversed (range (10)):
      try:
        objects = self._read_once ()
      except GLib.Error: # an object went meanwhile, or the program
        if looks_left == 0:
          raise
        objects = None
      if objects is not None:
        return objects
    raise GLib.Error ('the objects change all the time')

  def get_root (self):
    return Object (self, ROOT, int (Atspi.Role.APPLICATION), '')

  def list_windows (self):
    """Without what is in them."""
    windows = []
    for address in self._list_children (ROOT):
      window = Object (self, address, 0, '')
      window.role, = window.call ('Accessible', 'GetRole').unpack ()
      window.name = window.get ('Accessible', 'Name')
      windows.append (window)
    return windows
