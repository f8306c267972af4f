package dev.muster.admission.core;

import java.util.regex.Pattern;

/** Field paths as people read them, and as the form writes them. */
final class Paths {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Paths() {}

    static String field(String parent, String name) {
        if (!PLAIN.matcher(name).matches()) {
            return parent + "['" + name + "']";
        }
        return parent.isEmpty() ? name : parent + "." + name;
    }
}
