/** The waiting jobs of a queue in their order, whose turn it is by credit, and what queues use. */
@NullMarked
package dev.muster.coordinator.core.queue;

import org.jspecify.annotations.NullMarked;
