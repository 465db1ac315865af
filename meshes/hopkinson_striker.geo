// Half of the section of the striker: x is the radius, y the axis of all bars.
DefineConstant[ R = 10 ];   // mm
DefineConstant[ bottom = -1005.5 ]; // mm
DefineConstant[ L = 200 ];   // mm
DefineConstant[ N = 4 ];   // elements along the radius
DefineConstant[ M = 80 ];   // layers along the length
Point(1) = {0, bottom, 0};
across[] = Extrude {R, 0, 0} { Point{1}; Layers{N}; };
bar[] = Extrude {0, L, 0} { Line{across[1]}; Layers{M}; Recombine; };
Physical Curve("striker back") = {across[1]};
Physical Curve("striker front") = {bar[0]};
Physical Surface("striker") = {bar[1]};
