/** Reads plans, keeps the work in order, and reports to the inbox. */
@NullMarked
package dev.muster.podmanager.kafka;

import org.jspecify.annotations.NullMarked;
