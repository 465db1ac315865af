#pragma once

#include <percussion/fc/session.h>

#include <filesystem>

namespace percussion::fc {

/// Writes all results of a session; numbers that are not finite become null. Throws RunError if the
/// file cannot be written, as do the other functions.
///
///     version, tolerance, max_iterations, time_limit, start     the settings
///     runs         [ { problem, file, form, dimension, contacts, solver, method, solved, outcome,
///                      iterations, residual, raw_residual, time, open, stick, slip, start, message
///                      } ]
///     summary      [ { solver, problems, solved, total_time, median_time, iterations } ]
///     agreement    [ { problem, solvers, difference } ], the largest difference first
///     broken       [ { file, message } ]
///     interrupted
void write_json(const std::filesystem::path &file, const Settings &settings,
                const Results &results);

/// Writes one row per run, with names as in write_json().
void write_csv(const std::filesystem::path &file, const std::vector<Run> &runs);

/// Throws RunError unless a file of that name can be written; keeps an existing file.
void require_writable(const std::filesystem::path &file);

} // namespace percussion::fc
