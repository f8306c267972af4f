/** Tests of the system package. */
@NullMarked
package dev.muster.bench.system;

import org.jspecify.annotations.NullMarked;
