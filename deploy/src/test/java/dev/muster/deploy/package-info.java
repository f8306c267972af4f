/** What holds for the system as a whole, on real parts. */
@NullMarked
package dev.muster.deploy;

import org.jspecify.annotations.NullMarked;
