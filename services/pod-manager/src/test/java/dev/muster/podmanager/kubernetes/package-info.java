/** Requests to the cluster, and what is made for it. */
@NullMarked
package dev.muster.podmanager.kubernetes;

import org.jspecify.annotations.NullMarked;
