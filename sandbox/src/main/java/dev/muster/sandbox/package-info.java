/** The whole system on one machine: real parts, each its own process. */
@NullMarked
package dev.muster.sandbox;

import org.jspecify.annotations.NullMarked;
