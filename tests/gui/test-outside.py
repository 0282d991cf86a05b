# SPDX-License-Identifier: MIT
"""What users do with the window, from outside of it: files of all kinds are opened by argument, dialog and
drop, nodes chosen in the drawing, the table and the search, a part cut out, saved and opened again,
drawings exported, graphs run, and what was edited asked about before it is lost."""

import json
import os
import shutil
import subprocess
import tempfile

from desktop import (Atspi, PATIENCE, Program, happens, press, run, time, type_text, wait_for,
                     xdotool)

Role, State = Atspi.Role, Atspi.StateType
DATA = os.environ['SYMSCOPE_DATA']
FOLDER = tempfile.mkdtemp (prefix='symscope-outside-')


# ---- Files ----

def in_data (path):
  """A copy, so that nothing is written beside the original."""
  return shutil.copy (os.path.join (DATA, path), FOLDER)


def in_folder (name):
  return os.path.join (FOLDER, name)


def write (name, text):
  with open (in_folder (name), 'w') as file:
    file.write (text)
  return in_folder (name)


def convert (path, name):
  subprocess.run ([os.environ['SYMSCOPE'], 'convert', path, '-o', in_folder (name)], check=True,
                  stderr=subprocess.DEVNULL)
  return in_folder (name)


def write_onnx ():
  """With its weights."""
  return convert (in_data ('examples/xor.onnxtxt'), 'xor.onnx')


def write_large (n):
  """Layers one after the other, each added to the one before: nothing of it repeats."""
  nodes = [{'op': 'null', 'name': 'data', 'attrs': {'__shape__': '(1,8)'}, 'inputs': []}]
  for i in range (1, n):
    if i % 2 == 1:
      nodes.append ({'op': 'Activation', 'name': f'act{i}', 'attrs': {'act_type': 'relu'},
                     'inputs': [[i - 1, 0, 0]]})
    else:
      nodes.append ({'op': 'elemwise_add', 'name': f'add{i}', 'inputs': [[i - 1, 0, 0], [i - 2, 0, 0]]})
  return write ('large-symbol.json', json.dumps ({'nodes': nodes, 'arg_nodes': [0],
                                                  'heads': [[n - 1, 0, 0]]}))


def write_mxnet_with_weights ():
  """A fully connected layer, with a file of parameters beside it: NDArray lists as MXNet 1 writes them."""
  import struct
  arrays = {'arg:fc_weight': ((2, 3), [1, 2, 3, 4, 5, 6]), 'arg:fc_bias': ((2,), [0, 1])}
  parts = [struct.pack ('<QQQ', 0x112, 0, len (arrays))]
  for shape, numbers in arrays.values ():
    parts.append (struct.pack ('<IiI', 0xF993FAC9, 0, len (shape)))
    parts.append (struct.pack (f'<{len (shape)}q', *shape))
    parts.append (struct.pack ('<iii', 1, 0, 0)) # on the processor, float32
    parts.append (struct.pack (f'<{len (numbers)}f', *numbers))
  parts.append (struct.pack ('<Q', len (arrays)))
  for name in arrays:
    parts.append (struct.pack ('<Q', len (name)) + name.encode ())
  with open (in_folder ('tiny-0000.params'), 'wb') as file:
    file.write (b''.join (parts))
  nodes = [{'op': 'null', 'name': 'data', 'attrs': {'__shape__': '(1,3)'}, 'inputs': []},
           {'op': 'null', 'name': 'fc_weight', 'inputs': []}, {'op': 'null', 'name': 'fc_bias', 'inputs': []},
           {'op': 'FullyConnected', 'name': 'fc', 'attrs': {'num_hidden': '2'},
            'inputs': [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
           {'op': 'Activation', 'name': 'act', 'attrs': {'act_type': 'tanh'}, 'inputs': [[3, 0, 0]]}]
  return write ('tiny-symbol.json', json.dumps ({'nodes': nodes, 'arg_nodes': [0, 1, 2],
                                                 'heads': [[4, 0, 0]]}))


# ---- Ways to open ----

def open_by_argument (path):
  return Program (path)


def open_in_dialog (program, path):
  press ('ctrl+o')
  choose_file (program, 'Open Graph', path)


def open_by_dialog (path):
  program = Program ()
  open_in_dialog (program, path)
  return program


def drag (slowness):
  """From where the other program's window is into this one's; none knows from outside when the programs
  have told each other of a step."""
  xdotool ('mousemove', 1300, 700, 'mousedown', 1)
  for x, y in ((1285, 690), (1200, 500), (710, 410), (700, 400)):
    time.sleep (0.15 * slowness)
    xdotool ('mousemove', x, y)
  time.sleep (0.3 * slowness)
  xdotool ('mouseup', 1)


def open_by_drop (path):
  """From another program's window, at the pace of a hand."""
  program = Program ()
  source = subprocess.Popen ([os.environ['SYMSCOPE_DRAG_SOURCE'], '--source', path, path])
  try:
    xdotool ('search', '--sync', '--onlyvisible', '--name', 'files to drag', 'windowmove', '--sync', 1200, 600)
    for slowness in (1, 4, 16): # what is let go before the programs have agreed is not dropped
      drag (slowness)
      if happens (lambda: program.has_window (os.path.basename (path)), PATIENCE / 4):
        break
    program.get_window (os.path.basename (path))
  finally:
    source.kill ()
    source.wait ()
  program.focus ()
  return program


def find_chooser (program, title):
  """A dialog of GTK's for files: another one may be called like it, but that has no place for a path."""
  for window in program.list_windows ():
    if window.name == title and window.find (Role.TEXT):
      return window
  return None


def choose_file (program, title, path):
  """Types a path, until it is there: keys are lost while a window is new."""
  chooser = wait_for (f'the dialog {title}', lambda: find_chooser (program, title))
  is_typed = False
  for _ in range (5):
    program.focus (title)
    if chooser.find (Role.TEXT, 'Name:') is None:
      press ('ctrl+l')
    press ('ctrl+a')
    type_text (path)
    is_typed = happens (lambda: any (text.get_text ().startswith (path)
                                     for text in chooser.find_all (Role.TEXT)), 3)
    if is_typed:
      break
  assert is_typed, [(text.name, text.get_text ()) for text in chooser.find_all (Role.TEXT)]
  press ('Return')
  wait_for (f'the end of the dialog {title}', lambda: find_chooser (program, title) is None)
  program.focus ()


# ---- Steps ----

def get_rows (program):
  """The names of the rows of the table that GTK has made: "conv1, Convolution, 1x64x9x9, 1 parent…"."""
  def get_names ():
    return next ((names for names in map (
      lambda layers: [row.name for row in layers.find_all (Role.TABLE_ROW) if row.name],
      program.find_all (Role.LIST, 'Layers')) if names), None)

  return wait_for ('rows', get_names)


def get_name (row):
  return row.split (', ')[0]


def choose_two (rows):
  """Two layers, the later one not the last of all."""
  layers = [row for row in rows if row.split (', ')[1] not in ('input', 'parameter', 'constant')]
  assert len (layers) >= 2, rows
  return layers[0], layers[-2] if len (layers) > 2 else layers[-1]


def select_in_table (program, row):
  layers = program.wait_for (Role.LIST, 'Layers')
  program.click (wait_for (f'the row {row}', lambda: next (
    (one for one in layers.find_all (Role.TABLE_ROW, row) if one.is_on_screen ()), None)), x=20)
  program.wait_selected (row)


def select_by_search (program, row):
  press ('ctrl+f', 'ctrl+a')
  type_text (get_name (row))
  press ('Return')
  program.wait_selected (row)


def end_search (program):
  press ('ctrl+f', 'Escape')


def is_any_selected (program):
  return program.get_selected () != 'Nothing is selected'


def select_in_canvas (program):
  """Clicks from the middle of the drawing up and down, until it says that something is selected."""
  press ('Escape', 'ctrl+0')
  left, top, width, height = program.get_canvas ().get_rectangle ()
  for part in (0.5, 0.4, 0.6, 0.3):
    for y in sorted (range (8, height - 100, 13), key=lambda y: abs (y - height / 2)):
      program.click_canvas (width * part, y)
      if happens (lambda: is_any_selected (program), 0.15):
        return program.get_selected ()
  raise AssertionError ('nothing of the drawing can be selected')


def read_inspector (program, row):
  """What is selected is told in labels, too."""
  program.wait_for (Role.LABEL, row)


def is_marked (program):
  return 'marked as output' in program.get_selected ()


def mark_two (program, first, second):
  """One by the pointer, the other by a key."""
  select_in_table (program, first)
  read_inspector (program, first)
  program.click (program.wait_for (Role.PUSH_BUTTON, 'Mark as Output'))
  wait_for ('a mark', lambda: is_marked (program))
  wait_for ('the button', lambda: program.find (Role.PUSH_BUTTON, 'Mark as Output').has (State.PRESSED))
  select_by_search (program, second)
  read_inspector (program, second)
  wait_for ('the other button',
            lambda: not program.find (Role.PUSH_BUTTON, 'Mark as Output').has (State.PRESSED))
  press ('ctrl+m')
  wait_for ('another mark', lambda: is_marked (program))
  end_search (program)
  program.wait_for_label ('2 outputs')


def extract (program, path):
  program.wait_for (Role.PUSH_BUTTON, 'Extract').act ()
  choose_file (program, 'Save Model', path)
  wait_for (path, lambda: os.path.exists (path) and os.path.getsize (path) > 0)


def undo_and_redo (program):
  press ('ctrl+z')
  wait_for ('undoing', lambda: not is_marked (program))
  program.wait_for (Role.PUSH_BUTTON, 'Redo').act ()
  wait_for ('redoing', lambda: is_marked (program))


def export (program, path, word):
  press ('ctrl+shift+e')
  dialog = program.get_window ('Export')
  program.focus ('Export')
  wait_for ('Save', lambda: dialog.find (Role.PUSH_BUTTON, 'Save…')).act ()
  choose_file (program, 'Save Picture', path)
  text = wait_for (path, lambda: os.path.exists (path) and open (path).read ())
  assert text.startswith ('<?xml') and '</svg>' in text and word in text, text[:200]


def compute (program):
  """Runs the graph; what it says of that."""
  press ('F5')
  dialog = program.get_window ('Run Graph')
  program.focus ('Run Graph')
  wait_for ('Run', lambda: dialog.find (Role.PUSH_BUTTON, 'Run')).act ()
  label = program.wait_for_label ('Ran in')
  program.focus ()
  return label.name


def edit_name (program, row, name):
  """The name of what made a row, in the inspector."""
  select_by_search (program, row)
  end_search (program)
  program.click (program.wait_for (Role.LIST_ITEM, 'Name'))
  entry = program.wait_for (Role.TEXT, 'Name')
  press ('ctrl+a')
  type_text (name)
  press ('Return')
  wait_for ('what was edited', lambda: program.window_is_titled ('• '))
  return entry


def find_question (program):
  """The dialog that asks whether to save; None for none."""
  return next ((one for one in program.list_windows ()
                if one.find (Role.LABEL, part='Save Changes to')), None)


def ask_to_quit (program):
  """The question that comes.  There is no window manager, so that for a moment after a dialog the keyboard
  may belong to no window at all: a key that was lost then is pressed again, and that is told."""
  for patience in (15, 15, PATIENCE):
    press ('ctrl+q')
    try:
      return wait_for ('the question', lambda: find_question (program), patience)
    except AssertionError as error:
      if patience == PATIENCE:
        raise
      print (f'# {error}: pressed again', flush=True)
      program.focus ()


def close_with_unsaved (program):
  """It asks; and asks again, after it was told to go on."""
  ask_to_quit (program).find (Role.PUSH_BUTTON, 'Cancel').act ()
  wait_for ('its going on', lambda: find_question (program) is None)
  program.focus ()
  ask_to_quit (program).find (Role.PUSH_BUTTON, 'Discard').act ()
  assert program.process.wait (PATIENCE) == 0


# ---- The whole way, with each of many files ----

def journey (program, path, runs=True):
  title = os.path.basename (path)
  part = in_folder ('part-' + title)

  program.get_window (title)
  rows = get_rows (program)
  first, second = choose_two (rows)
  select_in_canvas (program)
  mark_two (program, first, second)
  undo_and_redo (program)
  extract (program, part)
  export (program, part + '.svg', get_name (first))
  if runs:
    compute (program)
  open_in_dialog (program, part)
  program.get_window (os.path.basename (part))
  program.canvas = None
  wait_for ('the rows of the part', lambda: len (get_rows (program)) > 0)
  press ('ctrl+w')
  program.get_window (title)
  program.canvas = None
  edit_name (program, first, 'renamed')
  close_with_unsaved (program)
  program.stop ()


def test_argument_mxnet ():
  path = in_data ('examples/toy-resnet-symbol.json')
  journey (open_by_argument (path), path)


def test_argument_onnx_with_weights ():
  path = write_onnx ()
  journey (open_by_argument (path), path)


def test_dialog_mxnet_with_weights ():
  path = write_mxnet_with_weights ()
  journey (open_by_dialog (path), path)


def test_dialog_symscope_json ():
  path = in_data ('samples/two-towers.symscope.json')
  journey (open_by_dialog (path), path)


def test_drop_onnx_text ():
  path = in_data ('samples/transformer-block.onnxtxt')
  journey (open_by_drop (path), path)


def test_drop_recurrent_net ():
  path = in_data ('samples/gru-tagger.onnxtxt')
  journey (open_by_drop (path), path)


def test_argument_u_net ():
  path = in_data ('samples/u-net-symbol.json')
  journey (open_by_argument (path), path, runs=False)


def test_large_graph ():
  path = write_large (20000)
  program = open_by_argument (path)

  program.get_window ('large-symbol.json')
  program.wait_for_label ('20,000 nodes')
  select_in_canvas (program)
  press ('ctrl+f')
  type_text ('act15001')
  press ('Return')
  row = 'act15001, Activation, 1x8, 1 parent, 1 child'
  program.wait_selected (row)
  read_inspector (program, row)
  press ('ctrl+m')
  wait_for ('a mark', lambda: is_marked (program))
  program.wait_for_label ('15,002 nodes')
  undo_and_redo (program)
  extract (program, in_folder ('half-symbol.json'))
  with open (in_folder ('half-symbol.json')) as file:
    assert len (json.load (file)['nodes']) == 15002
  program.stop ()


def test_what_is_no_graph_is_said ():
  for name, text in (('broken.json', '{"nodes": ['), ('empty.json', ''),
                     ('package.json', '{"name": "thing", "version": "1.0.0", "dependencies": {}}')):
    program = open_by_argument (write (name, text))

    program.wait_for_label (f'“{name}” Cannot Be Shown')
    open_in_dialog (program, in_data ('examples/toy-resnet-symbol.json'))
    program.get_window ('toy-resnet-symbol.json')
    assert get_rows (program)
    program.stop ()


TESTS = [test_argument_mxnet, test_argument_onnx_with_weights, test_dialog_mxnet_with_weights,
         test_dialog_symscope_json, test_drop_onnx_text, test_drop_recurrent_net, test_argument_u_net,
         test_large_graph, test_what_is_no_graph_is_said]

if __name__ == '__main__':
  run ('/gui/outside', TESTS)
