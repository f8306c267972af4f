/** Tests of what holds for all that measures. */
@NullMarked
package dev.muster.bench;

import org.jspecify.annotations.NullMarked;
