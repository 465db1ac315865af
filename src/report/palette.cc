#include "palette.h"

#include <vtkImageData.h>
#include <vtkImageQuantizeRGBToIndex.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion::report {
namespace {
/// A few pictures have the colours of all.
constexpr std::size_t most_samples = 8;

int squared_distance(const Colour &a, const Colour &b) {
  int sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

std::size_t nearest(const std::vector<Colour> &palette, const Colour &colour) {
  const auto closer = [&](const Colour &a, const Colour &b) {
    return squared_distance(a, colour) < squared_distance(b, colour);
  };
  return std::min_element(palette.begin(), palette.end(), closer) - palette.begin();
}
} // namespace

std::vector<Colour> palette_of(const std::vector<Pixels> &pictures, const int count) {
  std::vector<std::size_t> samples;
  const std::size_t n = std::min(pictures.size(), most_samples);
  for (std::size_t k = 0; k < n; ++k)
    samples.push_back(n == 1 ? 0 : k * (pictures.size() - 1) / (n - 1));

  vtkNew<vtkImageData> image;
  image->SetDimensions(pictures.front().width,
                       pictures.front().height * static_cast<int>(samples.size()), 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto *bytes = static_cast<std::uint8_t *>(image->GetScalarPointer());
  for (const std::size_t k : samples)
    bytes = std::copy(pictures[k].rgb.begin(), pictures[k].rgb.end(), bytes);
  vtkNew<vtkImageQuantizeRGBToIndex> quantize;
  quantize->SetInputData(image);
  quantize->SetNumberOfColors(count);
  quantize->Update();
  vtkLookupTable &table = *quantize->GetLookupTable();

  std::vector<Colour> palette;
  for (vtkIdType i = 0; i < std::min<vtkIdType>(count, table.GetNumberOfTableValues()); ++i) {
    std::array<double, 4> value{};
    table.GetTableValue(i, value.data());
    Colour colour{};
    for (int c = 0; c < 3; ++c)
      colour[c] = static_cast<std::uint8_t>(std::lround(255 * value[c]));
    palette.push_back(colour);
  }
  // Means of a few greys would tint the paper and the ink.
  for (const Colour &exact : {Colour{255, 255, 255}, Colour{0, 0, 0}})
    palette[nearest(palette, exact)] = exact;
  return palette;
}

std::uint8_t NearestColour::operator()(const Colour &colour) {
  const std::uint32_t key = colour[0] << 16 | colour[1] << 8 | colour[2];
  const auto known = found.find(key);
  if (known != found.end())
    return known->second;
  return found[key] = static_cast<std::uint8_t>(nearest(palette, colour));
}

} // namespace percussion::report
