/** Tests that the full pool is one. */
@NullMarked
package dev.muster.bench.decider;

import org.jspecify.annotations.NullMarked;
