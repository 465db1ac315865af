#pragma once

#include <string>

namespace percussion {

/// The file that shows the results of a run in ParaView, src/output/paraview_macro.py, the same for
/// all runs: what it needs to know of one it reads from the files beside it.
const std::string &paraview_macro();

/// Its name in the folder of a run.
constexpr const char *paraview_macro_name = "paraview_macro.py";

} // namespace percussion
