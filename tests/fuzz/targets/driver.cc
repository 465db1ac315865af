// Main program of a fuzz target without libFuzzer, for any compiler and preset:
//
//   mutated_parameters COUNT NUMBER FOLDER
//
// passes this number of mutants of the files in the folder to the target, the same ones for the
// same NUMBER. The current mutant is kept in $TMPDIR/mutant-NUMBER until it has been read.

#include "targets/own_folder.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <vector>

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t max_size, unsigned int seed);

namespace {

std::mt19937 byte_generator;

std::vector<std::string> texts_in(const std::string &folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &file : std::filesystem::directory_iterator(folder))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto &file : files) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

std::string mutated(std::string text, std::mt19937 &random) {
  constexpr std::size_t room = 256, most_changes = 4;
  for (std::size_t n = 1 + random() % most_changes; n > 0; --n) {
    const std::size_t size = text.size();
    text.resize(size + room);
    text.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t *>(text.data()), size,
                                        text.size(), static_cast<unsigned int>(random())));
  }
  return text;
}

} // namespace

/// Changes, inserts or removes a byte.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size,
                                        std::size_t max_size) {
  const std::size_t at = size == 0 ? 0 : byte_generator() % size;
  const auto byte = static_cast<std::uint8_t>(byte_generator());
  switch (byte_generator() % 3) {
  case 0:
    if (size < max_size) {
      std::copy_backward(data + at, data + size, data + size + 1);
      data[at] = byte;
      return size + 1;
    }
    [[fallthrough]];
  case 1:
    if (size > 0) {
      std::copy(data + at + 1, data + size, data + at);
      return size - 1;
    }
    return 0;
  default:
    if (size > 0)
      data[at] = byte;
    return size;
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: " << argv[0] << " COUNT NUMBER FOLDER\n";
    return 2;
  }
  const unsigned long count = std::stoul(argv[1]), number = std::stoul(argv[2]);
  const auto texts = texts_in(argv[3]);
  LLVMFuzzerInitialize(&argc, &argv);
  std::mt19937 random(static_cast<unsigned int>(number));
  byte_generator.seed(static_cast<unsigned int>(number));
  const auto kept = fuzz::own_folder() / ("mutant-" + std::to_string(number));
  for (unsigned long i = 0; i < count; ++i) {
    const std::string text = mutated(texts[random() % texts.size()], random);
    std::ofstream(kept, std::ios::binary) << text << std::flush;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
  }
  std::filesystem::remove_all(fuzz::own_folder());
  std::cout << count << " mutants read or refused\n";
  return 0;
}
