#include <percussion/report/gif.h>

#include <gtest/gtest.h>

#include <cstring>
#include <gif_lib.h>

using namespace percussion::report;

namespace {
constexpr int width = 40, height = 20;

/// White with a black bar, and a shaded block, whose left side is at x.
Pixels picture(const int x) {
  Pixels pixels{width, height, std::vector<std::uint8_t>(3 * width * height, 255)};
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      std::uint8_t *rgb = &pixels.rgb[3 * (row * width + column)];
      if (row == 2)
        rgb[0] = rgb[1] = rgb[2] = 0;
      else if (column >= x && column < x + 8 && row > 5) {
        rgb[0] = 0;
        rgb[1] = static_cast<std::uint8_t>(100 + 5 * row);
      }
    }
  return pixels;
}

struct Source {
  const std::string &bytes;
  std::size_t at = 0;
};

int read(GifFileType *gif, GifByteType *to, const int count) {
  auto &source = *static_cast<Source *>(gif->UserData);
  const std::size_t n = std::min<std::size_t>(count, source.bytes.size() - source.at);
  std::memcpy(to, source.bytes.data() + source.at, n);
  source.at += n;
  return static_cast<int>(n);
}

/// An animation as giflib reads it.
struct Decoded {
  explicit Decoded(const std::string &bytes) : source{bytes} {
    int error = 0;
    gif = DGifOpen(&source, read, &error);
    good = gif != nullptr && DGifSlurp(gif) == GIF_OK;
  }
  ~Decoded() { DGifCloseFile(gif, nullptr); }
  Decoded(const Decoded &) = delete;
  Decoded &operator=(const Decoded &) = delete;

  /// What is seen when frame k is shown.
  Pixels shown(const int k) const {
    Pixels pixels{gif->SWidth, gif->SHeight, {}};
    pixels.rgb.resize(3ul * gif->SWidth * gif->SHeight);
    for (int frame = 0; frame <= k; ++frame)
      for (std::size_t i = 0; i < pixels.rgb.size() / 3; ++i) {
        const int index = gif->SavedImages[frame].RasterBits[i];
        if (index == control(frame).TransparentColor)
          continue;
        const GifColorType &colour = gif->SColorMap->Colors[index];
        pixels.rgb[3 * i] = colour.Red;
        pixels.rgb[3 * i + 1] = colour.Green;
        pixels.rgb[3 * i + 2] = colour.Blue;
      }
    return pixels;
  }

  GraphicsControlBlock control(const int frame) const {
    GraphicsControlBlock block{};
    DGifSavedExtensionToGCB(gif, frame, &block);
    return block;
  }

  Source source;
  GifFileType *gif = nullptr;
  bool good = false;
};
} // namespace

TEST(ReportGif, ShowsThePicturesOneAfterTheOther) {
  const std::vector<Pixels> pictures = {picture(0), picture(10), picture(25)};
  const std::string bytes = gif_of(pictures, 120);
  const Decoded decoded(bytes);
  ASSERT_TRUE(decoded.good);
  ASSERT_EQ(decoded.gif->ImageCount, 3);
  EXPECT_EQ(decoded.gif->SWidth, width);
  EXPECT_EQ(decoded.control(0).DelayTime, 12);
  EXPECT_EQ(decoded.control(2).DelayTime, 200);
  // There are fewer colours than the palette holds, so each is kept but for rounding.
  for (int k = 0; k < 3; ++k) {
    const Pixels shown = decoded.shown(k);
    for (std::size_t i = 0; i < shown.rgb.size(); ++i)
      ASSERT_NEAR(shown.rgb[i], pictures[k].rgb[i], 1) << "frame " << k << ", byte " << i;
  }
  // Paper and ink are exact.
  EXPECT_EQ(decoded.shown(2).rgb[0], 255);
  EXPECT_EQ(decoded.shown(2).rgb[3 * 2 * width], 0);
}

TEST(ReportGif, WhatStaysIsNotStoredAgain) {
  const std::string one = gif_of({picture(3)}, 100), ten = gif_of({10, picture(3)}, 100);
  EXPECT_LT(ten.size(), one.size() + 9 * 80);
}

TEST(ReportGif, EqualPicturesGiveEqualBytes) {
  EXPECT_EQ(gif_of({picture(1), picture(2)}, 50), gif_of({picture(1), picture(2)}, 50));
}

TEST(ReportGif, HalfSizeIsTheMeanOfFourPixels) {
  Pixels four{3, 2, {0, 0, 0, 10, 20, 30, 99, 99, 99, 20, 40, 60, 30, 60, 91, 99, 99, 99}};
  const Pixels half = halved(four);
  EXPECT_EQ(half.width, 1);
  EXPECT_EQ(half.height, 1);
  EXPECT_EQ(half.rgb, (std::vector<std::uint8_t>{15, 30, 45}));
}
