// Bytes as a mesh file: it is read or refused.

#include <percussion/input/gmsh_model.h>
#include <percussion/input/read_mesh.h>

#include "targets/expected.h"
#include "targets/mutate_words.h"
#include "targets/own_folder.h"
#include <fstream>

namespace {

/// Gmsh takes what is no mesh for a script of its own, and scripts can start programs.
bool is_dangerous(const std::string &text) {
  for (const std::string word : {"System", "Save", "Print", "Delete", "Exit", "Abort", "OnelabRun"})
    if (text.find(word) != std::string::npos)
      return true;
  return false;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const auto file = fuzz::own_folder() / "fuzz.msh";
  const std::string text(reinterpret_cast<const char *>(data), size);
  if (is_dangerous(text))
    return -1;
  std::ofstream(file, std::ios::binary) << text;
  // In this process, where its coverage guides.
  fuzz::expect_input_error([] {
    percussion::make_mesh<2>(percussion::read_gmsh_model_here({file.string(), {}}, 2));
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_words(data, size, max_size, seed);
}
