/** The tour that a newcomer takes: real jobs on a sandbox of its own. */
@NullMarked
package dev.muster.cli.quickstart;

import org.jspecify.annotations.NullMarked;
