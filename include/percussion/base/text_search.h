#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// Part of a text: its first character, and the one after its last.
using TextRange = std::pair<std::size_t, std::size_t>;

/// True for letters, digits and '_'.
bool is_of_word(char c);

/// Returns the first position from `begin` on that is no blank or end of line; the size of the text
/// if there is none.
std::size_t skip_blanks(const std::string &text, std::size_t begin);

/// Returns the places of a word, beside which there are no letters, digits and '_'.
///
/// These functions search texts of any length: std::regex takes stack for each character that it
/// repeats, and ends the process beyond some hundred thousand.
std::vector<std::size_t> find_word(const std::string &text, const std::string &word);

/// Returns the names of files in the calls table("file", ...) of a formula, without their quotes. A
/// name without a closing quote ends with the text.
std::vector<TextRange> files_of_tables(const std::string &formula);

} // namespace percussion
