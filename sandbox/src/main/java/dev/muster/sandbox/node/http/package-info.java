/** The port at which the API server asks a node for logs. */
@NullMarked
package dev.muster.sandbox.node.http;

import org.jspecify.annotations.NullMarked;
