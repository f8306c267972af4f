/** Pools' inboxes as they are kept, in Kafka or in a file, and how parts of topics are read. */
@NullMarked
package dev.muster.coordinator.history.log;

import org.jspecify.annotations.NullMarked;
