/** The shape of Kueue's published scheduling profile: many small, some medium, few large jobs. */
@NullMarked
package dev.muster.bench.shape;

import org.jspecify.annotations.NullMarked;
