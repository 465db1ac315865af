#pragma once

/// Instantiates a function template of the dimension in 2D and 3D.
#define PERCUSSION_INSTANTIATE(function)                                                           \
  template decltype(function<2>) function<2>;                                                      \
  template decltype(function<3>) function<3>
