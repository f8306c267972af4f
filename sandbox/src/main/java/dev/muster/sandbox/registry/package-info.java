/** The schema registry as a process of its own. */
@NullMarked
package dev.muster.sandbox.registry;

import org.jspecify.annotations.NullMarked;
