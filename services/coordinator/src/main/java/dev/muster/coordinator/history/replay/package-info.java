/**
 * Copies of a pool, as it stood at any moment: the same core is fed with the same inbox once more.
 * And whether they say what was published then.
 */
@NullMarked
package dev.muster.coordinator.history.replay;

import org.jspecify.annotations.NullMarked;
