/** The rules that hold for the whole service. */
@NullMarked
package dev.muster.coordinator;

import org.jspecify.annotations.NullMarked;
