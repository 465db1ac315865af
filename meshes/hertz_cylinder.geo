// A quarter of a cylinder of radius 50 mm that stands on y = 0 with its axis at x = 0: triangles,
// of size s where it touches.
// gmsh -2 hertz_cylinder.geo -format msh41
DefineConstant[ s = 0.5 ]; // mm
R = 50;
fine = 0.2; // rad; up to here the size is s
Point(1) = {0, 0, 0, s};
Point(2) = {R*Sin(fine), R*(1 - Cos(fine)), 0, s};
Point(3) = {R, R, 0, 6};
Point(4) = {0, R, 0, 6};
Point(5) = {0, 6, 0, s};
Circle(1) = {1, 4, 2};
Circle(2) = {2, 4, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 1};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
Physical Curve("round") = {1};
Physical Curve("loaded") = {3};
Physical Curve("axis of cylinder") = {4, 5};
Physical Surface("cylinder") = {1};
