/* SPDX-License-Identifier: MIT */
#define LANES 4
#define TARGET
#define MULTIPLY sym_panel_multiply_plain
#define MOST_ROWS 6
#define N_PHASES 4
#define ROW_CASES ROWS (2) ROWS (3) ROWS (4) ROWS (5) ROWS (6)

#include "run/sym-panel-tile.h"
