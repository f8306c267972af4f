/**
 * The ranks of a job together: its stages, what they need, how they stand, and what is next to
 * come.
 */
@NullMarked
package dev.muster.coordinator.core.gang;

import org.jspecify.annotations.NullMarked;
