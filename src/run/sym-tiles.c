/* SPDX-License-Identifier: MIT */
#include "run/sym-tiles-private.h"

#if defined(__x86_64__) && defined(__GNUC__)

#  include <cpuid.h>
#  include <immintrin.h>
#  include <sys/syscall.h>
#  include <unistd.h>

/* Of the processor, as it names them. */
#  define HALVES_OF_TILES (1u << 22)
#  define TILES (1u << 24)
#  define BYTES_OF_TILES (1u << 25)
#  define HALVES_OF_VECTORS (1u << 5)

/* Of the system: tiles are so large that a process must ask before it uses them. */
#  define ASK_FOR_STATE 0x1023
#  define STATE_OF_TILES 18

typedef struct {
  gsize is_known;
  gboolean bytes, halves;
} Answer;

static gboolean
has_vectors (void)
{
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl") &&
         __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq") &&
         __builtin_cpu_supports ("avx512cd") && __builtin_cpu_supports ("avx512vnni");
}

static void
ask (Answer *self)
{
  guint a, b, c, d;

  if (!has_vectors () || !__get_cpuid_count (7, 0, &a, &b, &c, &d) || (d & TILES) == 0 ||
      syscall (SYS_arch_prctl, ASK_FOR_STATE, STATE_OF_TILES) != 0)
    return;
  self->bytes = (d & BYTES_OF_TILES) != 0;
  self->halves = (d & HALVES_OF_TILES) != 0 && __get_cpuid_count (7, 1, &a, &b, &c, &d) &&
                 (a & HALVES_OF_VECTORS) != 0;
}

static const Answer *
get_answer (void)
{
  static Answer answer;

  if (g_once_init_enter (&answer.is_known))
    {
      ask (&answer);
      g_once_init_leave (&answer.is_known, 1);
    }
  return &answer;
}

gboolean
sym_tiles_have_bytes (void)
{
  return get_answer ()->bytes;
}

gboolean
sym_tiles_have_halves (void)
{
  return get_answer ()->halves;
}

/* As the processor reads it. */
typedef struct {
  guint8 palette, start, reserved[14];
  guint16 row_bytes[16];
  guint8 n_rows[16];
} Config;

/* Compilers do not know that all of it is read: it is nobody's to write. */
static const Config config = {
  .palette = 1,
  .row_bytes = { SYM_TILE_DEPTH, SYM_TILE_DEPTH, SYM_TILE_DEPTH, SYM_TILE_DEPTH, SYM_TILE_DEPTH,
                 SYM_TILE_DEPTH, SYM_TILE_DEPTH, SYM_TILE_DEPTH },
  .n_rows = { SYM_TILE_SIDE, SYM_TILE_SIDE, SYM_TILE_SIDE, SYM_TILE_SIDE, SYM_TILE_SIDE,
              SYM_TILE_SIDE, SYM_TILE_SIDE, SYM_TILE_SIDE },
};

__attribute__ ((target ("amx-tile"))) void
sym_tiles_begin (void)
{
  _tile_loadconfig (&config);
}

__attribute__ ((target ("amx-tile"))) void
sym_tiles_end (void)
{
  _tile_release ();
}

#else

gboolean
sym_tiles_have_bytes (void)
{
  return FALSE;
}

gboolean
sym_tiles_have_halves (void)
{
  return FALSE;
}

#endif
