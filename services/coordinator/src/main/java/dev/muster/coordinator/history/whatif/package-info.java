/** What a stretch of the log would have been with other settings; its pods are simulated. */
@NullMarked
package dev.muster.coordinator.history.whatif;

import org.jspecify.annotations.NullMarked;
