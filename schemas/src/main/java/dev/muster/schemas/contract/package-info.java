/**
 * What services agree on beside records and topics: names and numbers. Pure, so that cores may use
 * it.
 */
@NullMarked
package dev.muster.schemas.contract;

import org.jspecify.annotations.NullMarked;
