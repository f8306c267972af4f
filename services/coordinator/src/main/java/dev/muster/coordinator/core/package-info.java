/** The decider: what one ordered log of events means for jobs, queues and capacity. Pure. */
@NullMarked
package dev.muster.coordinator.core;

import org.jspecify.annotations.NullMarked;
