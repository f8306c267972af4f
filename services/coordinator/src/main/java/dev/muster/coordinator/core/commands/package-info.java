/** What users and operators ask: of one job, of many, of queues and of the pool. */
@NullMarked
package dev.muster.coordinator.core.commands;

import org.jspecify.annotations.NullMarked;
