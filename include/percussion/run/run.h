#pragma once

#include <percussion/io/log.h>
#include <percussion/io/summary.h>
#include <percussion/run/case.h>

namespace percussion {

/// Make the folder of the results: what another run left there is moved aside (to DIRECTORY.1, .2,
/// …) or refused, and a folder with files that no run wrote is always refused. Returns what was
/// done, empty if nothing. Throws InputError.
std::string prepare_output_directory(const OutputOptions &options);

/// Run a case to its end and write its results; returns what summary.json says. The folder must
/// exist. Throws RunError; what was written before stays complete and readable.
template <int dim>
Summary run_case(const Case<dim> &c, Log &log);

} // namespace percussion
