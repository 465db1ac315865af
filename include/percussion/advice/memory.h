#pragma once

#include <percussion/case/case.h>
#include <percussion/output/log.h>

namespace percussion {

/// Expected memory of a run by its consumers [bytes], within a factor of two.
struct ExpectedMemory {
  double present = 0;        ///< memory of this process, which holds the meshes, mass and stiffness
  double matrices = 0;       ///< further matrices and vectors of elastic bodies
  double factor_entries = 0; ///< number of entries of the factor; zero for conjugate gradients
  double contacts = 0;       ///< dense operator of elastic contacts, and contacts of rigid bodies
  double output = 0;         ///< grids of the VTU files

  double factor() const { return 8. * factor_entries; } ///< memory of the factor [bytes]
  double sum() const { return present + matrices + factor() + contacts + output; }
};

/// Returns the expected memory of a run, by numbers of unknowns, bodies and candidate contacts.
template <int dim>
ExpectedMemory expected_memory(const Case<dim> &c);

/// Returns the memory that this process may have at most [bytes]: its present memory and what the
/// machine, its control group and the process's limits have left. Processes on one machine share
/// what it has left. Infinite if the system does not tell.
double available_memory();

/// Warns, with the numbers, if a run is expected to take more memory than is available. Logs them
/// if they exceed one gigabyte.
template <int dim>
void report_memory(const Case<dim> &c, double available, Log &log);

/// Throws InputError, with the numbers, if a run would take more than is available even if its
/// expected memory were too large by a factor of two; else as report_memory().
template <int dim>
void require_memory(const Case<dim> &c, double available, Log &log);

} // namespace percussion
