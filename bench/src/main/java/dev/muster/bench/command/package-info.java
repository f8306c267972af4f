/** One class per measurement: what it does, in which order, and what its table says. */
@NullMarked
package dev.muster.bench.command;

import org.jspecify.annotations.NullMarked;
