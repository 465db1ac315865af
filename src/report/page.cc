#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/report/page.h>

#include <vtkBase64Utilities.h>

#include "summary_table.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace percussion::report {
namespace {
constexpr const char *style = R"(
:root { color-scheme: light; }
body { font: 1rem/1.5 sans-serif; color: #111; background: #fff; max-width: 62rem;
  margin: 1.5rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid #bbb; }
nav a { margin-right: 1rem; color: #005a96; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 0 0 1rem; }
dt { color: #555; }
dd { margin: 0; }
figure { margin: 1.5rem 0 2.5rem; }
.wide { overflow-x: auto; }
figcaption { margin-top: .5rem; color: #444; }
img { display: block; width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0;
  border-bottom: 1px solid #ddd; font-weight: normal; overflow-wrap: normal; }
thead th, th.block { font-weight: bold; }
th.block { padding-top: .9rem; }
td { font-variant-numeric: tabular-nums; }
details { margin: 1.5rem 0; }
pre { white-space: pre-wrap; }
summary { cursor: pointer; }
@media (max-width: 45rem) {
  .wide img { width: 45rem; max-width: none; }
}
@media print {
  @page { margin: 15mm; }
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0; }
  nav, details, .screen { display: none; }
  h2 { break-after: avoid; }
  figure { break-inside: avoid; margin: 0 0 6mm; }
  figcaption { font-size: 9pt; }
  .wide { overflow: visible; }
  img { width: auto; max-width: 100%; max-height: 215mm; margin: 0 auto; }
  table { font-size: 8.5pt; }
  th, td { padding-top: .05rem; padding-bottom: .05rem; }
  tr { break-inside: avoid; }
}
)";

std::string figure_of(const Picture &picture) {
  const bool moves = picture.file.extension() == ".gif";
  const std::string name = picture.file.stem().string();
  std::ostringstream out;
  // The animation is not printed.
  out << "<figure id=\"picture-" << escaped(name) << '"' << (moves ? " class=\"screen\"" : "")
      << ">\n<div" << (picture.is_scene ? "" : " class=\"wide\"") << "><img alt=\""
      << escaped(picture.alt) << "\" src=\"data:image/" << (moves ? "gif" : "png") << ";base64,"
      << base64(whole_file(picture.file)) << "\"></div>\n<figcaption>" << escaped(picture.caption)
      << "</figcaption>\n</figure>\n";
  return out.str();
}

struct Part {
  Section section;
  const char *id, *title;
};
constexpr std::array<Part, 3> parts = {{{Section::bodies, "bodies", "Bodies"},
                                        {Section::energy, "energy", "Energy"},
                                        {Section::contact, "contact", "Contact"}}};

} // namespace

std::string escaped(const std::string &text) {
  static const std::map<char, std::string> special = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string result;
  for (const char c : text)
    result += special.count(c) != 0 ? special.at(c) : std::string(1, c);
  return result;
}

std::string whole_file(const std::filesystem::path &file) {
  auto bytes = read_file(file.string());
  if (!bytes)
    throw RunError(file.string() + ": cannot be read (" + std::strerror(errno) + ")");
  return std::move(*bytes);
}

std::string base64(const std::string &bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3), '=');
  vtkBase64Utilities::Encode(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(),
                             reinterpret_cast<unsigned char *>(text.data()));
  return text;
}

void write_page(const std::vector<History> &runs, const std::vector<Picture> &pictures,
                const std::filesystem::path &file) {
  std::string titles, links, sections;
  for (const auto &run : runs)
    titles += (titles.empty() ? "" : ", ") + escaped(run.label);
  for (const auto &[section, id, title] : parts) {
    std::string figures;
    for (const Picture &picture : pictures)
      if (picture.section == section)
        figures += figure_of(picture);
    if (figures.empty())
      continue;
    links += std::string("<a href=\"#") + id + "\">" + title + "</a> ";
    sections += std::string("<section id=\"") + id + "\">\n<h2>" + title + "</h2>\n" + figures +
                "</section>\n";
  }
  const std::string summary = summary_section(runs);
  std::ofstream out(file, std::ios::binary);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      << "<link rel=\"icon\" href=\"data:,\">\n<title>" << titles
      << " – Percussion</title>\n<style>" << style << "</style>\n</head>\n<body>\n<header>\n<h1>"
      << titles << "</h1>\n";
  for (const History &run : runs) {
    if (runs.size() > 1)
      out << "<p><strong>" << escaped(run.label) << "</strong></p>\n";
    out << "<dl>\n";
    for (const auto &[key, value] : run.remarks)
      out << "<dt>" << escaped(key) << "</dt><dd>" << escaped(value) << "</dd>\n";
    out << "</dl>\n";
  }
  out << "<nav aria-label=\"Parts of this page\">" << links
      << "<a href=\"#summary\">Summary</a></nav>\n</header>\n<main>\n"
      << sections << "<section id=\"summary\">\n<h2>Summary</h2>\n"
      << summary << "</section>\n</main>\n</body>\n</html>\n"
      << std::flush;
  if (!out)
    throw RunError(file.string() + ": cannot be written");
}

} // namespace percussion::report
