/** Sizes that follow how fast a job trains. */
@NullMarked
package dev.muster.coordinator.core.scaling;

import org.jspecify.annotations.NullMarked;
