package dev.muster.admission.core;

import java.util.regex.Pattern;

/** Field paths as people read them, and as the form writes them. */
final class Paths {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Paths() {}

    static String field(String parent, String name) {
        return PLAIN.matcher(name).matches() ? parent + "." + name : parent + "['" + name + "']";
    }
}
