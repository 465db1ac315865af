#pragma once

#include <percussion/base/blas_threads.h>

#include <deal.II/base/mpi.h>

#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace percussion {

/// MPI for as long as it lives: Trilinos' vectors need it, also on a single process. BLAS, which
/// they use too, gets one thread.
class MpiSession {
public:
  /// Takes the arguments of main(), of which MPI may use some.
  MpiSession(int &argc, char **&argv) : session(prepared(argc), argv, 1) {
    use_one_blas_thread();
    look_for_leaks(true);
  }

private:
  /// A process on its own needs no daemon and no session directory of Open MPI: the first would
  /// wait for the network to know this machine, the second is shared by processes that start
  /// together.
  static int &prepared(int &argc) {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
    look_for_leaks(false);
    return argc;
  }

  /// Open MPI never frees all that it starts with, and the address sanitizer would name it a leak.
  static void look_for_leaks([[maybe_unused]] bool look) {
#ifdef __SANITIZE_ADDRESS__
    look ? __lsan_enable() : __lsan_disable();
#endif
  }

  dealii::Utilities::MPI::MPI_InitFinalize session;
};

} // namespace percussion
