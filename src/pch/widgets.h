/* SPDX-License-Identifier: MIT */
/* As base.h, for the window. */
#include <adwaita.h>
