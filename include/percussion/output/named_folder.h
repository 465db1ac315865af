#pragma once

#include <string>

namespace percussion {

/// The folder that has a name now. Files are written by their names: where it is moved, and another
/// folder is given its name, they would come among that one's.
class NamedFolder {
public:
  /// Throws WriteError where there is none.
  explicit NamedFolder(const std::string &folder);

  /// Throws WriteError where the name is another folder's by now, or none's.
  void expect_same() const;

private:
  std::string name;
  unsigned long long device, number;
};

} // namespace percussion
