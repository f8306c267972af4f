/** Rows and effects as bytes and back. */
@NullMarked
package dev.muster.coordinator.stream.rows;

import org.jspecify.annotations.NullMarked;
