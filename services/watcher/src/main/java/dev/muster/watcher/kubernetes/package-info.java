/** What the watcher reads from the API server, and the leases, which are all that it writes. */
@NullMarked
package dev.muster.watcher.kubernetes;

import org.jspecify.annotations.NullMarked;
