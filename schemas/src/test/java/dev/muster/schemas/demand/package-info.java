/** What shows that demand is counted as the real scheduler counts it; in the test-jar. */
@NullMarked
package dev.muster.schemas.demand;

import org.jspecify.annotations.NullMarked;
