/**
 * All rows of a pool with what is derived from them, the journal of one event, and what of quotas
 * follows by reading.
 */
@NullMarked
package dev.muster.coordinator.core.state;

import org.jspecify.annotations.NullMarked;
