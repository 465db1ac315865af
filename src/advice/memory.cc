#include <percussion/advice/memory.h>
#include <percussion/algebra/contact_system.h>
#include <percussion/balance/balance_size.h>
#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/base/processes.h>
#include <percussion/dynamics/choose_contact_route.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace percussion {
namespace {

constexpr double gigabyte = 1e9;

/// Returns the number after a word of a file of the kernel, or the first number if the word is
/// empty; infinite if there is none.
double number_in(const std::string &file, const std::string &word) {
  std::ifstream stream(file);
  std::string name;
  double number = 0;
  while (!word.empty() && stream >> name && name != word) {
  }
  return stream >> number ? number : std::numeric_limits<double>::infinity();
}

/// Returns the size of this process [bytes]: 0 its address space, 1 its resident pages.
double size_of_process(unsigned int column) {
  std::ifstream stream("/proc/self/statm");
  double pages = 0;
  for (unsigned int i = 0; i <= column; ++i)
    stream >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string to_gigabytes(double bytes) {
  return format(bytes < 1000 * gigabyte ? "%.3g GB" : "%.0f GB", bytes / gigabyte);
}

std::string parts(const ExpectedMemory &memory) {
  std::string text =
      to_gigabytes(memory.present) + " now, " + to_gigabytes(memory.matrices) + " for matrices, ";
  if (memory.factor_entries > 0.)
    text += to_gigabytes(memory.factor()) +
            format(" for a factor of %.2g entries, ", memory.factor_entries);
  return text + to_gigabytes(memory.contacts) + " for contacts, " + to_gigabytes(memory.output) +
         " for output";
}

/// Returns the memory of matrices [bytes] that is not yet present: Â with copies of M, K and Â for
/// products and factors, measured, or Â in single precision.
double matrix_bytes(const Operators &operators) {
  constexpr double per_entry_of_rows = 30, per_entry_of_nodes = 2.2;
  return operators.storage == MatrixStorage::rows
             ? per_entry_of_rows * static_cast<double>(operators.stiffness.values().size())
             : per_entry_of_nodes * operators.n_stiffness_entries / processes::number();
}

} // namespace

template <int dim>
ExpectedMemory expected_memory(const Case<dim> &c) {
  // Bytes, measured on the shipped cases and on crowds of 10,000 bodies.
  constexpr double per_unknown = 300, per_node = 600;
  constexpr double per_body = dim == 2 ? 8e3 : 20e3, per_vertex = dim == 2 ? 300 : 600;
  constexpr double most_entries = 6e8; // of the factor that `automatic` makes
  ExpectedMemory memory;
  memory.present = size_of_process(1);
  const System<dim> &bodies = *c.bodies;
  const double n = bodies.n_elastic_dofs();
  double n_vertices = 0;
  for (const auto &body : bodies.rigid)
    n_vertices += static_cast<double>(body.outline.size());
  memory.contacts = per_body * static_cast<double>(bodies.rigid.size());
  memory.output = per_node * n / dim / processes::number() + per_vertex * n_vertices;
  if (n == 0.)
    return memory;
  memory.matrices = per_unknown * n + matrix_bytes(bodies.operators);
  const Trace<dim> &trace = c.boundary->trace;
  double entries = 0;
  for (const auto &body : bodies.elastic)
    entries += entries_of_factor(body->n_dofs(), dim);
  const ContactRoute route =
      choose_contact_route(bodies, c.choices, trace.n_elastic(), c.boundary->projectable());
  if (route.solver == LinearSolver::direct ||
      (route.solver == LinearSolver::automatic && entries <= most_entries))
    memory.factor_entries = entries;
  const bool has_large_interface = !route.may_project() && memory.factor_entries > 0.;
  const unsigned int most_dense =
      ContactSystem::largest_interface(has_large_interface ? bodies.n_elastic_dofs() : 0, dim);
  const double n_dense = std::min(trace.n_elastic(), most_dense);
  // In 3D, W of linear bodies is written from a copy of the compliances.
  const double n_matrices = dim == 3 && has_linear_balance(bodies) ? 4. : 3.;
  memory.contacts += n_matrices * 8. * n_dense * n_dense;
  return memory;
}

double available_memory() {
  double left = 1024. * number_in("/proc/meminfo", "MemAvailable:");
  // The page cache of a control group counts as its memory, but makes room.
  const std::string group = "/sys/fs/cgroup/memory.";
  const double group_bytes = number_in(group + "stat", "anon");
  if (std::isfinite(group_bytes))
    left = std::min(left, number_in(group + "max", "") - group_bytes);
  left /= processes::number_on_this_machine();
  if (rlimit limit{}; getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    left = std::min(left, static_cast<double>(limit.rlim_cur) - size_of_process(0));
  return size_of_process(1) + std::max(left, 0.);
}

namespace {

std::string numbers(const ExpectedMemory &memory, double available) {
  const unsigned int n = processes::number();
  return (n > 1 ? format("each of the %u processes takes about ", n)
                : std::string("the run takes about ")) +
         to_gigabytes(memory.sum()) + " of memory (" + parts(memory) + "), and " +
         to_gigabytes(available) + " are available" + (n > 1 ? " to it" : "");
}

std::string advice(const ExpectedMemory &memory) {
  const bool needs_no_factor = memory.factor() > 0.5 * memory.sum();
  return std::string(": take a coarser mesh or fewer bodies") +
         (needs_no_factor
              ? ", or Solver/Linear systems = conjugate gradients, which needs no factor"
              : "");
}

} // namespace

template <int dim>
void report_memory(const Case<dim> &c, double available, Log &log) {
  const ExpectedMemory memory = expected_memory(c);
  if (memory.sum() > available)
    log.warning(numbers(memory, available) + advice(memory));
  else if (memory.sum() > gigabyte)
    log.info("Memory    " + numbers(memory, available));
}

template <int dim>
void require_memory(const Case<dim> &c, double available, Log &log) {
  constexpr double uncertainty = 2; // of the estimate
  const ExpectedMemory memory = expected_memory(c);
  if (memory.sum() > uncertainty * available)
    throw InputError(numbers(memory, available) + advice(memory));
  report_memory(c, available, log);
}

PERCUSSION_INSTANTIATE(expected_memory);
PERCUSSION_INSTANTIATE(report_memory);
PERCUSSION_INSTANTIATE(require_memory);

} // namespace percussion
