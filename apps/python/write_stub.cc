// write_stub TEMPLATE STUB: writes the stub of the module, with an attribute for each entry of the
// tables of results.

#include <percussion/output/ledger_columns.h>
#include <percussion/output/point_fields.h>

#include <fstream>
#include <iostream>
#include <map>
#include <string>

using namespace percussion;

namespace {

std::string attribute(const std::string &name, const std::string &type) {
  return "    " + name + ": " + type + "\n";
}

/// Returns the lines in place of each line "@NAME@" of the template.
std::map<std::string, std::string> attributes() {
  std::map<std::string, std::string> lines;
  for (const WorkEntry &entry : work_entries)
    lines["    @WORKS@"] += attribute(entry.name, "float");
  for (const StepEntry &entry : step_entries)
    lines["    @STEP_ENTRIES@"] += attribute(entry.name, entry.is_count ? "int" : "float");
  for (const DefectEntry &entry : defect_entries())
    lines["    @DEFECTS@"] += attribute(entry.name, "float");
  for (const PointField<2> &field : point_fields<2>())
    lines["    @POINT_FIELDS@"] += attribute(field.name, "_Floats");
  return lines;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: write_stub TEMPLATE STUB\n";
    return 2;
  }
  std::ifstream input(argv[1]);
  std::ofstream output(argv[2]);
  const auto lines = attributes();
  for (std::string line; std::getline(input, line);)
    if (const auto found = lines.find(line); found != lines.end())
      output << found->second;
    else
      output << line << '\n';
  output.close();
  if (input.bad() || !output) {
    std::cerr << "write_stub: " << argv[2] << " cannot be written\n";
    return 1;
  }
}
