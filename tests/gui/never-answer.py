#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# usage: never-answer.py
#
# Has the program's name on the bus, and nothing there to talk to.
import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
Gio.bus_own_name_on_connection(bus, "org.symscope.Symscope", Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
