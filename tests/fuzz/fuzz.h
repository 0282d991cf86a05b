/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A fuzz target is a file fuzz-<name>.c with this function and a line in meson.build.  It must come
 * back from any bytes, without a crash, a leak or a hang, and assert what always holds.  libFuzzer
 * makes the bytes; replay.c, in every build, takes them from the fixtures. */
int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);
