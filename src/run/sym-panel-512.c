/* SPDX-License-Identifier: MIT */
#if defined(__x86_64__) && defined(__GNUC__)

#  define LANES 16
#  define TARGET __attribute__ ((target ("arch=x86-64-v4")))
#  define MULTIPLY sym_panel_multiply_512
#  define N_PHASES 8
#  ifdef SYM_LANES_SMALL
#    define MOST_ROWS 4
#    define ROW_CASES ROWS (2) ROWS (3) ROWS (4)
#  else
#    define MOST_ROWS 12
#    define ROW_CASES \
      ROWS (2)        \
      ROWS (3) ROWS (4) ROWS (5) ROWS (6) ROWS (7) ROWS (8) ROWS (9) ROWS (10) ROWS (11) ROWS (12)
#  endif

#  include "run/sym-panel-tile.h"

#endif
