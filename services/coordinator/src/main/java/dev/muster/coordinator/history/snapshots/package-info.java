/** Snapshots of pools: how they are written, found and read. */
@NullMarked
package dev.muster.coordinator.history.snapshots;

import org.jspecify.annotations.NullMarked;
