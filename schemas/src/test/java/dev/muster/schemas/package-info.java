/** What the services share: topics, keys, partitions. */
@NullMarked
package dev.muster.schemas;

import org.jspecify.annotations.NullMarked;
