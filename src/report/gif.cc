#include <percussion/base/error.h>
#include <percussion/report/gif.h>

#include "palette.h"
#include <gif_lib.h>
#include <memory>

namespace percussion::report {
namespace {
constexpr int transparent = 255; ///< the index of what stays as it was

struct Close {
  void operator()(GifFileType *gif) const { EGifCloseFile(gif, nullptr); }
};
using Gif = std::unique_ptr<GifFileType, Close>;

struct Free {
  void operator()(ColorMapObject *map) const { GifFreeMapObject(map); }
};

/// Adds what giflib writes to a text.
int append(GifFileType *gif, const GifByteType *bytes, const int count) {
  static_cast<std::string *>(gif->UserData)
      ->append(reinterpret_cast<const char *>(bytes), static_cast<std::size_t>(count));
  return count;
}

using Indices = std::vector<GifByteType>;

Indices indices_of(const Pixels &picture, NearestColour &nearest) {
  Indices indices(picture.rgb.size() / 3);
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] = nearest({picture.rgb[3 * i], picture.rgb[3 * i + 1], picture.rgb[3 * i + 2]});
  return indices;
}

bool put_header(GifFileType &gif, const Pixels &first, const std::vector<Colour> &palette) {
  std::vector<GifColorType> colours(256, GifColorType{0, 0, 0});
  for (std::size_t i = 0; i < palette.size(); ++i)
    colours[i] = {palette[i][0], palette[i][1], palette[i][2]};
  const std::unique_ptr<ColorMapObject, Free> map(GifMakeMapObject(256, colours.data()));
  EGifSetGifVersion(&gif, true);
  if (map == nullptr ||
      EGifPutScreenDesc(&gif, first.width, first.height, 8, 0, map.get()) == GIF_ERROR)
    return false;
  // Netscape's extension: begin anew for ever.
  const GifByteType loop[3] = {1, 0, 0};
  return EGifPutExtensionLeader(&gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(&gif, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(&gif, 3, loop) == GIF_OK && EGifPutExtensionTrailer(&gif) == GIF_OK;
}

bool put_picture(GifFileType &gif, Indices &indices, const int width, const int milliseconds) {
  GraphicsControlBlock control{};
  control.DisposalMode = DISPOSE_DO_NOT;
  control.DelayTime = milliseconds / 10;
  control.TransparentColor = transparent;
  GifByteType extension[4];
  const std::size_t length = EGifGCBToExtension(&control, extension);
  const int height = static_cast<int>(indices.size()) / width;
  bool good = EGifPutExtension(&gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(length), extension) ==
                  GIF_OK &&
              EGifPutImageDesc(&gif, 0, 0, width, height, false, nullptr) == GIF_OK;
  for (int row = 0; good && row < height; ++row)
    good = EGifPutLine(&gif, &indices[static_cast<std::size_t>(row) * width], width) == GIF_OK;
  return good;
}
} // namespace

Pixels halved(const Pixels &pixels) {
  Pixels half{pixels.width / 2, pixels.height / 2, {}};
  half.rgb.reserve(3u * half.width * half.height);
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x)
      for (int c = 0; c < 3; ++c) {
        int sum = 2; // to the nearest
        for (const auto &[dx, dy] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}})
          sum += pixels.rgb[3ul * ((2ul * y + dy) * pixels.width + 2ul * x + dx) + c];
        half.rgb.push_back(static_cast<std::uint8_t>(sum / 4));
      }
  return half;
}

std::string gif_of(const std::vector<Pixels> &pictures, const int milliseconds) {
  const auto palette = palette_of(pictures, transparent);
  NearestColour nearest(palette);
  int error = 0;
  std::string bytes;
  Gif gif(EGifOpen(&bytes, append, &error));
  bool good = gif != nullptr && put_header(*gif, pictures.front(), palette);
  Indices before;
  for (std::size_t k = 0; good && k < pictures.size(); ++k) {
    const Indices now = indices_of(pictures[k], nearest);
    Indices changed = now;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (now[i] == before[i])
        changed[i] = transparent;
    const int shown = k + 1 == pictures.size() ? 2000 : milliseconds;
    good = put_picture(*gif, changed, pictures[k].width, shown);
    before = now;
  }
  if (good)
    good = EGifCloseFile(gif.release(), &error) == GIF_OK;
  if (!good)
    throw RunError("the animation cannot be encoded");
  return bytes;
}

} // namespace percussion::report
