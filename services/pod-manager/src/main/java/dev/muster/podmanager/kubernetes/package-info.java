/** The API server: lists, creates, applies, deletes, and says what its answers mean. */
@NullMarked
package dev.muster.podmanager.kubernetes;

import org.jspecify.annotations.NullMarked;
