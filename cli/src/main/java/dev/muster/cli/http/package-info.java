/** Admission's HTTP front, as the commands use it. */
@NullMarked
package dev.muster.cli.http;

import org.jspecify.annotations.NullMarked;
