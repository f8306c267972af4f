/** Tests of the report package. */
@NullMarked
package dev.muster.bench.report;

import org.jspecify.annotations.NullMarked;
