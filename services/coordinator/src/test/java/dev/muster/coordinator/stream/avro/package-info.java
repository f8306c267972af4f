/** Every kind of inbox record, and every effect of the core. */
@NullMarked
package dev.muster.coordinator.stream.avro;

import org.jspecify.annotations.NullMarked;
