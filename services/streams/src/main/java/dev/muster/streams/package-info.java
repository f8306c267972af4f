/**
 * When services on Kafka Streams commit: soon after a pause, together under load. And how much
 * memory their stores take.
 */
@NullMarked
package dev.muster.streams;

import org.jspecify.annotations.NullMarked;
