// Two plates of 36 mm x 32 mm x 4 mm in hexahedra, joined at an edge by a block of 4 mm. The slit
// between them is a wedge of 1 micrometre; the nodes of its faces are not opposite each other.
// gmsh -3 slit.geo -format msh41
DefineConstant[ size = 1 ]; // mm
width = 1e-3;
n_long = Ceil(36 / size - 1e-6);
n_wide = Ceil(32 / size - 1e-6);
n_thick = Ceil(4 / size - 1e-6);
Point(1) = {0, 0, 0};
Point(2) = {4, 0, 0};
Point(3) = {40, 0, 0};
Point(4) = {0, 0, 4};
Point(5) = {4, 0, 4};
Point(6) = {40, 0, 4};
Point(7) = {40, 0, 4 + width};
Point(8) = {0, 0, 8 + width};
Point(9) = {4, 0, 8 + width};
Point(10) = {40, 0, 8 + width};
// along x, along z
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 5};
Line(4) = {5, 6};
Line(5) = {5, 7};
Line(6) = {8, 9};
Line(7) = {9, 10};
Line(8) = {1, 4};
Line(9) = {2, 5};
Line(10) = {3, 6};
Line(11) = {4, 8};
Line(12) = {5, 9};
Line(13) = {7, 10};
Transfinite Curve{1, 3, 6, 8, 9, 10, 11, 12, 13} = n_thick + 1;
Transfinite Curve{2, 4} = n_long + 1 Using Progression 1 + 0.2 * size / 36;
Transfinite Curve{5, 7} = n_long + 1 Using Progression 1 - 0.2 * size / 36;
Curve Loop(1) = {1, 9, -3, -8};
Curve Loop(2) = {2, 10, -4, -9};
Curve Loop(3) = {3, 12, -6, -11};
Curve Loop(4) = {5, 13, -7, -12};
For i In {1 : 4}
  Plane Surface(i) = {i};
EndFor
Transfinite Surface{1 : 4};
Recombine Surface{1 : 4};
For i In {1 : 4}
  out[] = Extrude {0, 32, 0} { Surface{i}; Layers{n_wide}; Recombine; };
  sides~{i}[] = out[];
EndFor
// sides: the surface at the end, the volume, then the surfaces over the lines of the loop
Physical Surface("slit") = {sides_2[4], sides_4[2]};
Physical Surface("bottom") = {sides_1[2], sides_2[2]};
Physical Surface("top") = {sides_3[4], sides_4[4]};
Physical Volume("plates") = {sides_1[1], sides_2[1], sides_3[1], sides_4[1]};
