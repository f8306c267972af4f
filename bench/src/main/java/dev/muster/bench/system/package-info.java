/** The system that is measured: its flags, its nodes, its processes. */
@NullMarked
package dev.muster.bench.system;

import org.jspecify.annotations.NullMarked;
