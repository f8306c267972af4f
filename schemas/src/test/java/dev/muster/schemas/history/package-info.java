/** What was promised to readers and writers of the contract, and that it is kept. */
@NullMarked
package dev.muster.schemas.history;

import org.jspecify.annotations.NullMarked;
