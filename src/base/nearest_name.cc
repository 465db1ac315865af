#include <percussion/base/nearest_name.h>

#include <algorithm>
#include <cctype>

namespace percussion {
namespace {
std::string lower_case(std::string word) {
  for (char &c : word)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

/// Returns the edit distance up to which @p candidate counts as a misspelling of @p word.
unsigned tolerated_distance(const std::string &word, const std::string &candidate) {
  const auto longer = static_cast<unsigned>(std::max(word.size(), candidate.size()));
  const auto shorter = static_cast<unsigned>(std::min(word.size(), candidate.size()));
  return shorter == 0 ? 0 : std::min(std::max(1u, longer / 3), shorter - 1);
}

/// Returns a lower bound of the edit distance that takes no time.
std::size_t difference_of_lengths(const std::string &a, const std::string &b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

/// Returns "case" for "case.prm".
std::string stem(const std::string &file) { return file.substr(0, file.rfind('.')); }

/// Returns the candidate at the smallest distance among the tolerated ones.
template <typename Tolerance>
std::optional<std::string> nearest_of(const std::string &word,
                                      const std::vector<std::string> &candidates,
                                      const Tolerance &tolerance) {
  std::optional<std::string> nearest;
  unsigned smallest = 0;
  for (const std::string &candidate : candidates) {
    const unsigned tolerated = tolerance(word, candidate);
    if (difference_of_lengths(word, candidate) > tolerated)
      continue; // the word may be very long
    const unsigned distance = edit_distance(word, candidate);
    if (distance <= tolerated && (!nearest || distance < smallest)) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

std::string question(const std::optional<std::string> &name) {
  return name ? "; did you mean '" + *name + "'?" : "";
}
} // namespace

unsigned edit_distance(const std::string &a, const std::string &b) {
  const std::string s = lower_case(a), t = lower_case(b);
  // distance[i][j]: between the first i characters of s and the first j of t
  std::vector<std::vector<unsigned>> distance(s.size() + 1, std::vector<unsigned>(t.size() + 1));
  for (unsigned i = 0; i <= s.size(); ++i)
    distance[i][0] = i;
  for (unsigned j = 0; j <= t.size(); ++j)
    distance[0][j] = j;
  for (unsigned i = 1; i <= s.size(); ++i)
    for (unsigned j = 1; j <= t.size(); ++j) {
      const unsigned replaced = distance[i - 1][j - 1] + (s[i - 1] != t[j - 1]);
      const unsigned deleted = distance[i - 1][j] + 1, inserted = distance[i][j - 1] + 1;
      distance[i][j] = std::min({replaced, deleted, inserted});
      if (i > 1 && j > 1 && s[i - 1] == t[j - 2] && s[i - 2] == t[j - 1])
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  return distance[s.size()][t.size()];
}

std::optional<std::string> nearest_name(const std::string &word,
                                        const std::vector<std::string> &candidates) {
  return nearest_of(word, candidates, tolerated_distance);
}

std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates) {
  return question(nearest_name(word, candidates));
}

std::string did_you_mean_file(const std::string &file, std::vector<std::string> candidates) {
  candidates.erase(std::remove(candidates.begin(), candidates.end(), file), candidates.end());
  return question(nearest_of(file, candidates, [](const auto &word, const auto &candidate) {
    return tolerated_distance(stem(word), stem(candidate));
  }));
}

std::string joined(const std::vector<std::string> &names, const std::string &separator) {
  std::string text;
  for (const std::string &name : names)
    text += (&name == &names.front() ? "" : separator) + name;
  return text;
}

std::string listed(const std::vector<std::string> &names) {
  constexpr std::size_t most = 24;
  if (names.size() <= most)
    return joined(names, ", ");
  return joined({names.begin(), names.begin() + most}, ", ") + " and " +
         std::to_string(names.size() - most) + " more";
}

} // namespace percussion
