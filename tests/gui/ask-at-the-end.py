#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# usage: ask-at-the-end.py FILE
#
# Tells the program that runs to quit, and in the same breath to open a file.
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH, INTERFACE = "org.symscope.Symscope", "/org/symscope/Symscope", "org.freedesktop.Application"


def call(bus, method, arguments):
    bus.call(NAME, PATH, INTERFACE, method, arguments, None, Gio.DBusCallFlags.NONE, -1, None, None)


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    uri = Gio.File.new_for_commandline_arg(sys.argv[1]).get_uri()
    call(bus, "ActivateAction", GLib.Variant("(sava{sv})", ("quit", [], {})))
    call(bus, "Open", GLib.Variant("(asa{sv})", ([uri], {})))
    bus.flush_sync(None)


main()
