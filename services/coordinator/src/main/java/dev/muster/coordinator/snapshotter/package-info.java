/** The process that writes each pool's rows, so that replay need not begin with the first day. */
@NullMarked
package dev.muster.coordinator.snapshotter;

import org.jspecify.annotations.NullMarked;
