/** Tests of the whole service on real parts. */
@NullMarked
package dev.muster.podmanager;

import org.jspecify.annotations.NullMarked;
