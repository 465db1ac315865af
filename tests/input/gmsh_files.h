#pragma once

#include <percussion/base/error.h>
#include <percussion/input/read_mesh.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <filesystem>
#include <fstream>

namespace percussion::test {
namespace fs = std::filesystem;

/// Returns the lines of a section of a Gmsh 2.2 file, with their number if the section has one.
inline std::string section(const std::string &name, const std::vector<std::string> &lines) {
  std::string text = "$" + name + "\n" + std::to_string(lines.size()) + "\n";
  for (const auto &line : lines)
    text += line + "\n";
  return text + "$End" + name + "\n";
}

/// Mesh of two adjacent quadrilaterals, as text of format 2.2.
struct GmshFile {
  std::vector<std::string> names = {"1 1 \"bottom\"", "2 5 \"block\""};
  std::vector<std::string> nodes = {"1 0 0 0", "2 1 0 0", "3 2 0 0",
                                    "4 0 1 0", "5 1 1 0", "6 2 1 0"};
  std::vector<std::string> elements = {"1 1 2 1 1 1 2", "2 1 2 1 1 2 3", "3 3 2 5 1 1 2 5 4",
                                       "4 3 2 5 1 2 3 6 5"};

  std::string text() const {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" +
           (names.empty() ? "" : section("PhysicalNames", names)) + section("Nodes", nodes) +
           section("Elements", elements);
  }
};

class GmshMeshes : public testing::Test {
protected:
  std::string write(const std::string &text, const std::string &name = "block.msh") const {
    const std::string file = (folder / name).string();
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  /// Returns the message for a mesh; "" if it is valid.
  std::string complaint(const std::string &text) const {
    try {
      read_mesh<2>(write(text));
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }

  void expect_complaint(const GmshFile &file, const std::string &words) const {
    const std::string text = complaint(file.text());
    EXPECT_NE(text.find(words), std::string::npos) << "missing: " << words << "\nin: " << text;
    EXPECT_EQ(text.find("block.msh"), std::string::npos)
        << text; // the caller adds the name of the file
  }

  const percussion::test::ScratchFolder scratch;
  const fs::path folder = scratch.path;
};

} // namespace percussion::test
