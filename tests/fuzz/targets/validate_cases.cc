// Validates cases as `percussion FILE --validate` does, many in one process:
//
//   validate_cases < NAMES
//
// For each line of the standard input, the name of a parameter file, it prints a line with the exit
// status that the program would have and, unless this is 0, the beginning of the message. Without
// the floating-point traps of debug builds, which end at numbers such as 1e300 on purpose.

#include <percussion/advice/estimate.h>
#include <percussion/base/error.h>
#include <percussion/base/mpi_session.h>
#include <percussion/run/results_folder.h>
#include <percussion/run/run.h>

#include <algorithm>
#include <iostream>

namespace {

using namespace percussion;

void validate(const std::string &name) {
  const auto file = ParameterFile::read(name);
  const Parameters parameters(declare_case(&file), file);
  dispatch_dimension(dimension_of(file), [&](auto dim) {
    Log log(true, false);
    const auto c = build_case<dim>(parameters, file, false, &log);
    const ResultsFolder<dim> folder(c, parameters, false);
    log_case(c, file.name(), log);
    log_estimate(c, log);
  });
}

/// Returns a text as one line of at most 300 characters.
std::string as_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.substr(0, 300);
}

std::string outcome(const std::string &name) {
  try {
    validate(name);
  } catch (const InputError &error) {
    return "2 " + as_line(error.what());
  } catch (const std::exception &error) {
    return "1 " + as_line(error.what());
  }
  return "0";
}

} // namespace

int main() {
  const MpiSession mpi;
  std::string name;
  while (std::getline(std::cin, name))
    std::cout << outcome(name) << std::endl;
  return 0;
}
