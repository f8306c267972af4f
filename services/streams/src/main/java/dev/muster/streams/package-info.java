/**
 * When services on Kafka Streams commit: soon after a pause, together under load. Who ends the
 * transactions that dead processes left open. And how much memory their stores take.
 */
@NullMarked
package dev.muster.streams;

import org.jspecify.annotations.NullMarked;
