#include <percussion/input/mesh_fingerprint.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace percussion {
namespace {

/// The hash FNV-1a over 64-bit words, least significant byte first on every machine.
class Hash {
public:
  void add(std::uint64_t word) {
    for (unsigned int i = 0; i < 8; ++i, word >>= 8)
      add_byte(static_cast<unsigned char>(word & 0xff));
  }

  void add(double value) {
    const double positive_zero = value + 0.; // -0 and 0 are the same place
    std::uint64_t bits;
    static_assert(sizeof bits == sizeof positive_zero);
    std::memcpy(&bits, &positive_zero, sizeof bits);
    add(bits);
  }

  void add(const std::string &text) {
    add(std::uint64_t{text.size()});
    for (const char c : text)
      add_byte(static_cast<unsigned char>(c));
  }

  std::string hex() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(state));
    return text;
  }

private:
  void add_byte(unsigned char byte) { state = (state ^ byte) * 0x100000001b3u; }

  std::uint64_t state = 0xcbf29ce484222325u;
};

void add_region(Hash &hash, const std::string &name, const Region &region) {
  hash.add(name);
  for (const std::size_t number : {std::size_t{region.dimension}, std::size_t{region.n_elements},
                                   region.vertices.size(), region.faces.size()})
    hash.add(std::uint64_t{number});
  for (const unsigned int vertex : region.vertices)
    hash.add(std::uint64_t{vertex});
  for (const CellFace &face : region.faces) {
    hash.add(std::uint64_t{face.cell});
    hash.add(std::uint64_t{face.face});
  }
}

} // namespace

template <int dim>
std::string fingerprint(const Mesh<dim> &mesh) {
  Hash hash;
  hash.add(std::uint64_t{dim});
  hash.add(std::uint64_t{mesh.triangulation.n_vertices()});
  for (const auto &point : mesh.triangulation.get_vertices())
    for (unsigned int d = 0; d < dim; ++d)
      hash.add(point[d]);
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    hash.add(std::uint64_t{cell->n_vertices()});
    for (const unsigned int v : cell->vertex_indices())
      hash.add(std::uint64_t{cell->vertex_index(v)});
  }
  hash.add(std::uint64_t{mesh.regions.size()});
  for (const auto &[name, region] : mesh.regions)
    add_region(hash, name, region);
  return hash.hex();
}

template std::string fingerprint<2>(const Mesh<2> &);

} // namespace percussion
