/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How workers and their clients tell where a message begins and ends, over the worker's standard
 * input and output.  Both run on one machine and come from one build: numbers are in its own byte
 * order, structs have no padding.
 *
 * A message is a SymWorkerFrame and @size bytes.  What the kinds are is in the protocol of each
 * worker; no two have the same, and none is 0.  After bytes that are no frame a worker cannot know
 * where the next message begins: it answers SYM_WORKER_FAILURE and exits with 1. */

#define SYM_WORKER_MAGIC 0x31776d73u /* "smw1" */

enum {
  SYM_WORKER_FAILURE = 3, /* of all workers: a message for people, UTF-8, not terminated */
};

typedef struct {
  guint32 magic;
  guint32 kind;
  guint64 size;
} SymWorkerFrame;

G_END_DECLS
