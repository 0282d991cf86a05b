/* SPDX-License-Identifier: MIT */
#if defined(__x86_64__) && defined(__GNUC__)

#  define LANES 8
#  define TARGET __attribute__ ((target ("arch=x86-64-v3")))
#  define MULTIPLY sym_panel_multiply_256
#  define MOST_ROWS 6
#  define N_PHASES 4
#  define ROW_CASES ROWS (2) ROWS (3) ROWS (4) ROWS (5) ROWS (6)

#  include "run/sym-panel-tile.h"

#endif
