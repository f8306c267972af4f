/** Containers as processes of this machine, and what of them stands on its disk. */
@NullMarked
package dev.muster.sandbox.node.process;

import org.jspecify.annotations.NullMarked;
