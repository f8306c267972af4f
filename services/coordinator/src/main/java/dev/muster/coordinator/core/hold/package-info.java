/** Whose is the pool's one hold, and what is given up for it. */
@NullMarked
package dev.muster.coordinator.core.hold;

import org.jspecify.annotations.NullMarked;
