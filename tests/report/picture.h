#pragma once

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkPointData.h>

#include <cmath>
#include <filesystem>
#include <map>

/// What the pictures of bodies show in one colour: 0xRRGGBB.
constexpr long colour_of_ground = 0xe0e0e0, colour_of_rigid_bodies = 0xc4dbed,
               colour_of_arrows = 0xd55e00;

/// The pixels of a picture by their colours.
struct Content {
  int width = 0;
  std::map<long, int> pixels;

  std::size_t n_colours() const { return pixels.size(); }
  int count(long colour) const {
    const auto found = pixels.find(colour);
    return found == pixels.end() ? 0 : found->second;
  }
};

inline Content content_of(const std::filesystem::path &file) {
  vtkNew<vtkPNGReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkImageData &image = *reader->GetOutput();
  Content content;
  content.width = image.GetDimensions()[0];
  vtkDataArray &values = *image.GetPointData()->GetScalars();
  for (vtkIdType i = 0; i < values.GetNumberOfTuples(); ++i) {
    long colour = 0;
    for (int c = 0; c < 3; ++c)
      colour = 256 * colour + std::lround(values.GetComponent(i, c));
    ++content.pixels[colour];
  }
  return content;
}
