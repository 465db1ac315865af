#pragma once

#include <percussion/fclib/fclib.h>

namespace percussion {

/// Reads a problem in the text format (`.dat`) that frictionContact_printInFile() and
/// globalFrictionContact_printInFile() of Siconos numerics write: reduced if one matrix, W, of the
/// size of the contacts is followed by q and mu, else global, with M, H, q, b and mu. Matrices may
/// be dense, of sparse blocks, or sparse by triplets, compressed columns or compressed rows. There
/// are neither texts nor solutions in such files. Throws FclibError, with the line, unless the file
/// is complete, its sizes fit each other and its numbers are finite.
FclibFile read_siconos(const std::string &path);

/// Writes a problem in the text format of read_siconos(), with 17 digits: W dense or by blocks, as
/// it is stored, M and H by triplets. Texts, solution and guesses are omitted. Throws
/// std::invalid_argument if the size of W does not fit, and WriteError if the file cannot be
/// written. An error leaves an existing file unchanged.
void write_siconos(const std::string &path, const FclibFile &content);

/// Calls read_siconos() if the name ends with `.dat` and the content is not HDF5, otherwise
/// read_fclib().
FclibFile read_problem_file(const std::string &path);

/// Calls write_siconos() if the name ends with `.dat`, otherwise write_fclib().
void write_problem_file(const std::string &path, const FclibFile &content);

} // namespace percussion
