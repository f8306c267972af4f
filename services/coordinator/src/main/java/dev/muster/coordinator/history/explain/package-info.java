/** Why a job stands as it does: what was recorded of it, and what a copy of its pool adds. */
@NullMarked
package dev.muster.coordinator.history.explain;

import org.jspecify.annotations.NullMarked;
