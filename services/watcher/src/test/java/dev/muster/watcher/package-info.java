/** What holds for the whole watcher. */
@NullMarked
package dev.muster.watcher;

import org.jspecify.annotations.NullMarked;
