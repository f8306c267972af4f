/** Makes the plans so in Kubernetes, and decides nothing. */
@NullMarked
package dev.muster.podmanager;

import org.jspecify.annotations.NullMarked;
