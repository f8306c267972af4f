/**
 * What a pod takes, as kube-scheduler counts it: one rule for all services. Pure, so that cores may
 * use it.
 */
@NullMarked
package dev.muster.schemas.demand;

import org.jspecify.annotations.NullMarked;
