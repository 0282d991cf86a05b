# SPDX-License-Identifier: MIT
"""What a screen reader is told: no control without a name on any page, in any dialog; what is selected,
where the keyboard is, what is pressed."""

import os
import shutil
import tempfile

from desktop import (Atspi, CONTROLS, GLib, Program, is_class_name, press, run, time, type_text,
                     wait_for, xdotool)

Role, State = Atspi.Role, Atspi.StateType
FOLDER = tempfile.mkdtemp (prefix='symscope-names-')


def open_copy (name='examples/toy-resnet-symbol.json'):
  program = Program (shutil.copy (os.path.join (os.environ['SYMSCOPE_DATA'], name), FOLDER))

  program.get_canvas ()
  return program


def focus_canvas (program):
  """By a click beside the graph, and not on the handle beside the table."""
  program.click (program.get_canvas (), x=60, y=200)
  wait_for ('the focus', lambda: program.get_canvas ().has (State.FOCUSED))


def get_nameless (root):
  return [one.path for one in root.walk ()
          if one.role in CONTROLS and is_class_name (one.name) and one.is_on_screen () and
          (one.role != Role.IMAGE or one.has (State.FOCUSABLE))]


def assert_named (program, where):
  for window in program.list_windows ():
    nameless = get_nameless (window)
    assert not nameless, f'{where}:\n' + '\n'.join (nameless)


def test_pages_have_names ():
  """Before a file is open, of one that is none, and of a graph, with all its parts."""
  program = Program ()
  program.wait_for_label ('Open a Saved Graph')
  assert_named (program, 'welcome')
  program.stop ()
  with open (os.path.join (FOLDER, 'broken.json'), 'w') as file:
    file.write ('{')
  program = Program (os.path.join (FOLDER, 'broken.json'))
  program.wait_for_label ('Cannot Be Shown')
  assert_named (program, 'failure')
  program.stop ()
  program = open_copy ()
  assert_named (program, 'nothing selected')
  focus_canvas (program)
  press ('Home')
  program.wait_selected ('data, input')
  press ('Down', 'Down', 'o', 'a', 'n')
  program.wait_for_label ('Sub-model')
  assert_named (program, 'a cut, a trace and a neighbourhood')
  press ('ctrl+f')
  type_text ('conv')
  program.wait_for (Role.PUSH_BUTTON, 'Next')
  assert_named (program, 'search')
  press ('ctrl+t')
  program.wait_for (Role.PUSH_BUTTON, 'Close New Tab')
  assert_named (program, 'two tabs')
  program.stop ()


def test_dialogs_have_names ():
  program = open_copy ()
  for keys, title in (('F5', 'Run Graph'), ('ctrl+shift+e', 'Export'),
                      ('ctrl+comma', 'Preferences')):
    press (keys)
    program.get_window (title)
    program.focus (title)
    assert_named (program, title)
    press ('Escape')
    wait_for (f'the end of {title}', lambda: not program.has_window (title))
    program.focus ()
  program.stop ()


def test_window_about_has_names ():
  """libadwaita makes it, and its version is a button that has none."""
  program = open_copy ()
  press ('F10')
  program.wait_for (Role.MENU_ITEM, 'About Symscope').act ()
  window = program.get_window ('About')
  program.focus ('About')
  assert_named (program, 'About')
  assert any (button.name[:1].isdigit () for button in window.find_all (Role.PUSH_BUTTON))
  press ('Escape')
  wait_for ('the end of it', lambda: not program.has_window ('About'))
  program.focus ()
  program.stop ()


def test_window_of_shortcuts_has_names ():
  """GTK makes it, and has none for what searches it."""
  program = open_copy ()
  press ('ctrl+question')
  window = program.get_window ('Keyboard Shortcuts')
  program.focus ('Keyboard Shortcuts')
  assert_named (program, 'Keyboard Shortcuts')
  pages = [tab.name for tab in window.find_all (Role.PAGE_TAB)]
  assert pages == [str (i + 1) for i in range (len (pages))], pages
  assert window.find (Role.PUSH_BUTTON, 'Search Shortcuts')
  press ('Escape')
  wait_for ('the end of it', lambda: not program.has_window ('Keyboard Shortcuts'))
  program.focus ()
  program.stop ()


def test_controls_are_called_as_users_call_them ():
  program = open_copy ()
  focus_canvas (program)
  press ('Home', 'Down', 'o')
  program.wait_for_label ('Sub-model')
  names = {one.name for one in program.walk (enters_rows=False)}
  for name in ('Open', 'Search', 'Export', 'Run', 'Main Menu', 'Zoom In', 'Zoom Out', 'Fit', 'Back',
               'Forward', 'Undo', 'Redo', 'Mark as Output', 'Mark as Input', 'Extract', 'Summary', 'Inspector'):
    assert name in names, name
  program.stop ()


def test_selection_is_announced ():
  """Once for each step, by what has the keyboard; and mirrored in a label and in a row."""
  heard = []
  program = open_copy ()
  listener = Atspi.EventListener.new (lambda event: heard.append (event.source.get_description ()))
  listener.register ('object:property-change:accessible-description')
  focus_canvas (program)
  press ('Home')
  program.wait_selected ('data, input, 1x3x32x32, 0 parents, 1 child')
  press ('Down')
  sentence = 'conv1, Convolution, 1x32x30x30, 1 parent, 1 child'
  program.wait_selected (sentence)
  program.wait_for (Role.LABEL, sentence)
  row = program.wait_for (Role.TABLE_ROW, sentence)
  assert row.has (State.SELECTED)
  press ('o')
  program.wait_selected (sentence + ', marked as output')
  wait_for ('the button', lambda: program.find (Role.PUSH_BUTTON, 'Mark as Output').has (State.PRESSED))
  press ('o')
  wait_for ('no mark', lambda: program.get_selected () == sentence)
  wait_for ('no button',
            lambda: not program.find (Role.PUSH_BUTTON, 'Mark as Output').has (State.PRESSED))
  wait_for ('the announcement', lambda: GLib.MainContext.default ().iteration (False) or
            sentence in heard)
  listener.deregister ('object:property-change:accessible-description')
  program.stop ()


def test_values_are_told_before_what_they_mean ():
  """What the eye sees beside a name is what is heard after it."""
  program = open_copy ()
  focus_canvas (program)
  press ('Home', 'Down')
  program.wait_selected ('conv1')
  for role, name, beginning in ((Role.LIST_ITEM, 'kernel', '(3, 3), '), (Role.LIST_ITEM, 'num_filter', '32, '),
                                (Role.LIST_ITEM, 'Shape', '1×32×30×30'),
                                (Role.LIST_ITEM, 'relu1_output', '1×32×30×30, Activation'),
                                (Role.PANEL, 'Totals', 'Total parameters 223,242, Trainable 223,242, '),
                                (Role.TEXT, 'Shape of data', '1×3×32×32')):
    one = program.wait_for (role, name)
    assert one.description.startswith (beginning), (name, one.description)
  program.stop ()


STEP_PATIENCE = 3 # seconds


def pump (seconds):
  """Lets events come in."""
  end = time.monotonic () + seconds
  while time.monotonic () < end:
    if not GLib.MainContext.default ().iteration (False):
      time.sleep (0.01)


def step (key, met):
  """Presses it, and waits until somebody else has the keyboard; nobody may have, at an end of the way."""
  n_before = len (met)
  press (key)
  end = time.monotonic () + STEP_PATIENCE
  while len (met) == n_before and time.monotonic () < end:
    pump (0.02)
  pump (0.03)


def walk (key, is_end):
  """Presses a key until what has the keyboard is the end; the roles and names of all that had it."""
  met = []
  listener = Atspi.EventListener.new (
    lambda event: event.detail1 and met.append ((event.source.get_role (), event.source.get_name ())))
  listener.register ('object:state-changed:focused')
  pump (0.5) # what was before
  met.clear ()
  for _ in range (80):
    step (key, met)
    if met and is_end (met):
      break
  listener.deregister ('object:state-changed:focused')
  assert not [one for one in met if one[0] in CONTROLS and is_class_name (one[1])], met
  return met


def is_graph (met):
  return met[-1][1] == 'Graph'


def has_come_round (met):
  """The same three in a row as before: rows of dialogs and what is in them may be called alike."""
  last = met[-3:]
  return any (met[i:i + 3] == last for i in range (len (met) - 3))


def test_tab_comes_everywhere_and_back ():
  """Around the whole window, from the drawing to the drawing: no trap, and names for all that is met."""
  program = open_copy ()
  focus_canvas (program)
  press ('Home')
  program.wait_selected ('data, input')
  names = [name for role, name in walk ('Tab', is_graph)]
  assert names and names[-1] == 'Graph', names
  missed = {'Open', 'Summary', 'Search', 'Run', 'Export', 'Inspector', 'Main Menu', 'Shape of data',
            'Search layers', 'Table', 'Totals', 'Zoom In', 'Zoom Out', 'Fit', 'Mark as Output',
            'Mark as Input', 'Name'} - set (names)
  assert not missed, (missed, names)
  assert any (', input, ' in name or name == 'Layers' for name in names), names # the table
  back = [name for role, name in walk ('shift+Tab', is_graph)]
  assert back and back[-1] == 'Graph', back
  missed = set (names) - set (back)
  assert not missed, (missed, back)
  program.stop ()


def test_f6_steps_from_panel_to_panel ():
  """Through table, drawing and inspector, either way."""
  program = open_copy ()
  focus_canvas (program)
  press ('Home')
  program.wait_selected ('data, input')
  for key, order in (('F6', ['Mark as Output', 'Shape of data', 'Graph']),
                     ('shift+F6', ['Shape of data', 'Mark as Output', 'Graph'])):
    names = [name for role, name in walk (key, is_graph)]
    assert names == order, (key, names)
  for key in ('F6', 'shift+F6'): # from the tools above
    walk ('Tab', lambda met: met[-1][1] == 'Main Menu')
    names = [name for role, name in walk (key, is_graph)]
    assert names == ['Graph'], (key, names)
  program.stop ()


def make_narrow (program, width):
  """As narrow as half a screen: table and inspector are hidden, and each comes alone."""
  xdotool ('windowsize', '--sync', program.xid, width, 700)
  wait_for ('room for the drawing alone',
            lambda: not program.find (Role.PUSH_BUTTON, 'Summary').has (State.PRESSED))


def test_tab_comes_everywhere_in_a_narrow_window ():
  """With the drawing alone, the table, the inspector; with the tools in one bar, and in two."""
  for width in (800, 600):
    program = open_copy ()
    focus_canvas (program)
    press ('Home')
    program.wait_selected ('data, input')
    make_narrow (program, width)
    tools = {'Open', 'Summary', 'Search', 'View Data Nodes', 'Run', 'Inspector', 'Main Menu'}
    for key, some in ((None, {'Zoom In', 'Zoom Out', 'Fit', 'Graph'}),
                      ('F9', {'Shape of data', 'Search layers', 'Table', 'Totals'}),
                      ('ctrl+F9', {'Mark as Output', 'Mark as Input', 'Name'})):
      if key is not None:
        press (key)
      names = {name for role, name in walk ('Tab', has_come_round)}
      missed = (tools | some) - names
      assert not missed, (width, key, missed, names)
      assert_named (program, f'{width} pixels, {key}')
    program.stop ()


def test_tab_comes_round_in_dialogs ():
  """All that takes the keyboard gets it, and none keeps it."""
  program = open_copy ()
  for keys, title, some in (
      ('F5', 'Run Graph', {'Cancel', 'Run', 'Random, Numbers of data', 'Shape of data', 'Seed',
                            'Fill Missing Weights at Random', 'Choose Weights…'}),
      ('ctrl+shift+e', 'Export', {'Cancel', 'Save…', 'Copy', 'Print…'}),
      ('ctrl+comma', 'Preferences', {'Colours', 'Threads', 'Drawing', 'Legend'})):
    press (keys)
    program.get_window (title)
    program.focus (title)
    names = {name for role, name in walk ('Tab', has_come_round)}
    assert not some - names, (title, some - names, names)
    press ('Escape')
    wait_for (f'the end of {title}', lambda: not program.has_window (title))
    program.focus ()
  program.stop ()


def test_options_tell_what_is_chosen ():
  """By name alone nobody would know what is there to be changed."""
  program = open_copy ()
  for keys, title, role, name, told in (
      ('F5', 'Run Graph', Role.LIST_ITEM, 'Seed', 'The same one gives the same random numbers'),
      ('ctrl+shift+e', 'Export', Role.COMBO_BOX, 'Format', 'SVG Drawing'),
      ('ctrl+comma', 'Preferences', Role.COMBO_BOX, 'Threads',
       'One for Each Processor, Fewer threads leave more for other programs')):
    press (keys)
    program.get_window (title)
    program.focus (title)
    row = program.wait_for (role, name)
    assert row.description == told, (title, row.description)
    press ('Escape')
    wait_for (f'the end of {title}', lambda: not program.has_window (title))
    program.focus ()
  program.stop ()


def test_tab_comes_round_where_no_graph_is ():
  """On the page that welcomes, and on the one that tells why a file cannot be shown."""
  program = Program ()
  program.wait_for_label ('Open a Saved Graph')
  names = {name for role, name in walk ('Tab', has_come_round)}
  assert not {'Open', 'Main Menu', 'Open…', 'Toy ResNet'} - names, names
  program.stop ()
  with open (os.path.join (FOLDER, 'broken.json'), 'w') as file:
    file.write ('{')
  program = Program (os.path.join (FOLDER, 'broken.json'))
  program.wait_for_label ('Cannot Be Shown')
  names = {name for role, name in walk ('Tab', has_come_round)}
  assert not {'Open', 'Main Menu', 'Try Again', 'Open Another…'} - names, names
  program.stop ()


TESTS = [test_pages_have_names, test_dialogs_have_names, test_window_about_has_names,
         test_window_of_shortcuts_has_names,
         test_controls_are_called_as_users_call_them,
         test_selection_is_announced, test_values_are_told_before_what_they_mean,
         test_tab_comes_everywhere_and_back,
         test_f6_steps_from_panel_to_panel, test_tab_comes_everywhere_in_a_narrow_window,
         test_tab_comes_round_in_dialogs, test_options_tell_what_is_chosen,
         test_tab_comes_round_where_no_graph_is]

if __name__ == '__main__':
  run ('/gui/names', TESTS)
