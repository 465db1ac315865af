#pragma once

#include <string>

namespace percussion {

/// Confines this process, its threads and everything that it starts until it ends, by a filter of
/// system calls: it can neither start a program, nor open a connection, nor change, create or
/// remove a file, nor open a device or a pipe. Regular files and folders can be read, and files
/// that are open already remain so. A denied call fails with EPERM and is noted, except for the
/// start of a process by fork() or system(), and for a socket of this machine, without which the C
/// library finds the name of a user (the reader of IGES files asks for it). Libraries whose input
/// is a script, such as Gmsh, run in a confined child process, because the script of a stranger
/// should not have the rights of the user. The filter is no protection against machine code.
/// Returns false if the kernel has no such filter; the process is then not confined.
bool confine_process();

/// Returns the first denial of this confined process, as the end of a sentence, e.g. "start a
/// program" or "write 'out.txt'"; empty if there was none.
std::string first_denial();

/// Forgets the denials so far, such as denials of a library's own start.
void forget_denials();

} // namespace percussion
