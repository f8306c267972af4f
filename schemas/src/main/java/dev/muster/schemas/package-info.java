/** What the services share: topics, keys, partitions, and how much of a record is parked. */
@NullMarked
package dev.muster.schemas;

import org.jspecify.annotations.NullMarked;
