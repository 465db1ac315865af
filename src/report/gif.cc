#include <percussion/base/error.h>
#include <percussion/report/image.h>

#include <vtkImageAppend.h>
#include <vtkImageQuantizeRGBToIndex.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>

#include <algorithm>
#include <array>
#include <gif_lib.h>
#include <memory>
#include <unordered_map>

namespace percussion::report {
namespace {
constexpr int transparent = 255; ///< the index of what stays as it was

using Colour = std::array<unsigned char, 3>;

std::size_t nearest(const std::vector<Colour> &palette, const Colour &colour) {
  const auto distance = [&](const Colour &other) {
    int sum = 0;
    for (int c = 0; c < 3; ++c)
      sum += (other[c] - colour[c]) * (other[c] - colour[c]);
    return sum;
  };
  const auto closer = [&](const Colour &a, const Colour &b) { return distance(a) < distance(b); };
  return std::min_element(palette.begin(), palette.end(), closer) - palette.begin();
}

/// Colours that represent those of the images, white and black among them.
std::vector<Colour> palette_of(const std::vector<Image> &images) {
  vtkNew<vtkImageAppend> sample; // a few images have the colours of all
  sample->SetAppendAxis(1);
  for (std::size_t k = 0; k < images.size(); k += 1 + images.size() / 8)
    sample->AddInputData(images[k]);
  vtkNew<vtkImageQuantizeRGBToIndex> quantize;
  quantize->SetInputConnection(sample->GetOutputPort());
  quantize->SetNumberOfColors(transparent);
  quantize->Update();
  vtkLookupTable &table = *quantize->GetLookupTable();
  std::vector<Colour> palette(std::min<vtkIdType>(transparent, table.GetNumberOfTableValues()));
  for (std::size_t i = 0; i < palette.size(); ++i)
    std::copy_n(table.GetPointer(static_cast<vtkIdType>(i)), 3, palette[i].begin());
  // Means of a few greys would tint the paper and the ink.
  for (const Colour &exact : {Colour{255, 255, 255}, Colour{0, 0, 0}})
    palette[nearest(palette, exact)] = exact;
  return palette;
}

using Indices = std::vector<GifByteType>;

/// The image in colours of the palette, from the top row down. `known` keeps what was looked up.
Indices indices_of(vtkImageData &image, const std::vector<Colour> &palette,
                   std::unordered_map<int, GifByteType> &known) {
  const int width = image.GetDimensions()[0], height = image.GetDimensions()[1];
  Indices indices;
  for (int y = height; y-- > 0;) {
    const auto *rgb = static_cast<const unsigned char *>(image.GetScalarPointer(0, y, 0));
    for (int x = 0; x < width; ++x, rgb += 3) {
      const auto [entry, is_new] = known.insert({rgb[0] << 16 | rgb[1] << 8 | rgb[2], 0});
      if (is_new)
        entry->second = static_cast<GifByteType>(nearest(palette, {rgb[0], rgb[1], rgb[2]}));
      indices.push_back(entry->second);
    }
  }
  return indices;
}

/// Adds what giflib writes to a text.
int append(GifFileType *gif, const GifByteType *bytes, const int count) {
  static_cast<std::string *>(gif->UserData)
      ->append(reinterpret_cast<const char *>(bytes), static_cast<std::size_t>(count));
  return count;
}

bool put_header(GifFileType &gif, const int width, const int height,
                const std::vector<Colour> &palette) {
  std::array<GifColorType, 256> colours{};
  for (std::size_t i = 0; i < palette.size(); ++i)
    colours[i] = {palette[i][0], palette[i][1], palette[i][2]};
  const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject *)> map(
      GifMakeMapObject(256, colours.data()), GifFreeMapObject);
  EGifSetGifVersion(&gif, true);
  // Netscape's extension: an endless loop.
  const GifByteType loop[3] = {1, 0, 0};
  return map != nullptr && EGifPutScreenDesc(&gif, width, height, 8, 0, map.get()) == GIF_OK &&
         EGifPutExtensionLeader(&gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(&gif, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(&gif, 3, loop) == GIF_OK && EGifPutExtensionTrailer(&gif) == GIF_OK;
}

bool put_image(GifFileType &gif, Indices &indices, const int width, const int height,
               const int milliseconds) {
  const GraphicsControlBlock control{DISPOSE_DO_NOT, false, milliseconds / 10, transparent};
  GifByteType extension[4];
  const auto length = static_cast<int>(EGifGCBToExtension(&control, extension));
  bool good = EGifPutExtension(&gif, GRAPHICS_EXT_FUNC_CODE, length, extension) == GIF_OK &&
              EGifPutImageDesc(&gif, 0, 0, width, height, false, nullptr) == GIF_OK;
  for (int row = 0; good && row < height; ++row)
    good = EGifPutLine(&gif, &indices[static_cast<std::size_t>(row) * width], width) == GIF_OK;
  return good;
}
} // namespace

std::string gif_of(const std::vector<Image> &images, const int milliseconds) {
  const int width = images.front()->GetDimensions()[0], height = images.front()->GetDimensions()[1];
  const auto palette = palette_of(images);
  std::unordered_map<int, GifByteType> known;
  std::string bytes;
  int error = 0;
  GifFileType *gif = EGifOpen(&bytes, append, &error);
  bool good = gif != nullptr && put_header(*gif, width, height, palette);
  Indices before;
  for (std::size_t k = 0; good && k < images.size(); ++k) {
    const Indices now = indices_of(*images[k], palette, known);
    Indices changed = now;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (now[i] == before[i])
        changed[i] = transparent;
    good = put_image(*gif, changed, width, height, k + 1 == images.size() ? 2000 : milliseconds);
    before = now;
  }
  if (gif == nullptr || EGifCloseFile(gif, &error) != GIF_OK || !good)
    throw RunError("the animation cannot be encoded");
  return bytes;
}

} // namespace percussion::report
