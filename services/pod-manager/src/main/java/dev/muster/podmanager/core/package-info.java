/** What is to be done for a plan, as values: no client, no clock, no thread. */
@NullMarked
package dev.muster.podmanager.core;

import org.jspecify.annotations.NullMarked;
