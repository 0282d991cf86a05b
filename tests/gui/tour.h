/* SPDX-License-Identifier: MIT */
#pragma once

/* Takes a picture of every part of the window with the graph of that file, of any size: its
 * drawings, its pages of the inspector, a search, a cut, its menus and dialogs. */
void tour (const char *path);
