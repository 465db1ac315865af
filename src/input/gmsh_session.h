#pragma once

#include <functional>
#include <string>
#include <vector>

namespace percussion {

/// Starts Gmsh in a child process, which is confined from then on (confine_process): the commands
/// of a geometry could otherwise start programs and write files. Gmsh's results depend only on the
/// file, not on the user's settings of Gmsh or on chance. Its messages are logged, not printed.
/// Throws InputError if a geometry is read and the process cannot be confined.
void start_gmsh(bool reads_geometry);

/// Returns the lines of Gmsh's log that begin with this label, without the label.
std::vector<std::string> logged(const std::string &label);

/// Lets Gmsh act on a file. Converts exceptions, errors that Gmsh only logs, and commands that were
/// denied to InputError, which begins with the text `failure` or names the command.
void expect_success(const std::string &failure, const std::string &file,
                    const std::function<void()> &action);

} // namespace percussion
