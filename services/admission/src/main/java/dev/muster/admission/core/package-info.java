/** What may come in: pure rules over plain values; no Kafka, no HTTP, no clock. */
@NullMarked
package dev.muster.admission.core;

import org.jspecify.annotations.NullMarked;
