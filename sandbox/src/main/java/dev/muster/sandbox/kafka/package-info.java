/** Kafka as a process of its own. */
@NullMarked
package dev.muster.sandbox.kafka;

import org.jspecify.annotations.NullMarked;
