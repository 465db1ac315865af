#include <percussion/report/image.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <gif_lib.h>

using namespace percussion::report;

namespace {
constexpr int width = 40, height = 20;

/// White with a black bar, and a shaded block, whose left side is at x.
Image picture(const int x) {
  Image image = Image::New();
  image->SetDimensions(width, height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      auto *rgb = static_cast<unsigned char *>(image->GetScalarPointer(column, row, 0));
      std::fill_n(rgb, 3, row == 2 ? 0 : 255);
      if (column >= x && column < x + 8 && row > 5) {
        rgb[0] = 0;
        rgb[1] = static_cast<unsigned char>(100 + 5 * row);
      }
    }
  return image;
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

  /// The colours seen when frame k is shown, from the top row down.
  std::vector<GifColorType> shown(const int k) const {
    std::vector<GifColorType> pixels(static_cast<std::size_t>(gif->SWidth * gif->SHeight));
    for (int frame = 0; frame <= k; ++frame)
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        const int index = gif->SavedImages[frame].RasterBits[i];
        if (index != control(frame).TransparentColor)
          pixels[i] = gif->SColorMap->Colors[index];
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
  const std::vector<Image> pictures = {picture(0), picture(10), picture(25)};
  const std::string bytes = gif_of(pictures, 120);
  const Decoded decoded(bytes);
  ASSERT_TRUE(decoded.good);
  ASSERT_EQ(decoded.gif->ImageCount, 3);
  EXPECT_EQ(decoded.gif->SWidth, width);
  EXPECT_EQ(decoded.control(0).DelayTime, 12);
  EXPECT_EQ(decoded.control(2).DelayTime, 200);
  // There are fewer colours than the palette holds, so each is kept but for rounding.
  for (int k = 0; k < 3; ++k) {
    const auto shown = decoded.shown(k);
    for (int i = 0; i < width * height; ++i) {
      const auto *rgb = static_cast<unsigned char *>(
          pictures[k]->GetScalarPointer(i % width, height - 1 - i / width, 0));
      ASSERT_NEAR(shown[i].Red, rgb[0], 1) << "frame " << k << ", pixel " << i;
      ASSERT_NEAR(shown[i].Green, rgb[1], 1) << "frame " << k << ", pixel " << i;
      ASSERT_NEAR(shown[i].Blue, rgb[2], 1) << "frame " << k << ", pixel " << i;
    }
  }
  // Paper and ink are exact.
  EXPECT_EQ(decoded.shown(2)[0].Red, 255);
  EXPECT_EQ(decoded.shown(2)[width * (height - 1 - 2)].Red, 0);
}

TEST(ReportGif, WhatStaysIsNotStoredAgain) {
  const std::string one = gif_of({picture(3)}, 100), ten = gif_of({10, picture(3)}, 100);
  EXPECT_LT(ten.size(), one.size() + 9 * 80);
}

TEST(ReportGif, EqualPicturesGiveEqualBytes) {
  EXPECT_EQ(gif_of({picture(1), picture(2)}, 50), gif_of({picture(1), picture(2)}, 50));
}

TEST(ReportGif, HalfSizeIsTheMeanOfFourPixels) {
  Image image = Image::New();
  image->SetDimensions(4, 2, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  int value = 0;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x)
      *static_cast<unsigned char *>(image->GetScalarPointer(x, y, 0)) =
          static_cast<unsigned char>(10 * value++);
  const Image half = halved(image);
  EXPECT_EQ(half->GetDimensions()[0], 2);
  EXPECT_EQ(half->GetDimensions()[1], 1);
  EXPECT_EQ(half->GetScalarComponentAsDouble(0, 0, 0, 0), 25);
  EXPECT_EQ(half->GetScalarComponentAsDouble(1, 0, 0, 0), 45);
}
