/** When services on Kafka Streams commit: soon after a pause, together under load. */
@NullMarked
package dev.muster.streams;

import org.jspecify.annotations.NullMarked;
