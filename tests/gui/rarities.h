/* SPDX-License-Identifier: MIT */
#pragma once

/* Pictures of what users seldom come by, one function for each page of looks. */

/* A cut with a parent from outside, and what the bar's offer makes of it. */
void rarities_look_at_foreign_parents (void);

/* A file that takes long to read, and what is left when somebody cancels. */
void rarities_look_at_long_reads (void);

/* A run that comes to an operator that nobody knows. */
void rarities_look_at_unknown_operators (void);

/* The dialogs for weights and printers, and what tells that a picture was copied. */
void rarities_look_at_choosers (void);

/* 20,000 nodes: searched, cut, all unfolded, in either drawing. */
void rarities_look_at_many_nodes (void);

/* Two graphs compared: bar, legend, list of differences; in the inspector, what is removed. */
void rarities_look_at_comparisons (void);

/* Bookmarks of a graph: the dialog without any, with some, and where it gives one another name. */
void rarities_look_at_bookmarks (void);
