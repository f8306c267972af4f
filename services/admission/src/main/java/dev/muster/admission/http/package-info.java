/** The front door for those who do not speak Kafka: asks by a record, waits for the answer. */
@NullMarked
package dev.muster.admission.http;

import org.jspecify.annotations.NullMarked;
