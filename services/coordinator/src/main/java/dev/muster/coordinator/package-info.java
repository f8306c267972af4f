/** Decides everything about jobs, queues and capacity; knows Kafka only. */
@NullMarked
package dev.muster.coordinator;

import org.jspecify.annotations.NullMarked;
