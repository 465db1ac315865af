#include <percussion/input/mesh_fingerprint.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace percussion {
namespace {

/// Hash FNV-1a over 64-bit words, least significant byte first on every machine.
class Hash {
public:
  void add(std::uint64_t word) {
    for (unsigned int i = 0; i < 8; ++i, word >>= 8)
      add_byte(word & 0xff);
  }

  void add_byte(std::uint64_t byte) { state = (state ^ byte) * 0x100000001b3u; }

  std::uint64_t state = 0xcbf29ce484222325u;
};

void add_region(Hash &hash, const std::string &name, const Region &region) {
  hash.add(name.size());
  for (const char c : name)
    hash.add_byte(static_cast<unsigned char>(c));
  for (const std::size_t number : {std::size_t{region.dimension}, std::size_t{region.n_elements},
                                   region.nodes.size(), region.faces.size()})
    hash.add(number);
  for (const unsigned int vertex : region.nodes)
    hash.add(vertex);
  for (const CellFace &face : region.faces) {
    hash.add(face.cell);
    hash.add(face.face);
  }
  hash.add(region.cells.size());
  for (const unsigned int cell : region.cells)
    hash.add(cell);
}

} // namespace

template <int dim>
std::string fingerprint(const Mesh<dim> &mesh) {
  Hash hash;
  hash.add(dim);
  hash.add(mesh.triangulation.n_vertices());
  for (const auto &point : mesh.triangulation.get_vertices())
    for (unsigned int d = 0; d < dim; ++d) {
      const double coordinate = point[d] + 0.; // -0 and 0 are equal
      std::uint64_t bits;
      std::memcpy(&bits, &coordinate, sizeof bits);
      hash.add(bits);
    }
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    hash.add(cell->n_vertices());
    for (const unsigned int v : cell->vertex_indices())
      hash.add(cell->vertex_index(v));
  }
  if (mesh.order > 1) {
    hash.add(mesh.order);
    for (const CellFace &face : mesh.linear_faces) {
      hash.add(face.cell);
      hash.add(face.face);
    }
  }
  hash.add(mesh.regions.size());
  for (const auto &[name, region] : mesh.regions)
    add_region(hash, name, region);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.state));
  return text;
}

template std::string fingerprint<2>(const Mesh<2> &);
template std::string fingerprint<3>(const Mesh<3> &);

} // namespace percussion
