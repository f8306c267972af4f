/** How pods that have a place are made ranks of their job, and how its stages follow each other. */
@NullMarked
package dev.muster.coordinator.core.starts;

import org.jspecify.annotations.NullMarked;
