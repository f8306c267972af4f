/** Random worlds around one pool, and what must hold in them whatever comes. */
@NullMarked
package dev.muster.coordinator.core.simulation;

import org.jspecify.annotations.NullMarked;
