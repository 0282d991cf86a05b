/* SPDX-License-Identifier: MIT */
#pragma once

/* Goes on in a process of its own, and hears in this one what that says on standard error, also
 * when it crashes.  In the child it returns -1; in the parent, when the child has ended, the
 * status to end with: 0 when that ended well and said nothing. */
int ear_split_off (void);
