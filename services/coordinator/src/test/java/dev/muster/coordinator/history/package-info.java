/** What else might have been. */
@NullMarked
package dev.muster.coordinator.history;

import org.jspecify.annotations.NullMarked;
