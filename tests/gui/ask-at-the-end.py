#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# usage: ask-at-the-end.py FILE | --behind FILE
#
# Tells the program that runs to quit, and in the same breath to open a file; or asks it what it can do
# until it says that it is ending, and then to open a file, as a program does that was answered just before.
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH, INTERFACE = "org.symscope.Symscope", "/org/symscope/Symscope", "org.freedesktop.Application"


def call(bus, method, arguments):
    bus.call(NAME, PATH, INTERFACE, method, arguments, None, Gio.DBusCallFlags.NONE, -1, None, None)


def is_ending(bus):
    try:
        bus.call_sync(NAME, PATH, "org.gtk.Actions", "DescribeAll", None, None, Gio.DBusCallFlags.NO_AUTO_START,
                      -1, None)
    except GLib.Error as error:
        if "The program is ending" not in error.message:
            sys.exit(error.message)
        return True
    return False


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    uri = Gio.File.new_for_commandline_arg(sys.argv[-1]).get_uri()
    opening = GLib.Variant("(asa{sv})", ([uri], {}))
    call(bus, "ActivateAction", GLib.Variant("(sava{sv})", ("quit", [], {})))
    if sys.argv[1] != "--behind":
        call(bus, "Open", opening)
        bus.flush_sync(None)
        return
    while not is_ending(bus):
        time.sleep(0.005)
    time.sleep(0.15)
    bus.call_sync(NAME, PATH, INTERFACE, "Open", opening, None, Gio.DBusCallFlags.NO_AUTO_START, -1, None)


main()
