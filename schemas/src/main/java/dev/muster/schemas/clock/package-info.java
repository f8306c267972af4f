/** The machine's own time, which Kafka's clients go by. */
@NullMarked
package dev.muster.schemas.clock;

import org.jspecify.annotations.NullMarked;
