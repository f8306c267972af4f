@NullMarked
package dev.muster.schemas.clock;

import org.jspecify.annotations.NullMarked;
