/** What comes of an event, as values: the changed rows, and what is to be published. */
@NullMarked
package dev.muster.coordinator.core.effects;

import org.jspecify.annotations.NullMarked;
