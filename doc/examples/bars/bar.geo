// An upright bar in a column of quadrilaterals, its lower end `gap` above the ground y = 0.
// gmsh -2 bar.geo -format msh41
DefineConstant[ length = 10 ];
DefineConstant[ width = 1 ];
DefineConstant[ gap = 5 ];
DefineConstant[ elements = 40 ]; // along the bar
Point(1) = {0, gap, 0};
Point(2) = {width, gap, 0};
Point(3) = {width, gap + length, 0};
Point(4) = {0, gap + length, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 2;
Transfinite Curve {2, 4} = elements + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("contact") = {1};
Physical Curve("top") = {3};
Physical Surface("body") = {1};
