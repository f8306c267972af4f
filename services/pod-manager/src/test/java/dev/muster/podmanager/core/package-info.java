/** Tests of the core, by values. */
@NullMarked
package dev.muster.podmanager.core;

import org.jspecify.annotations.NullMarked;
