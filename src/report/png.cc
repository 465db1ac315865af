#include <percussion/io/error.h>
#include <percussion/report/png.h>

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

void write_png(vtkRenderWindow &window, const std::filesystem::path &file) {
  window.Render();
  vtkNew<vtkWindowToImageFilter> image;
  image->SetInput(&window);
  image->ReadFrontBufferOff();
  image->ShouldRerenderOff();
  image->SetInputBufferTypeToRGB();
  vtkNew<vtkPNGWriter> writer;
  writer->SetFileName(file.c_str());
  writer->SetCompressionLevel(9);
  writer->SetInputConnection(image->GetOutputPort());
  writer->Write();
  if (writer->GetErrorCode() != 0 || !std::filesystem::exists(file))
    throw RunError(file.string() + ": cannot be written");
}

} // namespace percussion::report
