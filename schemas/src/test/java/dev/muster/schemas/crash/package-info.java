@NullMarked
package dev.muster.schemas.crash;

import org.jspecify.annotations.NullMarked;
