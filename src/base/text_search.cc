#include <percussion/base/text_search.h>

#include <algorithm>
#include <cctype>

namespace percussion {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t skip_blanks(const std::string &text, std::size_t begin) {
  return std::min(text.find_first_not_of(" \t\r\n\v\f", begin), text.size());
}

std::vector<std::size_t> find_word(const std::string &text, const std::string &word) {
  std::vector<std::size_t> places;
  for (std::size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1)) {
    const std::size_t end = i + word.size();
    if ((i == 0 || !is_of_word(text[i - 1])) && (end == text.size() || !is_of_word(text[end])))
      places.push_back(i);
  }
  return places;
}

std::vector<TextRange> files_of_tables(const std::string &formula) {
  const std::string word = "table";
  std::vector<TextRange> files;
  for (const std::size_t begin : find_word(formula, word)) {
    const std::size_t bracket = skip_blanks(formula, begin + word.size());
    if (bracket == formula.size() || formula[bracket] != '(')
      continue;
    const std::size_t quote = skip_blanks(formula, bracket + 1);
    if (quote < formula.size() && formula[quote] == '"')
      files.emplace_back(quote + 1, std::min(formula.find('"', quote + 1), formula.size()));
  }
  return files;
}

} // namespace percussion
