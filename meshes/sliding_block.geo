// The sliding block of Acary & Collins-Craft (2024), section 5.3: 40 mm x 25 mm, 1 mm triangles.
// gmsh -2 sliding_block.geo -format msh41
DefineConstant[ size = 1 ]; // mm
Point(1) = {0, 0, 0, size};
Point(2) = {40, 0, 0, size};
Point(3) = {40, 25, 0, size};
Point(4) = {0, 25, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("Contact BC") = {1};
Physical Curve("Confining displacement") = {3};
Physical Curve("Applied force") = {4};
Physical Surface("Bulk material") = {1};
