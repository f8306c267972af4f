package dev.muster.podmanager.core;

/**
 * How the cluster can start a container again in its pod.
 *
 * @param requests on request, by OpenKruise
 * @param rules by the kubelet, after exit codes that the container names
 */
public record Restarting(boolean requests, boolean rules) {
    public static final Restarting NONE = new Restarting(false, false);
}
