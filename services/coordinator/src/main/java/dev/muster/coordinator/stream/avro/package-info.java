/** The contract's records and what the core makes of them, in both directions. */
@NullMarked
package dev.muster.coordinator.stream.avro;

import org.jspecify.annotations.NullMarked;
