/** Avro records on the wire, as every Confluent client writes and reads them. */
@NullMarked
package dev.muster.schemas.serde;

import org.jspecify.annotations.NullMarked;
