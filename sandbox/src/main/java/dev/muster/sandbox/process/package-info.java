/** Processes of this machine: started with a log, waited for, and ended by id, never by name. */
@NullMarked
package dev.muster.sandbox.process;

import org.jspecify.annotations.NullMarked;
