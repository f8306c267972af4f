/** What is published of a cluster, and when: decided on plain values, without a clock or a wire. */
@NullMarked
package dev.muster.watcher.core;

import org.jspecify.annotations.NullMarked;
