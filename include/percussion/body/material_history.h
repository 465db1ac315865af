#pragma once

#include <vector>

namespace percussion {

/// Histories of the quadrature points of cells whose law has memory (history_step.h), by elastic
/// body and by the entry of its list of materials: of each cell in the order of the mesh, of each
/// of its points, the numbers of the law, then zeros that fill the last block of cells. Without
/// memory the histories are empty; empty ones belong to virgin bodies. Each process has all of
/// them, so that they do not depend on the number of processes.
using MaterialHistory = std::vector<std::vector<std::vector<double>>>;

/// Returns the histories of an elastic body; empty if the bodies are virgin or have no memory.
inline const std::vector<std::vector<double>> &history_of_body(const MaterialHistory &history,
                                                               std::size_t body) {
  static const std::vector<std::vector<double>> virgin;
  return history.empty() ? virgin : history[body];
}

} // namespace percussion
