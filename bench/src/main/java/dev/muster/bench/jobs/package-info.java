/** Jobs under a stopwatch: sends them, and hears when what became of them. */
@NullMarked
package dev.muster.bench.jobs;

import org.jspecify.annotations.NullMarked;
