/** One class per command: what is typed, and what is shown for it. */
@NullMarked
package dev.muster.cli.command;

import org.jspecify.annotations.NullMarked;
