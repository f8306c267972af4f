/** How a job moves from state to state, as values; and what wakes it there. */
@NullMarked
package dev.muster.coordinator.core.life;

import org.jspecify.annotations.NullMarked;
