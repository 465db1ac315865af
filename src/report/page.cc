#include <percussion/io/error.h>
#include <percussion/report/page.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace percussion::report {
namespace {
constexpr const char *style = R"(
body { font-family: sans-serif; color: #111; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
figure { margin: 2rem 0; break-inside: avoid; }
figcaption { margin-top: .5rem; color: #444; }
img { width: 100%; height: auto; border: 1px solid #ddd; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; padding: .2rem .8rem; border-bottom: 1px solid #ddd; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
)";

std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string read_file(const std::filesystem::path &file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw RunError(file.string() + ": cannot be read");
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

std::string leaf_text(const nlohmann::ordered_json &leaf) {
  return leaf.is_string() ? leaf.get<std::string>() : leaf.dump();
}

void flatten(const nlohmann::ordered_json &node, const std::string &path, Rows &rows) {
  const bool has_parts = std::any_of(node.begin(), node.end(),
                                     [](const auto &child) { return child.is_structured(); });
  if (node.is_object())
    for (const auto &[key, child] : node.items())
      flatten(child, path.empty() ? key : path + "." + key, rows);
  else if (node.is_array() && has_parts)
    for (std::size_t i = 0; i < node.size(); ++i)
      flatten(node[i], path + "[" + std::to_string(i) + "]", rows);
  else if (node.is_array()) {
    std::string list;
    for (const auto &child : node)
      list += (list.empty() ? "" : ", ") + leaf_text(child);
    rows.emplace_back(path, list);
  } else
    rows.emplace_back(path, leaf_text(node));
}

/// One row per entry of any summary, one column per run.
std::string summary_table(const std::vector<History> &runs) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> values;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto file = runs[run].folder / "summary.json";
    if (!std::filesystem::exists(file))
      continue;
    for (const auto &[key, value] : flatten_json(read_file(file), file)) {
      auto &row = values[key];
      if (row.empty()) {
        row.resize(runs.size());
        order.push_back(key);
      }
      row[run] = value;
    }
  }
  if (order.empty())
    return "<p>There is no summary.json: the run did not come to its end.</p>\n";

  std::ostringstream out;
  out << "<table>\n<tr><th></th>";
  for (const auto &run : runs)
    out << "<th>" << escaped(run.label) << "</th>";
  out << "</tr>\n";
  for (const auto &key : order) {
    out << "<tr><td>" << escaped(key) << "</td>";
    for (const auto &value : values[key])
      out << "<td>" << escaped(value) << "</td>";
    out << "</tr>\n";
  }
  out << "</table>\n";
  return out.str();
}

std::string headline(const std::vector<History> &runs) {
  std::string text;
  for (const auto &run : runs)
    text += (text.empty() ? "" : ", ") + run.label;
  return text;
}
} // namespace

std::string base64(const std::string &bytes) {
  constexpr const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(4 * (bytes.size() / 3 + 1));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned long word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Rows flatten_json(const std::string &text, const std::filesystem::path &file) {
  Rows rows;
  try {
    flatten(nlohmann::ordered_json::parse(text), "", rows);
  } catch (const nlohmann::json::exception &error) {
    throw InputError(file.string() + ": " + error.what());
  }
  return rows;
}

void write_page(const std::vector<History> &runs, const std::vector<Picture> &pictures,
                const std::filesystem::path &file) {
  std::ostringstream page;
  page << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>"
       << escaped(headline(runs)) << "</title>\n<style>" << style << "</style>\n</head>\n<body>\n"
       << "<h1>" << escaped(headline(runs)) << "</h1>\n";
  for (const auto &run : runs) {
    page << "<p>";
    if (runs.size() > 1)
      page << "<b>" << escaped(run.label) << "</b>: ";
    const char *separator = "";
    for (const auto &[key, value] : run.remarks) {
      page << separator << escaped(key) << ": " << escaped(value);
      separator = "; ";
    }
    page << "</p>\n";
  }
  for (const auto &picture : pictures)
    page << "<figure>\n<img alt=\"" << escaped(picture.file.stem().string())
         << "\" src=\"data:image/png;base64," << base64(read_file(picture.file))
         << "\">\n<figcaption>" << escaped(picture.caption) << "</figcaption>\n</figure>\n";
  page << "<h2>Summary</h2>\n" << summary_table(runs) << "</body>\n</html>\n";

  std::ofstream out(file, std::ios::binary);
  out << page.str();
  out.flush();
  if (!out)
    throw RunError(file.string() + ": cannot be written");
}

} // namespace percussion::report
