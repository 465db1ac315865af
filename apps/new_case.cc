#include "new_case.h"

#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/nearest_name.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <utility>

namespace percussion {
namespace {
namespace fs = std::filesystem;

// Templates. @name@ is the name of the case; the other words between @ depend on the dimension.

const char *const bouncing_case = R"(# A rubber ball falls on a rigid floor and bounces.
#
#   percussion @name@.prm --validate      check this case
#   percussion @name@.prm                 run it; the results are in output/@name@
#   percussion-report output/@name@       draw them
#   percussion --explain Time/Scheme      explain an entry
#
# Units are yours, but consistent. Here: kg, m, s (hence N, Pa, J).

subsection Mesh
  set File = @name@.geo    # or a mesh: .msh, .inp, .vtu, .step, ...
  # Other values for what the geometry declares by DefineConstant:
  # set Parameters = size = 0.01, drop = 0.1
end

subsection Material
  set Law           = neo-hooke   # for rubber; 'linear elastic' if strains and rotations are small
  set Density       = 1000        # kg/m^3
  set Young modulus = 2e6         # Pa
  set Poisson ratio = 0.4
end

subsection Boundary conditions
  set Gravity = @gravity@         # m/s^2
end

subsection Initial state
  set Velocity x = 0              # m/s; try 1: friction makes the ball spin
end

subsection Contact
  set Node inertia = redistributed    # smooth pressures
  subsection floor                    # any name
    set Region  = skin                # what may touch the floor: a name in the geometry
    set Surface = @plane@
    set Point   = @origin@            # a point of the floor
    set Normal  = @normal@            # to the side of the ball
    set Friction coefficient = 0.3
  end
end

subsection Time
  set Scheme = moreau-jean-fremond    # doc/choosing.md compares the schemes
  set Theta  = 0.5                    # no numerical damping; 1 damps most
  set End    = 0.25                   # s
  set Step   = 2e-4                   # s; halve it, and see if the results change
end

subsection Probes
  subsection impact                   # any name: columns impact.force_normal, ... of probes.csv
    set Kind    = force
    set Contact = floor
  end
end

subsection Output
  set Number of instants = 50         # files for ParaView and the report
  set Units = kg, m, s                # names of the units on axes
end
)";

const char *const sliding_case =
    R"(# A block slides on a table, is slowed down by friction, and stops.
#
#   percussion @name@.prm --validate      check this case
#   percussion @name@.prm                 run it; the results are in output/@name@
#   percussion-report output/@name@       draw them
#   percussion --explain Time/Scheme      explain an entry
#
# Both bodies are elastic. A rigid block would stop after v^2/(2 mu g) = 0.17 m and v/(mu g) = 0.34 s.
# Units are yours, but consistent. Here: kg, m, s (hence N, Pa, J).

subsection Mesh
  # A file for each body: geometries, or meshes (.msh, .inp, .vtu, .step, ...).
  set File = @name@_block.geo, @name@_table.geo
  # Another value for what the geometries declare by DefineConstant:
  # set Parameters = size = 0.01
end

subsection Material
  set Density       = 1000      # kg/m^3
  set Young modulus = 1e7       # Pa
  set Poisson ratio = 0.3
  set Viscosity     = 1e3       # Pa s, by Kelvin and Voigt
  subsection table              # entries that differ in this region
    set Young modulus = 2e7     # Pa
  end
end

subsection Boundary conditions
  set Gravity = @gravity@       # m/s^2
  subsection held               # a name in a geometry: the lower side of the table
    set Displacement x = 0
    set Displacement y = 0@held@
  end
end

subsection Initial state
  set Velocity x = 1*(@up@ > 5e-5)  # m/s: a formula of x, y (, z); here of the block alone
end

subsection Contact
  set Node inertia = redistributed    # smooth pressures
  subsection block on table           # any name
    set Region  = sole                # of one body
    set Surface = region
    set Against = top                 # of the other
    set Friction coefficient = 0.3    # or a formula, such as 0.2 + 0.1*exp(-slip_speed)
  end
end

subsection Time
  set Scheme = moreau-jean-fremond    # doc/choosing.md compares the schemes
  set Theta  = 1                      # damps the vibrations most; 0.5 has no numerical damping
  set End    = 0.4                    # s
  set Step   = 1e-3                   # s; halve it, and see if the results change
end

subsection Probes
  subsection friction                 # any name: columns friction.force_x, ... of probes.csv
    set Kind    = force
    set Contact = block on table
  end
end

subsection Output
  set Number of instants = 50         # files for ParaView and the report
  set Units = kg, m, s                # names of the units on axes
end
)";

const char *const ball =
    R"(// The ball of @name@.prm, in the language of Gmsh. Its lowest point is `drop` above the floor.
SetFactory("OpenCASCADE");
DefineConstant[ R = 0.1 ];      // m: radius
DefineConstant[ drop = 0.05 ];  // m
DefineConstant[ size = @size@ ]; // m: edges of the elements
@ball@
Mesh.MeshSizeMax = size;
// Names for the case: the body, and the faces that may touch.
Physical @cells@("ball") = {1};
Physical @faces@("skin") = {1};
)";

const char *const block =
    R"(// The block of @name@.prm, in the language of Gmsh, 0.1 mm above the table.
SetFactory("OpenCASCADE");
DefineConstant[ size = @coarse@ ]; // m: edges of the elements
@block@
Mesh.MeshSizeMax = size;
// Names for the case: the body, and the faces that may touch.
Physical @cells@("block") = {1};
Physical @faces@("sole") = {@lower@};
)";

const char *const table = R"(// The table of @name@.prm, in the language of Gmsh.
SetFactory("OpenCASCADE");
DefineConstant[ size = @coarse@ ]; // m: edges of the elements
@table@
Mesh.MeshSizeMax = size;
// Names for the case: the body, its lower side, and the faces that may touch.
Physical @cells@("table") = {1};
Physical @faces@("held") = {@lower@};
Physical @faces@("top") = {@upper@};
)";

/// Kind of case: its template, and a template for each geometry NAME + ending.
struct Kind {
  const char *name, *parameters;
  std::vector<std::pair<const char *, const char *>> geometries;
};

const std::vector<Kind> kinds = {
    {"bouncing", bouncing_case, {{".geo", ball}}},
    {"sliding", sliding_case, {{"_block.geo", block}, {"_table.geo", table}}}};

/// Word of the templates, with its texts in 2D and 3D.
struct Word {
  const char *name;
  std::array<const char *, 2> texts;
};

const std::vector<Word> words = {
    {"gravity", {"0, -9.81", "0, 0, -9.81"}},
    {"up", {"y", "z"}},
    {"plane", {"half-plane", "half-space"}},
    {"origin", {"0, 0", "0, 0, 0"}},
    {"normal", {"0, 1", "0, 0, 1"}},
    {"held", {"", "\n    set Displacement z = 0"}},
    {"size", {"0.015", "0.03"}},
    {"coarse", {"0.02", "0.05"}},
    {"cells", {"Surface", "Volume"}},
    {"faces", {"Curve", "Surface"}},
    {"lower", {"1", "5"}}, // numbers that OpenCASCADE gives to the sides of rectangles and boxes
    {"upper", {"3", "6"}},
    {"ball", {"Disk(1) = {0, drop + R, 0, R};", "Sphere(1) = {0, 0, drop + R, R};"}},
    {"block",
     {"Rectangle(1) = {0.1, 1e-4, 0, 0.2, 0.1};", "Box(1) = {0.1, 0.1, 1e-4, 0.2, 0.1, 0.1};"}},
    {"table", {"Rectangle(1) = {0, -0.1, 0, 0.6, 0.1};", "Box(1) = {0, 0, -0.1, 0.6, 0.3, 0.1};"}}};

/// Returns the text with another text in place of all "@word@".
std::string replaced(std::string text, const std::string &word, const std::string &replacement) {
  const std::string mark = "@" + word + "@";
  for (std::size_t position = text.find(mark); position != std::string::npos;
       position = text.find(mark, position + replacement.size()))
    text.replace(position, mark.size(), replacement);
  return text;
}

/// Line of a text, without the blanks between its code and its comment.
struct Line {
  std::string code, comment;
};

/// Divides a line at the mark of a comment that follows code.
Line divided(const std::string &line, const std::string &mark) {
  const std::size_t end = line.find(" " + mark), last = line.find_last_not_of(' ', end);
  if (end == std::string::npos || last == std::string::npos)
    return {line, ""};
  return {line.substr(0, last + 1), line.substr(end + 1)};
}

/// Returns the text with comments at one column in each paragraph: words of other lengths have
/// moved them.
std::string aligned(const std::string &text, const std::string &mark) {
  std::istringstream stream(text);
  std::vector<Line> paragraph;
  std::string result;
  const auto finish = [&] {
    std::size_t longest = 0;
    for (const Line &line : paragraph)
      if (!line.comment.empty())
        longest = std::max(longest, line.code.size());
    for (const Line &line : paragraph)
      result += line.code +
                (line.comment.empty() ? "" : std::string(longest + 2 - line.code.size(), ' ')) +
                line.comment + '\n';
    paragraph.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    paragraph.push_back(divided(line, mark));
    if (line.empty())
      finish();
  }
  finish();
  return result;
}

/// Returns a template with the words of a dimension and the name of the case; `mark` begins a
/// comment.
std::string filled(std::string text, const std::string &name, int dim, const std::string &mark) {
  for (const Word &word : words)
    text = replaced(std::move(text), word.name, word.texts[dim - 2]);
  return aligned(replaced(std::move(text), "name", name), mark);
}

/// Returns the kind of this name. Throws InputError.
const Kind &kind_named(const std::string &name) {
  for (const Kind &kind : kinds)
    if (kind.name == name)
      return kind;
  std::string allowed;
  for (const std::string &kind : new_case_kinds())
    allowed += (allowed.empty() ? "" : " | ") + kind;
  throw InputError("--kind '" + name + "': allowed is one of " + allowed +
                   did_you_mean(name, new_case_kinds()));
}

/// Returns the path without ".prm". Throws InputError if a case cannot have this name.
fs::path stem_of(const std::string &name) {
  fs::path path(name);
  const bool is_case = path.extension() == ".prm";
  if (is_case)
    path.replace_extension();
  const std::string file = path.filename().string(), complaint = "--new '" + name + "': ";
  if (const std::string ending = path.extension().string();
      !is_case && ending.size() > 1 && std::isalpha(static_cast<unsigned char>(ending[1])) != 0)
    throw InputError(complaint + "a case ends in .prm, not in '" + ending +
                     "'; give a name with this ending or without one, for example --new " +
                     path.stem().string() + ", and the geometry gets a name like it");
  if (file.empty() || file == "." || file == "..")
    throw InputError(complaint + "the name of a file is needed, for example --new drop");
  if (file.front() == '-')
    throw InputError(complaint + "the name of a case cannot begin with '-', as options do");
  // '#' begins a comment in the case, ',' separates names of meshes.
  if (file.find_first_of("#,\\\"@\t\n\r") != std::string::npos || file.front() == ' ' ||
      file.back() == ' ')
    throw InputError(complaint +
                     "the name of a case cannot contain # , \\ \" @, tabs or line ends, "
                     "or begin or end with a blank");
  std::error_code error;
  if (const fs::path folder = path.parent_path();
      !folder.empty() && !fs::is_directory(folder, error))
    throw InputError(complaint + "there is no folder '" + folder.string() + "'");
  return path;
}

/// Creates a file. Throws InputError if it exists, and WriteError.
void create(const std::string &file, const std::string &text) {
  std::FILE *const stream = std::fopen(file.c_str(), "wx");
  if (stream == nullptr && errno == EEXIST)
    throw InputError("'" + file + "' exists, and is not overwritten: choose another name");
  if (stream == nullptr)
    throw_write_error(file);
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (std::fclose(stream) == 0 && is_written)
    return;
  const int reason = errno;
  std::remove(file.c_str());
  errno = reason;
  throw_write_error(file);
}

} // namespace

std::vector<std::string> new_case_kinds() {
  std::vector<std::string> names;
  for (const Kind &kind : kinds)
    names.emplace_back(kind.name);
  return names;
}

std::vector<std::string> write_new_case(const std::string &name, const std::string &kind, int dim) {
  const Kind &chosen = kind_named(kind);
  const fs::path stem = stem_of(name);
  std::vector<std::pair<std::string, const char *>> templates = {{".prm", chosen.parameters}};
  templates.insert(templates.end(), chosen.geometries.begin(), chosen.geometries.end());
  std::vector<std::string> written;
  try {
    for (const auto &[ending, text] : templates) {
      const std::string file = stem.string() + ending;
      const char *const mark = text == chosen.parameters ? "#" : "//";
      create(file, filled(text, stem.filename().string(), dim, mark));
      written.push_back(file);
    }
  } catch (const std::exception &) {
    for (const std::string &file : written)
      std::remove(file.c_str());
    throw;
  }
  return written;
}

} // namespace percussion
