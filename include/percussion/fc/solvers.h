#pragma once

#include <percussion/cone/method.h>

#include <string>
#include <vector>

namespace percussion::fc {

/// The methods that "a,b,..." names, each once, in this order; every one for "all". Throws
/// InputError for a name that there is not, with all that there are.
std::vector<ConeMethodEntry> find_solvers(const std::string &list);

/// One line a method: its name and what it does.
std::string describe_solvers();

} // namespace percussion::fc
