/** What is measured, each measurement a command. */
@NullMarked
package dev.muster.bench;

import org.jspecify.annotations.NullMarked;
