/** The node's side of the Kubernetes API. */
@NullMarked
package dev.muster.sandbox.node.kubernetes;

import org.jspecify.annotations.NullMarked;
