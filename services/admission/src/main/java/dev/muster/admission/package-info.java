/** Admission: may this request come in, is it new, which pool. */
@NullMarked
package dev.muster.admission;

import org.jspecify.annotations.NullMarked;
