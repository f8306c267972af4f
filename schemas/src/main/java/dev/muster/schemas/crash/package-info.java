/** Where a service may be ended by a test, step by step. */
@NullMarked
package dev.muster.schemas.crash;

import org.jspecify.annotations.NullMarked;
