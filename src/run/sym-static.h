/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-plan.h"

G_BEGIN_DECLS

/* What stands in place of PyTorch Symbolic's enable_cuda_graphs (P65), of its generated forward
 * (P63) and of optimize_module_calls() (P26): a plan of a model for one shape of its inputs, in
 * which calls are compiled to few steps with memory of their own.  It is enabled by making one, and
 * disabled by running a plan without it, as sym_model_call() does; the model is the same.
 *
 * Every input must be a tensor of known sizes: SYM_ERROR_UNDECIDED, "Must provide batch size for
 * each input!", names the first one that is not.  @n_threads as in SymPlanOptions. */
SymPlan *
sym_plan_new_static (SymModel *model, guint n_threads, GCancellable *cancellable, GError **error);

G_END_DECLS
