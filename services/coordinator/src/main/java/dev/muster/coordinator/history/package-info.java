/** The past of a pool, from its log: the same core is fed with the same inbox once more. */
@NullMarked
package dev.muster.coordinator.history;

import org.jspecify.annotations.NullMarked;
