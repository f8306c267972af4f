/** How a job moves from state to state, and until when, as values. */
@NullMarked
package dev.muster.coordinator.core.life;

import org.jspecify.annotations.NullMarked;
