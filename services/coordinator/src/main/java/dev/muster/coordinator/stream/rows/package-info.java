/** The core's rows as bytes. */
@NullMarked
package dev.muster.coordinator.stream.rows;

import org.jspecify.annotations.NullMarked;
