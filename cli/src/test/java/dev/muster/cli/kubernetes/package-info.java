/** Tests of what is asked of the API server. */
@NullMarked
package dev.muster.cli.kubernetes;

import org.jspecify.annotations.NullMarked;
