// The elastic ball of Barboteu et al. (2024), section 6.1: a disk of radius 10 m in quadrilaterals,
// 128 nodes along the circle as in the paper, its lowest point `gap` above the ground y = 0. The
// paper's own gap contradicts its times; this one lets the ball hit the ground after 5 ms.
// gmsh -2 ball.geo -format msh41
DefineConstant[ around = 128 ]; // nodes along the circle, a multiple of 4
DefineConstant[ layers = 12 ];  // elements between the circle and the square in the middle
DefineConstant[ gap = 0.0473 ]; // m; no multiple of half the way of a step
radius = 10;
square = 5; // half of its diagonal
Point(1) = {0, gap + radius, 0};
For i In {0:3}
  angle = i*Pi/2; // from the lowest point
  Point(2 + i) = {radius*Sin(angle), gap + radius*(1 - Cos(angle)), 0};
  Point(6 + i) = {square*Sin(angle), gap + radius - square*Cos(angle), 0};
EndFor
For i In {0:3}
  j = (i + 1) % 4;
  Circle(1 + i) = {2 + i, 1, 2 + j};
  Line(5 + i) = {6 + i, 6 + j};
  Line(9 + i) = {2 + i, 6 + i};
EndFor
Transfinite Curve {1:8} = around/4 + 1;
Transfinite Curve {9:12} = layers + 1;
For i In {0:3}
  j = (i + 1) % 4;
  Curve Loop(1 + i) = {1 + i, 9 + j, -(5 + i), -(9 + i)};
  Plane Surface(1 + i) = {1 + i};
EndFor
Curve Loop(5) = {5, 6, 7, 8};
Plane Surface(5) = {5};
Transfinite Surface {1:5};
Recombine Surface {1:5};
Physical Curve("contact") = {1:4};
Physical Surface("body") = {1:5};
