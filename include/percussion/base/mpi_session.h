#pragma once

#include <percussion/base/blas_threads.h>
#include <percussion/base/freed_memory.h>
#include <percussion/base/launcher.h>

#include <deal.II/base/mpi.h>

#include <array>
#include <cstdlib>
#include <string>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace percussion {

/// Session of MPI, which Trilinos needs even on a single process. Restricts BLAS to one
/// thread, and lets freed memory return to the system.
///
/// deal.II also starts PETSc, which is not used here. Left alone it would read `.petscrc` in the
/// current folder, whose options start programs: hence -skip_petscrc. PETSc 3.22 counts this option
/// as unused, and `-options_left no` omits its warning at the end. The arguments of main() are not
/// passed, because PETSc would take options from them, too.
class MpiSession {
public:
  MpiSession() : session(prepared(n_arguments), arguments, 1) {
    use_one_blas_thread();
    return_freed_memory();
    look_for_leaks(true);
  }

private:
  /// Disables the daemon and the session directory of Open MPI, which a single process does not
  /// need: the daemon would wait for the network to resolve the host name, the directory is shared
  /// by processes that start at the same time. Processes of mpirun have its daemon and directory.
  static int &prepared(int &argc) {
    if (!launch().is_by_mpirun) {
      setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
      setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
    }
    look_for_leaks(false);
    return argc;
  }

  /// Switches the leak search of the address sanitizer on or off: Open MPI never frees some memory
  /// of its initialisation.
  static void look_for_leaks([[maybe_unused]] bool look) {
#ifdef __SANITIZE_ADDRESS__
    look ? __lsan_enable() : __lsan_disable();
#endif
  }

  std::string name = "percussion", skip = "-skip_petscrc", left = "-options_left", no = "no";
  std::array<char *, 5> words = {{name.data(), skip.data(), left.data(), no.data(), nullptr}};
  int n_arguments = 4;
  char **arguments = words.data();
  dealii::Utilities::MPI::MPI_InitFinalize session;
};

} // namespace percussion
