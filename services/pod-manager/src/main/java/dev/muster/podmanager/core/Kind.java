package dev.muster.podmanager.core;

/** What kinds of objects a plan makes. */
public enum Kind {
    POD("pod"),
    SERVICE("service"),
    DISRUPTION_BUDGET("pod disruption budget"),
    /** With the host list of a launcher. */
    HOST_LIST("config map"),
    /** With what proves that two pods are of one job; made, and never read. */
    LAUNCHING_SECRET("secret"),
    /** Of OpenKruise. */
    RESTART_REQUEST("container recreate request"),
    /** Of Volcano. */
    VOLCANO_GROUP("pod group");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    /** As people call it. */
    public String words() {
        return words;
    }
}
