/**
 * What services agree on beside records and topics: names, numbers, and how fields are told. Pure,
 * so that cores may use it.
 */
@NullMarked
package dev.muster.schemas.contract;

import org.jspecify.annotations.NullMarked;
