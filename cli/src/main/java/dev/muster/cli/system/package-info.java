/** The whole system on this machine: sandbox, topics, services, node. */
@NullMarked
package dev.muster.cli.system;

import org.jspecify.annotations.NullMarked;
