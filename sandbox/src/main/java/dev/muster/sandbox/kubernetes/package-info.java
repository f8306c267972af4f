/** Kubernetes without containers: etcd, API server, scheduler, controllers, pretended nodes. */
@NullMarked
package dev.muster.sandbox.kubernetes;

import org.jspecify.annotations.NullMarked;
