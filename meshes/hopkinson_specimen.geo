// Half of the section of the specimen: x is the radius, y the axis of all bars.
DefineConstant[ R = 5 ];   // mm
DefineConstant[ bottom = -5 ]; // mm
DefineConstant[ L = 5 ];   // mm
DefineConstant[ N = 4 ];   // elements along the radius
DefineConstant[ M = 4 ];   // layers along the length
Point(1) = {0, bottom, 0};
across[] = Extrude {R, 0, 0} { Point{1}; Layers{N}; };
bar[] = Extrude {0, L, 0} { Line{across[1]}; Layers{M}; Recombine; };
Physical Curve("specimen back") = {across[1]};
Physical Curve("specimen front") = {bar[0]};
Physical Surface("specimen") = {bar[1]};
