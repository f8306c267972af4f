/** The wiring, with the real core and pretended topics, then on a real broker. */
@NullMarked
package dev.muster.coordinator.stream;

import org.jspecify.annotations.NullMarked;
