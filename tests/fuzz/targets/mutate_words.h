#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t max_size);

namespace fuzz {

/// Piece of a text: its first character and the one after its last.
struct Piece {
  std::size_t begin, end;
};

/// Returns the piece between separators at a random position.
template <typename Random>
Piece random_piece(const std::string &text, const char *separators, Random &random) {
  const std::size_t at = random() % text.size();
  const std::size_t before = text.find_last_of(separators, at);
  const std::size_t after = text.find_first_of(separators, at);
  return {before == std::string::npos || before == at ? at : before + 1,
          after == std::string::npos ? text.size() : after};
}

/// Returns a word that readers of numbers may handle wrongly.
template <typename Random>
std::string odd_word(Random &random) {
  static const char words[] = "0 -1 1 2 3 4 5 1.5 1e9 1e300 -1e300 1e-300 nan inf -inf 0x10 99999 "
                              "2147483647 2147483648 -2147483648 4294967296 9223372036854775807 "
                              "18446744073709551615";
  std::string text(words);
  const Piece word = random_piece(text, " ", random);
  return text.substr(word.begin, word.end - word.begin);
}

/// Changes whole words or lines: changes of single bytes rarely give a file that is read to its
/// end.
inline std::size_t mutate_words(std::uint8_t *data, std::size_t size, std::size_t max_size,
                                unsigned int seed) {
  std::minstd_rand random(seed);
  random.discard(2);
  if (size == 0 || random() % 2 == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char *>(data), size);
  const char *const separators = random() % 2 == 0 ? "\n" : " \t\n=,;/";
  const Piece piece = random_piece(text, separators, random);
  const Piece other = random_piece(text, separators, random);
  const std::string source = text.substr(other.begin, other.end - other.begin);
  const std::size_t length = piece.end - piece.begin;
  switch (random() % 4) {
  case 0:
    text.erase(piece.begin, length + 1);
    break;
  case 1:
    text.insert(piece.begin, source + separators[0]);
    break;
  case 2:
    text.replace(piece.begin, length, source);
    break;
  default:
    text.replace(piece.begin, length, odd_word(random));
  }
  const std::size_t new_size = text.size() < max_size ? text.size() : max_size;
  std::memcpy(data, text.data(), new_size);
  return new_size;
}

} // namespace fuzz
