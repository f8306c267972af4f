/**
 * A machine's clock that a test sets: an agent for the JVMs of the processes that are to see it.
 */
@NullMarked
package dev.muster.sandbox.clock;

import org.jspecify.annotations.NullMarked;
