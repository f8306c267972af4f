/** What the watcher reads from Kafka and writes to it. */
@NullMarked
package dev.muster.watcher.kafka;

import org.jspecify.annotations.NullMarked;
