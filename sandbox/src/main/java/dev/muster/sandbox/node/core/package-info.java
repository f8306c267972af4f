/** What a node decides: plain values in, plain values out; Kubernetes' objects are read as data. */
@NullMarked
package dev.muster.sandbox.node.core;

import org.jspecify.annotations.NullMarked;
