/** Who starts next, who grows next, and why the others wait. */
@NullMarked
package dev.muster.coordinator.core.turns;

import org.jspecify.annotations.NullMarked;
