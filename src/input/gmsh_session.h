#pragma once

#include <percussion/input/gmsh_model.h>

#include <string>
#include <vector>

namespace percussion {

/// The Gmsh SDK keeps one global state; this keeps it alive for as long as a file is read. What it
/// does depends on the file alone: not on the user's own settings of Gmsh, nor on chance.
class GmshSession {
public:
  explicit GmshSession(const GmshSource &source);
  ~GmshSession();
  GmshSession(const GmshSession &) = delete;
  GmshSession &operator=(const GmshSession &) = delete;

  /// Throws InputError with Gmsh's own words, which name the line of a script.
  void open();

  /// Mesh what was opened by elements of first order, unless the script has done so.
  void mesh(unsigned int dim);

  /// What Gmsh warned of.
  std::vector<std::string> warnings() const;

private:
  const GmshSource &source;
};

} // namespace percussion
