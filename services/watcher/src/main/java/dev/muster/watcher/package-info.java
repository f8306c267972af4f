/** Reports what the cluster does: pods and nodes, as they are, to the inboxes of their pools. */
@NullMarked
package dev.muster.watcher;

import org.jspecify.annotations.NullMarked;
