// A half of a block, 100 mm x 200 mm, below y = 0, with its symmetry axis at x = 0: quadrilaterals,
// of size 4s/5 where it is touched.
// gmsh -2 hertz_block.geo -format msh41
DefineConstant[ s = 0.5 ]; // mm
fine = 10;
n = Round(fine/(0.8*s));
Point(1) = {0, 0, 0};
Point(2) = {fine, 0, 0};
Point(3) = {100, 0, 0};
Point(4) = {0, -fine, 0};
Point(5) = {fine, -fine, 0};
Point(6) = {100, -fine, 0};
Point(7) = {0, -200, 0};
Point(8) = {fine, -200, 0};
Point(9) = {100, -200, 0};
For i In {0 : 2}
  Line(1 + 2*i) = {1 + 3*i, 2 + 3*i};
  Line(2 + 2*i) = {2 + 3*i, 3 + 3*i};
  Line(11 + 2*i) = {1 + i, 4 + i};
  Line(12 + 2*i) = {4 + i, 7 + i};
EndFor
Curve Loop(1) = {1, 13, -3, -11};
Curve Loop(2) = {2, 15, -4, -13};
Curve Loop(3) = {3, 14, -5, -12};
Curve Loop(4) = {4, 16, -6, -14};
For i In {1 : 4}
  Plane Surface(i) = {i};
EndFor
Transfinite Curve {1, 3, 5, 11, 13, 15} = n + 1;
Transfinite Curve {2, 4, 6} = n/2 + 6 Using Progression 1.2;
Transfinite Curve {12, 14, 16} = n/2 + 8 Using Progression 1.2;
Transfinite Surface {1 : 4};
Recombine Surface {1 : 4};
Reverse Surface {1 : 4};
Physical Curve("top") = {1};
Physical Curve("held") = {5, 6};
Physical Curve("axis of block") = {11, 12};
Physical Surface("block") = {1 : 4};
