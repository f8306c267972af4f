/** What the watcher says to Kafka, in the words of the contract. */
@NullMarked
package dev.muster.watcher.kafka;

import org.jspecify.annotations.NullMarked;
