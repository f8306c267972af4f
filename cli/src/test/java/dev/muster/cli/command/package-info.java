/** Tests of the command line as it is typed. */
@NullMarked
package dev.muster.cli.command;

import org.jspecify.annotations.NullMarked;
