/** What follows from a failure: the verdict, more memory, and how what failed is made anew. */
@NullMarked
package dev.muster.coordinator.core.failures;

import org.jspecify.annotations.NullMarked;
