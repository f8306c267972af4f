@NullMarked
package dev.muster.watcher.kubernetes;

import org.jspecify.annotations.NullMarked;
