#pragma once

#include <percussion/cone/method.h>

#include <string>
#include <vector>

namespace percussion::fc {

/// Returns the methods in a list "a,b,...", each once; "all" stands for every method. Throws
/// InputError for an unknown name.
std::vector<ConeMethodEntry> find_solvers(const std::string &list);

/// Returns name and description of each method, one per line.
std::string describe_solvers();

} // namespace percussion::fc
