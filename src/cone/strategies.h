#pragma once

#include <percussion/cone/method.h>

#include "method_runs.h"

namespace percussion {

/// Runs `method`, or methods one after the other, and leaves the best solution found, which is the
/// initial guess if none improves it.
template <int d>
void solve_by(ConeMethod method, MethodRuns<d> &run);

} // namespace percussion
