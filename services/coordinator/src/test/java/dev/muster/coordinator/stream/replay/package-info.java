/** The same inbox in two JVMs. */
@NullMarked
package dev.muster.coordinator.stream.replay;

import org.jspecify.annotations.NullMarked;
