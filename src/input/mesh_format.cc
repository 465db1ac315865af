#include "mesh_format.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

namespace percussion {

const char *const mesh_endings = ".msh, .geo, .step, .stp, .iges, .igs, .brep, .inp, .vtu, .vtk, "
                                 ".unv, .med, .bdf, .nas, .mesh";

MeshFormat mesh_format(const std::string &file) {
  static const std::map<std::string, MeshFormat> formats = {{".msh", MeshFormat::gmsh},
                                                            {".geo", MeshFormat::geometry},
                                                            {".geo_unrolled", MeshFormat::geometry},
                                                            {".step", MeshFormat::cad},
                                                            {".stp", MeshFormat::cad},
                                                            {".iges", MeshFormat::cad},
                                                            {".igs", MeshFormat::cad},
                                                            {".brep", MeshFormat::cad},
                                                            {".unv", MeshFormat::foreign},
                                                            {".med", MeshFormat::foreign},
                                                            {".bdf", MeshFormat::foreign},
                                                            {".nas", MeshFormat::foreign},
                                                            {".mesh", MeshFormat::foreign},
                                                            {".vtu", MeshFormat::vtk},
                                                            {".vtk", MeshFormat::vtk},
                                                            {".inp", MeshFormat::abaqus}};
  std::string ending = std::filesystem::path(file).extension().string();
  // Gmsh knows endings in small and in capital letters, and takes others for scripts.
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  if (std::count_if(ending.begin(), ending.end(), is_capital) + 1 ==
      static_cast<std::ptrdiff_t>(ending.size()))
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = formats.find(ending);
  return found == formats.end() ? MeshFormat::gmsh : found->second;
}

} // namespace percussion
