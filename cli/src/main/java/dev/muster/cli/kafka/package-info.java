/** The topics that the commands read and write. */
@NullMarked
package dev.muster.cli.kafka;

import org.jspecify.annotations.NullMarked;
