// Half of the section of the transmitter bar: x is the radius, y the axis of all bars.
DefineConstant[ R = 10 ];   // mm
DefineConstant[ bottom = 0 ]; // mm
DefineConstant[ L = 500 ];   // mm
DefineConstant[ N = 4 ];   // elements along the radius
DefineConstant[ M = 200 ];   // layers along the length
Point(1) = {0, bottom, 0};
across[] = Extrude {R, 0, 0} { Point{1}; Layers{N}; };
bar[] = Extrude {0, L, 0} { Line{across[1]}; Layers{M}; Recombine; };
Physical Curve("transmitter back") = {across[1]};
Physical Curve("transmitter front") = {bar[0]};
Physical Surface("transmitter bar") = {bar[1]};
