#include "mesh_file.h"

#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/plain_text.h>

#include "mesh_format.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <set>
#include <sstream>

namespace percussion {
namespace {

namespace fs = std::filesystem;

/// Head of a `.msh` file.
struct Head {
  double version = 0; ///< version of the format; zero if the file is no mesh
  bool is_binary = false;
  bool has_mark = false;          ///< true if a byte order mark precedes it
  bool has_returns = false;       ///< true if its lines end as on Windows
  bool has_returns_alone = false; ///< true if its lines end in carriage returns without line feeds
};

/// Reads a line without its end.
bool read_line(std::istream &stream, std::string &line) {
  if (!std::getline(stream, line))
    return false;
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  return true;
}

/// Reads the head; the stream then stands behind the version.
Head read_head(std::istream &stream) {
  Head head;
  std::string line;
  std::getline(stream, line);
  const std::size_t mark = length_of_byte_order_mark(line);
  head.has_mark = mark > 0;
  head.has_returns = !line.empty() && line.back() == '\r';
  head.has_returns_alone = line.compare(mark, 12, "$MeshFormat\r") == 0 && line.size() > mark + 12;
  if (line.compare(mark, 11, "$MeshFormat") == 0 && read_line(stream, line)) {
    int kind = 0;
    constexpr double beyond_all = 100; // a version that can be converted to an integer
    if (!(std::istringstream(line) >> head.version >> kind) || !(head.version < beyond_all))
      head.version = 0;
    head.is_binary = kind == 1;
  }
  return head;
}

/// Calls visit(dimension, name) for the names of physical groups; the stream must be before their
/// section.
void for_each_name(std::istream &stream,
                   const std::function<void(int, const std::string &)> &visit) {
  bool inside = false;
  for (std::string line; read_line(stream, line) && line != "$EndPhysicalNames";) {
    int dimension, tag;
    std::string name;
    if (line == "$Entities" || line == "$Nodes")
      return;
    if (inside && std::istringstream(line) >> dimension >> tag >> std::quoted(name))
      visit(dimension, name);
    inside = inside || line.rfind("$PhysicalNames", 0) == 0;
  }
}

/// Checks that no name is repeated: Gmsh would drop the repeated name of another group of the same
/// dimension.
void check_names(std::istream &stream) {
  std::set<std::pair<int, std::string>> names;
  for_each_name(stream, [&](int dimension, const std::string &name) {
    if (!names.emplace(dimension, name).second)
      throw_same_name(name);
  });
}

/// Checks that the nodes of a text file are not numbered from 0, which Gmsh reads as no number.
void check_numbers(std::istream &stream, double version) {
  std::string line;
  while (read_line(stream, line) && line != "$Nodes") {
  }
  if (!read_line(stream, line))
    return;
  std::size_t n_blocks = 0, n_nodes = 0, smallest = 0;
  bool is_known = false;
  if (version >= 4.1)
    is_known = static_cast<bool>(std::istringstream(line) >> n_blocks >> n_nodes >> smallest) &&
               n_nodes > 0;
  else if (version < 4. && read_line(stream, line))
    is_known = static_cast<bool>(std::istringstream(line) >> smallest);
  if (is_known && smallest == 0)
    throw InputError("its nodes are numbered from 0, and Gmsh numbers them from 1: add 1 to all "
                     "numbers of nodes");
}

/// Reports a file that is no mesh of Gmsh: if its name does not say that it is one, by its ending.
[[noreturn]] void throw_no_mesh(const std::string &file) {
  const std::string ending = fs::path(file).extension().string(),
                    others = "a file whose name ends in one of " + std::string(mesh_endings);
  if (const std::string small = ending_to_rename(file); !small.empty() && ending != ".MSH")
    throw InputError(
        "endings of meshes are in small or in capital letters: rename the file, so that "
        "it ends in '" +
        small + "' instead of '" + ending + "'");
  if (ending != ".msh" && ending != ".MSH")
    throw InputError(
        (ending.empty() ? "a name without an ending does" : "the ending '" + ending + "' does") +
        " not belong to a mesh that is read, and the file is no mesh of Gmsh; give " + others +
        " (meshio convert mesh" + ending + " mesh.vtu)");
  throw InputError("this is not a Gmsh mesh: it does not begin with $MeshFormat and a version; "
                   "give the .msh file that Gmsh writes (gmsh -2 case.geo), or " +
                   others);
}

} // namespace

[[noreturn]] void throw_same_name(const std::string &name) {
  throw InputError("two physical groups are named '" + name +
                   "'; give each region a name of its own");
}

int checked_version(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  const Head head = read_head(stream);
  const int version = static_cast<int>(head.version);
  if (head.has_returns_alone)
    throw InputError("its lines end in carriage returns alone, which Gmsh does not read: end them "
                     "in line feeds (tr '\\r' '\\n')");
  if (head.version == 0.)
    throw_no_mesh(file);
  if (version != 2 && version != 4)
    throw InputError("the mesh is in Gmsh's format " + std::to_string(version) +
                     "; write it in 4.1 or 2.2 (gmsh -format msh41)");
  if (head.is_binary && head.has_returns)
    throw InputError("this binary mesh has line ends of Windows: a transfer as a text has damaged "
                     "it; transfer it as a binary file");
  check_names(stream);
  stream.clear();
  const auto size = static_cast<std::streamoff>(fs::file_size(file));
  std::string end(256, '\0');
  stream.seekg(std::max<std::streamoff>(0, size - static_cast<std::streamoff>(end.size())));
  stream.read(end.data(), static_cast<std::streamsize>(end.size()));
  const std::size_t section = end.rfind("\n$");
  if (section == std::string::npos || end.compare(section, 5, "\n$End") != 0)
    throw InputError("the file does not end with the end of a section: it is cut off; write it "
                     "again");
  if (!head.is_binary) {
    stream.clear();
    stream.seekg(0);
    check_numbers(stream, head.version);
  }
  return version;
}

void for_each_group(const std::string &file,
                    const std::function<void(int, const std::string &)> &visit) {
  std::ifstream stream(file, std::ios::binary);
  if (read_head(stream).version > 0.)
    for_each_name(stream, visit);
}

std::optional<std::string> converted_mesh(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  const Head head = read_head(stream);
  if (head.is_binary || !(head.has_mark || head.has_returns))
    return std::nullopt;
  std::optional<std::string> text = read_file(file);
  if (text) {
    text->erase(0, length_of_byte_order_mark(*text));
    text->erase(std::remove(text->begin(), text->end(), '\r'), text->end());
  }
  return text;
}

} // namespace percussion
