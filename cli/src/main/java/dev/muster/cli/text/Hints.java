package dev.muster.cli.text;

/** Commands that people are told to go on with. */
public final class Hints {
    /** Where a job is whose namespace nobody says. */
    public static final String DEFAULT_NAMESPACE = "default";

    private Hints() {}

    /** Shows where a job stands. */
    public static String get(String namespace, String job) {
        return "muster get "
                + job
                + (namespace.equals(DEFAULT_NAMESPACE) ? "" : " -n " + namespace);
    }
}
