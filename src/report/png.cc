#include <percussion/base/error.h>
#include <percussion/report/png.h>

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

#include <algorithm>

namespace percussion::report {

void prepare_picture(vtkRenderWindow &window, const int width, const int height) {
  window.SetOffScreenRendering(1);
  window.SetMultiSamples(8);
  window.SetDPI(72);
  window.SetSize(width, height);
}

void set_font(vtkTextProperty &text, const int size, const bool bold) {
  text.SetFontFamilyToTimes();
  text.SetFontSize(size);
  text.SetColor(0, 0, 0);
  text.SetBold(bold);
  text.SetItalic(0);
  text.SetShadow(0);
}

Pixels read_pixels(vtkRenderWindow &window) {
  window.Render();
  vtkNew<vtkWindowToImageFilter> filter;
  filter->SetInput(&window);
  filter->ReadFrontBufferOff();
  filter->ShouldRerenderOff();
  filter->SetInputBufferTypeToRGB();
  filter->Update();
  vtkImageData &image = *filter->GetOutput();
  Pixels pixels{image.GetDimensions()[0], image.GetDimensions()[1], {}};
  // VTK's rows begin at the bottom.
  for (int y = pixels.height; y-- > 0;) {
    const auto *row = static_cast<const std::uint8_t *>(image.GetScalarPointer(0, y, 0));
    pixels.rgb.insert(pixels.rgb.end(), row, row + 3ul * pixels.width);
  }
  return pixels;
}

void write_png(vtkRenderWindow &window, const std::filesystem::path &file) {
  write_png(read_pixels(window), file);
}

void write_png(const Pixels &pixels, const std::filesystem::path &file, const int compression) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(pixels.width, pixels.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  const std::size_t row = 3ul * pixels.width;
  for (int y = 0; y < pixels.height; ++y)
    std::copy_n(pixels.rgb.begin() + (pixels.height - 1ul - y) * row, row,
                static_cast<std::uint8_t *>(image->GetScalarPointer(0, y, 0)));
  vtkNew<vtkPNGWriter> writer;
  writer->SetFileName(file.c_str());
  writer->SetCompressionLevel(compression);
  writer->SetInputData(image);
  writer->Write();
  if (writer->GetErrorCode() != 0 || !std::filesystem::exists(file))
    throw RunError(file.string() + ": cannot be written");
}

} // namespace percussion::report
