/** Tests of what the commands make of admission's answers. */
@NullMarked
package dev.muster.cli.http;

import org.jspecify.annotations.NullMarked;
