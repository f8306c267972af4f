/**
 * What is done to jobs that were admitted: plans, alarms, hosts, changes of size, hooks, lost
 * nodes.
 */
@NullMarked
package dev.muster.coordinator.core.jobs;

import org.jspecify.annotations.NullMarked;
