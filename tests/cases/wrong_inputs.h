#pragma once

#include "cases/checked_case.h"
#include <ostream>
#include <set>

namespace cases {

// Lines of the case of these tests.
inline const std::string step = "  set Step = 1e-3\n", young = "Young modulus = 100";
inline const std::string last = "  set Number of instants = 4\nend\n", region = "Region = bottom";

struct Replacement {
  std::string part, other;
};

struct File {
  std::string name, text;
};

/// A case with errors, and the required words of the message.
struct WrongInput {
  std::string name;
  std::vector<Replacement> replacements; ///< replacements in the case of these tests
  std::vector<std::string> arguments;    ///< further arguments
  std::vector<std::string> words;        ///< words of the message
  std::vector<File> files = {};
};

inline std::ostream &operator<<(std::ostream &out, const WrongInput &row) {
  return out << row.name;
}

/// Fixture that expects the refusal of a case without written files.
class WrongInputs : public CheckedCase, public testing::WithParamInterface<WrongInput> {
protected:
  void expect_refusal_of(const WrongInput &row) const {
    std::string text = case_file;
    for (const Replacement &replacement : row.replacements) {
      const auto at = text.find(replacement.part);
      ASSERT_NE(at, std::string::npos) << replacement.part;
      text.replace(at, replacement.part.size(), replacement.other);
    }
    write("case.prm", text);
    for (const File &file : row.files)
      write(file.name, file.text);
    const auto before = files();
    if (row.arguments.empty())
      expect_refusal(check_with({}), row.words);
    else {
      std::vector<std::string> arguments = {"case.prm"};
      arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
      expect_refusal(start("percussion", arguments), row.words);
    }
    EXPECT_EQ(files(), before);
  }

private:
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      names.insert(entry.path().string());
    return names;
  }
};

inline std::string name_of(const testing::TestParamInfo<WrongInput> &info) {
  return info.param.name;
}

} // namespace cases
