/** What a measurement writes down: figures, and the machine they were taken on. */
@NullMarked
package dev.muster.bench.report;

import org.jspecify.annotations.NullMarked;
