#include <percussion/base/error.h>
#include <percussion/report/image.h>

#include <vtkImageShrink3D.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

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

Image rendered(vtkRenderWindow &window) {
  window.Render();
  vtkNew<vtkWindowToImageFilter> filter;
  filter->SetInput(&window);
  filter->ReadFrontBufferOff();
  filter->ShouldRerenderOff();
  filter->SetInputBufferTypeToRGB();
  filter->Update();
  return filter->GetOutput();
}

Image halved(const Image &image) {
  vtkNew<vtkImageShrink3D> filter;
  filter->SetInputData(image);
  filter->SetShrinkFactors(2, 2, 1);
  filter->MeanOn();
  filter->Update();
  return filter->GetOutput();
}

void write_png(const Image &image, const std::filesystem::path &file, const int compression) {
  vtkNew<vtkPNGWriter> writer;
  writer->SetFileName(file.c_str());
  writer->SetCompressionLevel(compression);
  writer->SetInputData(image);
  writer->Write();
  if (writer->GetErrorCode() != 0 || !std::filesystem::exists(file))
    throw RunError(file.string() + ": cannot be written");
}

} // namespace percussion::report
