// A block of 2 m x 1 m in quadrilaterals of 0.1 m, its lower edge at the height 0.
// gmsh -2 block_q4.geo -format msh41
DefineConstant[ along = 20 ]; // elements of the lower edge
DefineConstant[ high = 10 ];  // elements of the height
Point(1) = {0, 0, 0};
Point(2) = {2, 0, 0};
Point(3) = {2, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = along + 1;
Transfinite Curve {2, 4} = high + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("bottom") = {1};
Physical Surface("block") = {1};
