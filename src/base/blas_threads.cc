#include <percussion/base/blas_threads.h>

#include <dlfcn.h>

namespace percussion {

void use_one_blas_thread() {
  // Looked up at run time, because other BLAS libraries do not have this function.
  using Set = void (*)(int);
  if (const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
    set(1);
  // CHOLMOD requests four threads from OpenMP whatever the default; with zero active levels OpenMP
  // starts none.
  if (const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels")))
    set(0);
}

} // namespace percussion
