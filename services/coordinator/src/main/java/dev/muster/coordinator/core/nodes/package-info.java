/** Nodes that are about to go, and nodes on which pods failed by no fault of theirs. */
@NullMarked
package dev.muster.coordinator.core.nodes;

import org.jspecify.annotations.NullMarked;
