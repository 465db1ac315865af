#pragma once

#include <percussion/base/error.h>
#include <percussion/case/case.h>

#include "cases/support.h"

namespace cases {

/// Fixture that checks cases without starting the program.
class CheckedCase : public CaseFolder {
protected:
  /// Reads and checks the case in this process, a hundred times as fast as with the program.
  Outcome check_with(const std::vector<std::string> &assignments) const {
    const fs::path before = fs::current_path();
    fs::current_path(folder); // messages contain the names of files as given
    Outcome outcome;
    try {
      auto file = percussion::ParameterFile::read("case.prm");
      for (const auto &assignment : assignments)
        file.override_with(assignment);
      const percussion::Parameters parameters(percussion::declare_case(&file), file);
      percussion::dispatch_dimension(percussion::dimension_of(file), [&](auto dim) {
        percussion::build_case<dim>(parameters, file);
      });
      outcome.status = 0;
    } catch (const percussion::InputError &error) {
      outcome = {2, "", "percussion: " + percussion::printable(error.what()) + '\n'};
    } catch (const std::exception &error) {
      outcome = {1, "", error.what()};
    }
    fs::current_path(before);
    return outcome;
  }
};

} // namespace cases
