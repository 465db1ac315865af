#pragma once

#include <percussion/output/log.h>
#include <percussion/output/summary.h>
#include <percussion/run/case.h>

namespace percussion {

/// Why results cannot be written to the folder: it is a file, holds files that no run wrote, or
/// holds results that may not be moved aside. Empty if nothing speaks against it. Changes nothing.
std::string output_problem(const OutputOptions &options);

/// Make the folder of the results. What another run left there is moved aside, to DIRECTORY.1, .2,
/// … Returns what was done, empty if nothing. Throws InputError, and leaves nothing behind then.
std::string prepare_output_directory(const OutputOptions &options);

/// Run a case to its end and write its results; returns what summary.json says. The folder must
/// exist. Throws RunError; what was written before stays complete and readable.
template <int dim>
Summary run_case(const Case<dim> &c, Log &log);

} // namespace percussion
