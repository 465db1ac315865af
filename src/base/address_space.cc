#include <percussion/base/address_space.h>
#include <percussion/base/error.h>
#include <percussion/base/format.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

extern "C" void dtrsv_(const char *upper, const char *transposed, const char *unit, const int *n,
                       const double *A, const int *lda, double *x, const int *stride);

namespace percussion {
namespace {

/// Returns the limit of the address space [bytes]; zero without a limit.
double limit() {
  rlimit limits{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limits) == 0 && limits.rlim_cur != RLIM_INFINITY;
  return is_limited ? static_cast<double>(limits.rlim_cur) : 0.;
}

/// Returns the address space that this process has taken [bytes].
double address_space_in_use() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Lets OpenBLAS take its buffer, by the smallest call that needs it.
void take_blas_buffer() {
  const double A = 1;
  double x = 1;
  const int n = 1;
  dtrsv_("L", "N", "N", &n, &A, &n, &x, &n);
}

std::string kilobytes(double bytes) { return format("%.0f kB", bytes / 1024.); }

} // namespace

void fit_into_address_space(char **arguments, double bytes) {
  constexpr double buffer = 129. * 1024. * 1024.;
  constexpr const char *variable = "OPENBLAS_NUM_THREADS";
  if (limit() == 0.)
    return;
  const bool has_openblas = dlsym(RTLD_DEFAULT, "openblas_set_num_threads") != nullptr;
  const char *const n_threads = std::getenv(variable);
  if (has_openblas && (n_threads == nullptr || std::strcmp(n_threads, "1") != 0)) {
    setenv(variable, "1", 1);
    execv("/proc/self/exe", arguments); // returns only if it fails
  }
  const double needed = address_space_in_use() + bytes + (has_openblas ? buffer : 0.);
  if (needed > limit())
    throw InputError("the address space is limited to " + kilobytes(limit()) +
                     " (ulimit -v), and the program itself needs " + kilobytes(needed) +
                     ": raise the limit");
  take_blas_buffer();
}

std::string limit_of_address_space() {
  return limit() == 0. ? ""
                       : "; the address space is limited to " + kilobytes(limit()) + " (ulimit -v)";
}

} // namespace percussion
