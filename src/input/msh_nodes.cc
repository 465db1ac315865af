#include "msh_nodes.h"

#include <percussion/base/error.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace percussion {
namespace {

/// Walks through words between blanks and line ends. Once it fails it goes on failing.
class Words {
public:
  explicit Words(const std::string &content)
      : begin(content.data()), at(begin), end(begin + content.size()) {}

  bool skip(std::int64_t n) {
    for (; n > 0 && find_word(); --n)
      at = std::find_if(at, end, is_space);
    return n <= 0;
  }

  bool get(std::int64_t &number) {
    if (!find_word())
      return false;
    const auto [behind, error] = std::from_chars(at, end, number);
    const bool is_whole = error == std::errc() && (behind == end || is_space(*behind));
    at = is_whole ? behind : end;
    return is_whole;
  }

  /// How many lines end before the last word.
  unsigned int passed_lines() const {
    return static_cast<unsigned int>(std::count(begin, at, '\n'));
  }

private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  bool find_word() {
    at = std::find_if_not(at, end, is_space);
    return at != end;
  }

  const char *begin, *at, *end;
};

/// Number of nodes of the elements of Gmsh's types; 0 for those that are not known here.
std::int64_t n_nodes_of(std::int64_t type) {
  static const std::map<std::int64_t, std::int64_t> known = {
      {1, 2}, {2, 3},  {3, 4},   {4, 4},   {5, 8},   {6, 6},   {7, 5},  {8, 3},
      {9, 6}, {10, 9}, {11, 10}, {12, 27}, {13, 18}, {14, 14}, {15, 1}, {16, 8}};
  const auto found = known.find(type);
  return found == known.end() ? 0 : found->second;
}

/// Format 4.1: blocks of tags, each followed by the places.
bool read_blocks(Words &words, std::vector<std::int64_t> &tags) {
  std::int64_t n_blocks, dimension, is_parametric, n;
  if (!words.get(n_blocks) || !words.skip(3))
    return false;
  for (; n_blocks > 0; --n_blocks) {
    if (!words.get(dimension) || !words.skip(1) || !words.get(is_parametric) || !words.get(n))
      return false;
    for (std::int64_t i = 0; i < n; ++i)
      if (std::int64_t tag; words.get(tag))
        tags.push_back(tag);
      else
        return false;
    const std::int64_t n_coordinates = is_parametric != 0 ? 3 + dimension : 3;
    for (std::int64_t i = 0; i < n; ++i)
      if (!words.skip(n_coordinates))
        return false;
  }
  return true;
}

/// Format 2.2: a tag and its place after the other.
bool read_list(Words &words, std::vector<std::int64_t> &tags) {
  std::int64_t n, tag;
  if (!words.get(n))
    return false;
  for (; n > 0; --n) {
    if (!words.get(tag) || !words.skip(3))
      return false;
    tags.push_back(tag);
  }
  return true;
}

/// Compares the nodes of elements, one after the other, with those that there are.
class ElementCheck {
public:
  ElementCheck(const std::string &section, unsigned int line,
               const std::vector<std::int64_t> &of_file)
      : words(section), first_line(line), nodes(of_file) {}

  /// False where it cannot go on.
  bool of_blocks() {
    std::int64_t n_blocks, type, n, element;
    if (!words.get(n_blocks) || !words.skip(3))
      return false;
    for (; n_blocks > 0; --n_blocks) {
      if (!words.skip(2) || !words.get(type) || !words.get(n))
        return false;
      for (; n > 0; --n)
        if (!words.get(element) || !check(element, type))
          return false;
    }
    return true;
  }

  bool of_list() {
    std::int64_t n, element, type, n_tags;
    if (!words.get(n))
      return false;
    for (; n > 0; --n)
      if (!words.get(element) || !words.get(type) || !words.get(n_tags) || !words.skip(n_tags) ||
          !check(element, type))
        return false;
    return true;
  }

private:
  bool check(std::int64_t element, std::int64_t type) {
    const std::int64_t n = n_nodes_of(type);
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t node;
      if (!words.get(node))
        return false;
      if (!std::binary_search(nodes.begin(), nodes.end(), node))
        throw InputError("element " + std::to_string(element) + " in line " +
                         std::to_string(first_line + 1 + words.passed_lines()) + " has node " +
                         std::to_string(node) +
                         ", which the file does not hold; write the file again");
    }
    return n > 0;
  }

  Words words;
  unsigned int first_line;
  const std::vector<std::int64_t> &nodes;
};

} // namespace

std::vector<std::int64_t> node_tags(const std::string &section, bool blocks) {
  Words words(section);
  std::vector<std::int64_t> tags;
  if (!(blocks ? read_blocks(words, tags) : read_list(words, tags)))
    return {};
  std::sort(tags.begin(), tags.end());
  return tags;
}

void check_nodes_of_elements(const std::string &section, bool blocks, unsigned int line,
                             const std::vector<std::int64_t> &nodes) {
  ElementCheck check(section, line, nodes);
  if (blocks)
    check.of_blocks();
  else
    check.of_list();
}

} // namespace percussion
