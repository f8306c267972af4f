package dev.muster.podmanager.core;

/** What kinds of objects a plan makes. */
public enum Kind {
    POD("pod"),
    SERVICE("service"),
    DISRUPTION_BUDGET("pod disruption budget"),
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
