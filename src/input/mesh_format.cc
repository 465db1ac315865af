#include "mesh_format.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

namespace percussion {

const char *const mesh_endings = ".msh, .geo, .step, .stp, .iges, .igs, .brep, .inp, .vtu, .vtk, "
                                 ".unv, .bdf, .nas, .mesh";

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const std::map<std::string, MeshFormat> &formats_by_ending() {
  static const std::map<std::string, MeshFormat> all = {{".msh", MeshFormat::gmsh},
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
  return all;
}

} // namespace

MeshFormat mesh_format(const std::string &file) {
  std::string ending = std::filesystem::path(file).extension().string();
  // Gmsh knows endings in small and in capital letters, and takes others for scripts.
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  if (std::count_if(ending.begin(), ending.end(), is_capital) + 1 ==
      static_cast<std::ptrdiff_t>(ending.size()))
    ending = lower_case(ending);
  const auto found = formats_by_ending().find(ending);
  return found == formats_by_ending().end() ? MeshFormat::gmsh : found->second;
}

std::string ending_to_rename(const std::string &file) {
  const std::string ending = std::filesystem::path(file).extension().string(),
                    small = lower_case(ending);
  return small != ending && formats_by_ending().count(small) > 0 ? small : "";
}

} // namespace percussion
