/** Carries requests from Kafka to the rules and their verdicts back, exactly once. */
@NullMarked
package dev.muster.admission.stream;

import org.jspecify.annotations.NullMarked;
