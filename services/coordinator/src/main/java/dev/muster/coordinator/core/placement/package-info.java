/** Which nodes the pods of a gang go to, and why they fit nowhere. Follows from the rooms alone. */
@NullMarked
package dev.muster.coordinator.core.placement;

import org.jspecify.annotations.NullMarked;
