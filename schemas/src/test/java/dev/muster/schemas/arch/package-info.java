/** The house's rules as tests; every module runs them on itself. */
@NullMarked
package dev.muster.schemas.arch;

import org.jspecify.annotations.NullMarked;
