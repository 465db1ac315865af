#include <gmsh.h>

#include "input/gmsh_files.h"
#include <random>
#include <sstream>

namespace {

using namespace percussion;
using namespace percussion::test;

/// Returns the text of a mesh of two quadrilaterals in format 4.1, as written by Gmsh.
std::string to_format_41(const std::string &file) {
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::open(file);
  gmsh::option::setNumber("Mesh.MshFileVersion", 4.1);
  const std::string written = file + "41.msh";
  gmsh::write(written);
  gmsh::finalize();
  std::ostringstream text;
  text << std::ifstream(written).rdbuf();
  return text.str();
}

/// Returns a text with one to three changes: a byte, a number, a removed or repeated line.
std::string mutated(std::string text, std::mt19937 &random) {
  const std::string numbers[] = {"-1",    "0",          "2",           "7",
                                 "99999", "4294967296", "-2147483649", "1e300"};
  for (unsigned int n = 1 + random() % 3; n > 0; --n) {
    const std::size_t at = text.find('\n', 40) + random() % (text.size() - 60);
    const std::size_t line = text.rfind('\n', at) + 1, next = text.find('\n', at) + 1;
    const std::size_t word = text.find_first_of("0123456789", at);
    switch (random() % 4) {
    case 0:
      text[at] = static_cast<char>(random() % 256);
      break;
    case 1:
      if (word != std::string::npos)
        text.replace(word, text.find_first_not_of("0123456789.", word) - word,
                     numbers[random() % std::size(numbers)]);
      break;
    case 2:
      if (next > line && next != std::string::npos)
        text.erase(line, next - line);
      break;
    default:
      text.insert(line, text.substr(line, next - line));
    }
  }
  return text;
}

/// Gmsh crashes on some of these meshes, in a child process: each mesh is read or refused.
TEST_F(GmshMeshes, ThatAreDamagedAreReadOrRefused) {
  const std::string valid = GmshFile().text();
  const std::string texts[] = {valid, to_format_41(write(valid, "valid.msh"))};
  std::mt19937 random(31);
  unsigned int n_refused = 0, n_crashes = 0;
  for (const std::string &text : texts)
    for (unsigned int i = 0; i < 300; ++i) {
      const std::string reason = complaint(mutated(text, random));
      n_refused += reason.empty() ? 0 : 1;
      n_crashes += reason.find("it crashed: ") == std::string::npos ? 0 : 1;
    }
  EXPECT_GT(n_refused, 100u);
  EXPECT_LT(n_refused, 600u);
  RecordProperty("crashes", static_cast<int>(n_crashes));
  EXPECT_EQ(complaint(valid), ""); // crashes have no effect on later meshes
}

/// Gmsh's reader of format 4.1 uses numbers of blocks and tags as indices.
TEST_F(GmshMeshes, ThatCrashGmshAreRefused) {
  const std::string text = to_format_41(write(GmshFile().text(), "valid.msh"));
  const auto begin = text.find("$Nodes\n") + 7, end = text.find('\n', begin);
  const std::string reason =
      complaint(text.substr(0, begin) + "1 6 1 99999999999999" + text.substr(end));
  EXPECT_NE(reason.find("Gmsh cannot read this mesh ("), std::string::npos) << reason;
}

} // namespace
