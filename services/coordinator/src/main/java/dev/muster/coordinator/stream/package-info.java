/**
 * Hosts the core: one processor per inbox partition, its rows in stores, its time from a thread.
 */
@NullMarked
package dev.muster.coordinator.stream;

import org.jspecify.annotations.NullMarked;
