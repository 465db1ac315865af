#pragma once

namespace percussion::report {

/// Whether an X server answers. The connection stays open to the end of the program: an X server
/// whose last client leaves starts afresh and refuses connections for that moment.
bool display_answers();

/**
 * Ensures that VTK can draw: where there is no X display, or none that answers, the program
 * starts itself again under `xvfb-run -a` and this call does not return. Throws RunError where
 * that is not possible. `arguments` is main's argv, ended by a null pointer.
 */
void ensure_display(char **arguments);

} // namespace percussion::report
