/** The machine's own time, which Kafka's clients go by, and a time that nobody sets. */
@NullMarked
package dev.muster.schemas.clock;

import org.jspecify.annotations.NullMarked;
