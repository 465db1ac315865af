#pragma once

#include <optional>
#include <string>
#include <vector>

namespace percussion {
/// Number of insertions, deletions, replacements and swaps of adjacent characters that turn one
/// word into the other, ignoring case (restricted Damerau-Levenshtein distance: a swapped pair is
/// not edited again).
unsigned edit_distance(const std::string &a, const std::string &b);

/// The name that the user probably meant: the first candidate at the smallest edit distance from @p
/// word. Nothing if even that one differs in more than a third of its characters (one character for
/// short words).
std::optional<std::string> nearest_name(const std::string &word,
                                        const std::vector<std::string> &candidates);

/// "; did you mean 'Step'?", or "" if no candidate is near. A word that differs from a candidate by
/// no-break spaces only is reported as such, because on a screen it looks right.
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

/// The same for file names. A common ending does not make them similar, and the name itself (a
/// dangling link) is not suggested.
std::string did_you_mean_file(const std::string &file, std::vector<std::string> candidates);

/// The names, joined by the separator.
std::string joined(const std::vector<std::string> &names, const std::string &separator);
} // namespace percussion
