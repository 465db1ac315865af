// A quarter of the wall of an artery about the z axis, of media and adventitia, in hexahedra. The
// planes y = 0 and x = 0 are planes of symmetry, and x < 0 and y < 0.
DefineConstant[ lumen = 0.71, media = 0.26, adventitia = 0.13 ]; // mm: radius, thicknesses
DefineConstant[ bottom = -0.7, top = 1.7 ];                      // mm
DefineConstant[ in_media = 1, in_adventitia = 1, along = 6, around = 6 ]; // cells
sections[] = {};
ends[] = {};
For i In {0 : 2}
  r = lumen + ((i > 0) ? media : 0) + ((i > 1) ? adventitia : 0);
  Point(2*i + 1) = {-r, 0, bottom};
  Point(2*i + 2) = {-r, 0, top};
  Line(10 + i) = {2*i + 1, 2*i + 2};
  Transfinite Curve{10 + i} = along + 1;
EndFor
For i In {0 : 1}
  Line(20 + i) = {2*i + 1, 2*i + 3};
  Line(30 + i) = {2*i + 2, 2*i + 4};
  Transfinite Curve{20 + i, 30 + i} = ((i == 0) ? in_media : in_adventitia) + 1;
  Curve Loop(i + 1) = {20 + i, 11 + i, -(30 + i), -(10 + i)};
  Plane Surface(i + 1) = {i + 1};
  Transfinite Surface{i + 1};
  Recombine Surface{i + 1};
EndFor
// out[]: the end, the volume and the four sides of each layer
out[] = Extrude { {0, 0, 1}, {0, 0, 0}, Pi / 2 } { Surface{1, 2}; Layers{around}; Recombine; };
Physical Surface("lumen") = {out[5]};
Physical Surface("ends") = {out[2], out[4], out[8], out[10]};
Physical Surface("front") = {1, 2};
Physical Surface("back") = {out[0], out[6]};
Physical Volume("media") = {out[1]};
Physical Volume("adventitia") = {out[7]};
