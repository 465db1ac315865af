#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/missing_file.h>
#include <percussion/base/plain_text.h>
#include <percussion/input/read_surface.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <locale>
#include <map>
#include <sstream>

namespace percussion {
namespace {

std::istringstream stream_of(const std::string &text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  return stream;
}

[[noreturn]] void throw_at(unsigned int line, const std::string &reason) {
  throw InputError("line " + std::to_string(line) + " of the file: " + reason);
}

/// Reads lines "v x y z" and "f a b c …" with corners a/texture/normal; corners may count from the
/// end.
ClosedSurface read_wavefront(const std::string &text) {
  ClosedSurface surface;
  auto lines = stream_of(text);
  unsigned int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    auto words = stream_of(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      dealii::Point<3> x;
      if (!(words >> x[0] >> x[1] >> x[2]))
        throw_at(number, "a vertex needs three coordinates");
      surface.vertices.push_back(x);
    } else if (kind == "f") {
      surface.faces.emplace_back();
      for (std::string corner; words >> corner;) {
        auto digits = stream_of(corner);
        const long n = static_cast<long>(surface.vertices.size());
        long v = 0;
        digits >> v;
        v += v < 0 ? n + 1 : 0;
        if (v < 1 || v > n)
          throw_at(number, "there is no vertex '" + corner + "' before this face");
        surface.faces.back().push_back(static_cast<unsigned int>(v - 1));
      }
      if (surface.faces.back().size() < 3)
        throw_at(number, "a face needs at least three corners");
    }
  }
  return surface;
}

/// Triangles collected by their corners.
class Triangles {
public:
  void add(const std::array<double, 3> &x) {
    const auto [entry, is_new] =
        numbers.emplace(x, static_cast<unsigned int>(surface.vertices.size()));
    if (is_new)
      surface.vertices.emplace_back(x[0], x[1], x[2]);
    if (n_corners++ % 3 == 0)
      surface.faces.emplace_back();
    surface.faces.back().push_back(entry->second);
  }
  ClosedSurface result() {
    if (n_corners % 3 != 0)
      throw InputError("the last triangle has fewer than three corners: the file is cut off");
    return std::move(surface);
  }

private:
  ClosedSurface surface;
  std::map<std::array<double, 3>, unsigned int> numbers;
  std::size_t n_corners = 0;
};

ClosedSurface read_stl_text(const std::string &text) {
  Triangles triangles;
  auto words = stream_of(text);
  for (std::string word; words >> word;)
    if (word == "vertex") {
      std::array<double, 3> x{};
      if (!(words >> x[0] >> x[1] >> x[2]))
        throw InputError("a vertex needs three coordinates");
      triangles.add(x);
    }
  return triangles.result();
}

/// Reads 80 bytes, the number of triangles, and for each triangle its normal, three corners and two
/// bytes.
ClosedSurface read_stl_bytes(const std::string &bytes, std::size_t n) {
  Triangles triangles;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t corner = 1; corner < 4; ++corner) {
      std::array<float, 3> x{};
      std::memcpy(x.data(), bytes.data() + 84 + 50 * k + 12 * corner, sizeof x);
      triangles.add({x[0], x[1], x[2]});
    }
  return triangles.result();
}

ClosedSurface read_stl(const std::string &bytes) {
  std::uint32_t n = 0;
  if (bytes.size() >= 84)
    std::memcpy(&n, bytes.data() + 80, sizeof n);
  if (bytes.size() >= 84 && bytes.size() == 84 + 50 * static_cast<std::size_t>(n))
    return read_stl_bytes(bytes, n);
  if (bytes.compare(length_of_byte_order_mark(bytes), 5, "solid") != 0)
    throw InputError("this is no STL file, or it is cut off");
  return read_stl_text(plain_text(bytes));
}

} // namespace

ClosedSurface read_surface(const std::string &file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".obj" && ending != ".stl")
    throw InputError("the name of a surface file must end in .obj or .stl");
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    throw InputError("'" + file + "' is not a regular file");
  const auto text = read_file(file);
  if (!text)
    throw InputError("there is no file '" + file + "'" + similar_file(file));
  ClosedSurface surface = ending == ".obj" ? read_wavefront(plain_text(*text)) : read_stl(*text);
  if (surface.faces.empty())
    throw InputError("the file has no faces");
  return surface;
}

} // namespace percussion
