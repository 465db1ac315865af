// A wall of bricks in stretcher bond, with half bricks at the ends of every second course. Each brick has
// two cells; the curves "bed" and "head" are the joints.
DefineConstant[ length = 1, height = 0.5, bricks = 3, courses = 4 ];
halves = 2 * bricks;
For j In {0:courses}
  For i In {0:halves}
    Point(100 * j + i + 1) = {i * length / 2, j * height, 0};
  EndFor
EndFor
bed() = {}; head() = {}; ends() = {};
For j In {0:courses}
  For i In {0:halves-1}
    Line(10000 + 100 * j + i) = {100 * j + i + 1, 100 * j + i + 2};
    Transfinite Curve{10000 + 100 * j + i} = 2;
    If(j > 0 && j < courses)
      bed() += {10000 + 100 * j + i};
    EndIf
  EndFor
EndFor
For j In {0:courses-1}
  For i In {0:halves}
    Line(20000 + 100 * j + i) = {100 * j + i + 1, 100 * (j + 1) + i + 1};
    Transfinite Curve{20000 + 100 * j + i} = 2;
    If(i == 0 || i == halves)
      ends() += {20000 + 100 * j + i};
    ElseIf((i + j) % 2 == 0)
      head() += {20000 + 100 * j + i};
    EndIf
  EndFor
  For i In {0:halves-1}
    Curve Loop(100 * j + i + 1) = {10000 + 100 * j + i, 20000 + 100 * j + i + 1, -(10000 + 100 * (j + 1) + i), -(20000 + 100 * j + i)};
    Plane Surface(100 * j + i + 1) = {100 * j + i + 1};
  EndFor
EndFor
Transfinite Surface{:}; Recombine Surface{:};
Physical Surface("bricks") = Surface{:};
Physical Curve("bed") = bed(); Physical Curve("head") = head(); Physical Curve("outside") = {ends(), 10000 + 100 * courses:10000 + 100 * courses + halves - 1};
Physical Curve("foot") = {10000:10000 + halves - 1};
