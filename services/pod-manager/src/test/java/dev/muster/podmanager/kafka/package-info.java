/** Tests of the edge to Kafka, on real parts. */
@NullMarked
package dev.muster.podmanager.kafka;

import org.jspecify.annotations.NullMarked;
