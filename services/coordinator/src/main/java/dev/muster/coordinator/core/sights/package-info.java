/** What watchers and pod-managers say, believed or not. */
@NullMarked
package dev.muster.coordinator.core.sights;

import org.jspecify.annotations.NullMarked;
