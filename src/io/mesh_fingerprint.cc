#include <percussion/io/mesh_fingerprint.h>

#include <boost/crc.hpp>
#include <cstdint>
#include <cstdio>

namespace percussion {
namespace {

class Hash {
public:
  template <typename Number>
  void add(const Number &number) {
    crc.process_bytes(&number, sizeof number);
  }
  void add(const std::string &text) {
    add(text.size());
    crc.process_bytes(text.data(), text.size());
  }
  std::string text() const {
    char hex[20];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(crc.checksum()));
    return hex;
  }

private:
  boost::crc_optimal<64, 0x42f0e1eba9ea3693, 0, 0> crc; // ECMA-182
};

} // namespace

template <int dim>
std::string fingerprint(const Mesh<dim> &mesh) {
  Hash hash;
  for (const auto &vertex : mesh.triangulation.get_vertices())
    for (unsigned int d = 0; d < dim; ++d)
      hash.add(vertex[d]);
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      hash.add(cell->vertex_index(v));
  for (const auto &[name, region] : mesh.regions) {
    hash.add(name);
    hash.add(region.dimension);
    hash.add(region.n_elements);
    for (const unsigned int vertex : region.vertices)
      hash.add(vertex);
    for (const CellFace &face : region.faces) {
      hash.add(face.cell);
      hash.add(face.face);
    }
  }
  return hash.text();
}

template std::string fingerprint(const Mesh<2> &);

} // namespace percussion
