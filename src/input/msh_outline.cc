#include "msh_outline.h"

#include <percussion/base/error.h>

#include "msh_nodes.h"
#include <algorithm>
#include <cstring>
#include <sstream>

namespace percussion {
namespace {

/// A section's name, and what stands between its first and its last line.
struct Section {
  std::string name, body;
  unsigned int line; ///< of its first line
};

class Sections {
public:
  explicit Sections(const std::string &content) : text(content) {}

  /// The next section; false at the end of the file.
  bool next(Section &section) {
    if (!find_start())
      return false;
    section.name = rest_of_line().substr(1);
    section.line = line_at(position);
    const std::size_t begin = std::min(text.find('\n', position), text.size() - 1) + 1;
    const std::size_t end = text.find("$End" + section.name, begin);
    if (end == std::string::npos)
      throw InputError("the file ends inside of its section $" + section.name + " (line " +
                       std::to_string(section.line) + "): it is cut off; write it again");
    section.body = text.substr(begin, end - begin);
    position = end + 4 + section.name.size();
    return true;
  }

private:
  /// Go on to the next line that begins with '$'.
  bool find_start() {
    while (position < text.size() &&
           !(text[position] == '$' && (position == 0 || text[position - 1] == '\n')))
      ++position;
    return position < text.size();
  }

  std::string rest_of_line() const {
    std::string line = text.substr(position, text.find('\n', position) - position);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0)
      line.pop_back();
    return line;
  }

  unsigned int line_at(std::size_t place) {
    passed_lines += static_cast<unsigned int>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(counted_to),
                   text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
    counted_to = place;
    return passed_lines;
  }

  const std::string &text;
  std::size_t position = 0, counted_to = 0;
  unsigned int passed_lines = 1;
};

void read_format(const Section &section, MshOutline &outline) {
  double version = 0;
  int mode = 0, bytes = 0;
  if (!(std::istringstream(section.body) >> version >> mode >> bytes))
    throw InputError("line " + std::to_string(section.line + 1) +
                     " is not the version of a Gmsh mesh, such as '4.1 0 8'");
  outline.major_version = static_cast<int>(std::clamp(version, 0., 100.));
  if (outline.major_version != 2 && outline.major_version != 4)
    throw InputError("the mesh is in Gmsh's format " + section.body.substr(0, 3) +
                     "; write it in 4.1 or 2.2 (gmsh -format msh41)");
  outline.minor_version = static_cast<int>(10 * version + 0.5) % 10;
  outline.binary = mode == 1;
}

void read_names(const Section &section, MshOutline &outline) {
  std::istringstream lines(section.body);
  unsigned int number = section.line;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    std::istringstream numbers(line);
    PhysicalName entry{0, 0, "", number};
    if (begin < end && end != std::string::npos && numbers >> entry.dimension >> entry.tag) {
      entry.name = line.substr(begin + 1, end - begin - 1);
      outline.names.push_back(entry);
    }
  }
}

/// How many nodes or elements a section declares; 0 if that cannot be told.
std::int64_t declared_number(const Section &section, const MshOutline &outline) {
  std::int64_t numbers[2] = {0, 0}; // in format 4 the first is the number of blocks
  const bool blocks = outline.major_version == 4;
  if (blocks && outline.binary) {
    if (section.body.size() >= sizeof numbers)
      std::memcpy(numbers, section.body.data(), sizeof numbers);
    const bool swapped_bytes = numbers[0] < 0 || numbers[0] > (std::int64_t{1} << 40);
    return swapped_bytes ? 0 : numbers[1];
  }
  std::istringstream text(section.body);
  text >> numbers[0];
  if (text && blocks)
    text >> numbers[1];
  return numbers[blocks ? 1 : 0];
}

/// Gmsh would ask for memory for all that a damaged file declares.
std::uint64_t checked_number(const Section &section, const MshOutline &outline) {
  constexpr std::uint64_t least_bytes = 4; // "1\n" and its coordinates, or "1 15"
  const std::int64_t n = declared_number(section, outline);
  if (n < 0 || static_cast<std::uint64_t>(n) > section.body.size() / least_bytes)
    throw InputError("the section $" + section.name + " (line " + std::to_string(section.line) +
                     ") declares " + std::to_string(n) + " entries and has room for " +
                     std::to_string(section.body.size() / least_bytes) +
                     " at most: it is damaged; write the file again");
  return static_cast<std::uint64_t>(n);
}

/// Gmsh takes a file that begins otherwise for a script, and runs it.
void check_beginning(const std::string &content) {
  if (content.empty())
    throw InputError("the file is empty");
  if (content.compare(0, 3, "\xEF\xBB\xBF") == 0)
    throw InputError("the file begins with a byte order mark, which Gmsh does not read; save it "
                     "as UTF-8 without one");
  if (content.find("$MeshFormat") == std::string::npos)
    throw InputError("this is not a Gmsh mesh: it has no section $MeshFormat; give the .msh file "
                     "that Gmsh writes (gmsh -2 case.geo), or a geometry whose name ends in .geo");
}

/// Whether node_tags() and check_nodes_of_elements() know the layout.
bool has_known_layout(const MshOutline &outline) {
  return !outline.binary && (outline.major_version == 2 || outline.minor_version == 1);
}

} // namespace

MshOutline outline_of_msh(const std::string &content) {
  check_beginning(content);
  MshOutline outline;
  std::vector<std::int64_t> nodes;
  Sections sections(content);
  for (Section section; sections.next(section);)
    if (section.name == "MeshFormat")
      read_format(section, outline);
    else if (outline.major_version == 0 && section.name != "Comments")
      break;
    else if (section.name == "PhysicalNames")
      read_names(section, outline);
    else if (section.name == "Nodes") {
      outline.n_nodes = checked_number(section, outline);
      if (has_known_layout(outline))
        nodes = node_tags(section.body, outline.major_version == 4);
    } else if (section.name == "Elements") {
      checked_number(section, outline);
      if (!nodes.empty())
        check_nodes_of_elements(section.body, outline.major_version == 4, section.line, nodes);
    }
  if (outline.major_version == 0)
    throw InputError("this is not a Gmsh mesh: it does not begin with $MeshFormat; give the .msh "
                     "file that Gmsh writes (gmsh -2 case.geo)");
  return outline;
}

} // namespace percussion
