/** The agent that starts processes in a job's pods, as real processes. */
@NullMarked
package dev.muster.podmanager.agent;

import org.jspecify.annotations.NullMarked;
