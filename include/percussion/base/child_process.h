#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace percussion {

/// Failure of a child process: a crash, a limit that it met, or an exception other than InputError.
class ChildFailure : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Returns the bytes that `compute` returns in a child process, which shares no memory with this
/// one: whatever the computation does to its memory, its files or its signals ends with the child.
/// Its standard output and error are discarded; it may use all memory of the machine, but no swap.
///
/// `cpu_limit` is the longest processor time of the child [s], and its wall time is limited to ten
/// times as much; 0: no limit. Throws InputError with the text of an InputError of `compute`, and
/// ChildFailure, with the reason, if the child ends in any other way without a result.
std::string run_in_child(const std::function<std::string()> &compute, double cpu_limit = 0);

} // namespace percussion
