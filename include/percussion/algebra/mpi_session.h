#pragma once

#include <percussion/cone/blas_threads.h>

#include <deal.II/base/mpi.h>

#include <cstdlib>

namespace percussion {

/// MPI for as long as it lives: Trilinos' vectors need it, also on a single process. BLAS, which they
/// use too, gets one thread.
class MpiSession {
public:
  MpiSession(int &argc, char **&argv) : session(prepared(argc), argv, 1) {
    use_one_blas_thread();
  }

private:
  /// A process on its own needs no daemon and no session directory of Open MPI: the first would
  /// wait for the network to know this machine, the second is shared by processes that start
  /// together.
  static int &prepared(int &argc) {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
    return argc;
  }

  dealii::Utilities::MPI::MPI_InitFinalize session;
};

} // namespace percussion
