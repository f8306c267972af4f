/** The decider alone, full: no Kafka, no Kubernetes, one pool in this JVM. */
@NullMarked
package dev.muster.bench.decider;

import org.jspecify.annotations.NullMarked;
