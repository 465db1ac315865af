#pragma once

namespace percussion {

/// Processes that mpirun, or another program like it, has started together, as the environment
/// of this process describes them; MPI need not have been started.
struct Launch {
  unsigned int n_processes = 1;
  unsigned int rank = 0; ///< number of this process, beginning with zero
  bool is_by_mpirun = false;
};

/// Returns the numbers in the environment of this process: of Open MPI, or of MPICH and its
/// descendants. One process without them.
Launch launch();

} // namespace percussion
