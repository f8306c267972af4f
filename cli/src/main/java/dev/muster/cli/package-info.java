/**
 * The command {@code muster}; here what all its packages know: where the system is, how a command
 * ends.
 */
@NullMarked
package dev.muster.cli;

import org.jspecify.annotations.NullMarked;
