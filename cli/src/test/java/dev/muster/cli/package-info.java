/** Tests of the command line and of the examples that it runs. */
@NullMarked
package dev.muster.cli;

import org.jspecify.annotations.NullMarked;
