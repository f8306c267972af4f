/** What the commands ask of the API server: the logs of pods. */
@NullMarked
package dev.muster.cli.kubernetes;

import org.jspecify.annotations.NullMarked;
