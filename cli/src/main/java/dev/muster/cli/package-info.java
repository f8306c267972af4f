/** The command {@code muster}: jobs by hand, and the sandbox to try them on. */
@NullMarked
package dev.muster.cli;

import org.jspecify.annotations.NullMarked;
