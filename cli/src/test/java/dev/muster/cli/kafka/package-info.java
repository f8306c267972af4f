/** Tests of the topics' side on a real broker and registry. */
@NullMarked
package dev.muster.cli.kafka;

import org.jspecify.annotations.NullMarked;
