#pragma once

#include <string>

namespace percussion {

/// Prepares a program for a limit of its address space (`ulimit -v`, batch systems); does nothing
/// without a limit. To be called before anything else.
///
/// OpenBLAS takes a buffer of 128 MiB for each thread, which it starts before main(), and repeats a
/// failed request for ever. Therefore the program is started again with one thread of OpenBLAS, and
/// takes this buffer now. Throws InputError, with the limit, if it leaves less than the buffer and
/// these bytes. `arguments` are the arguments of main().
void fit_into_address_space(char **arguments, double bytes);

/// Returns "; the address space is limited to 0.8 GB (ulimit -v)", or "" without a limit.
std::string limit_of_address_space();

} // namespace percussion
