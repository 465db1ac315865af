#pragma once

#include <string>

namespace percussion {

/// Returns the script that shows the results of a run in ParaView, src/output/paraview_macro.py. It
/// is the same for all runs, and reads the data of a run from the files in its own folder.
const std::string &paraview_macro();

/// File name of the script in the folder of a run.
constexpr const char *paraview_macro_name = "paraview_macro.py";

} // namespace percussion
