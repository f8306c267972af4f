/** What the rules of the watcher promise, on plain values. */
@NullMarked
package dev.muster.watcher.core;

import org.jspecify.annotations.NullMarked;
