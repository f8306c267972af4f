package dev.muster.sandbox.node.core;

import java.util.Map;

/** Kubernetes' {@code $(VAR)}: {@code $$} is a dollar sign, an unknown name stays as it is. */
final class Expansion {
    private Expansion() {}

    static String expand(String text, Map<String, String> values) {
        var out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
            int close = c == '$' && next == '(' ? text.indexOf(')', at + 2) : -1;
            if (c == '$' && next == '$') {
                out.append('$');
                at += 2;
            } else if (close >= 0) {
                String name = text.substring(at + 2, close);
                out.append(values.getOrDefault(name, "$(" + name + ")"));
                at = close + 1;
            } else {
                out.append(c);
                at++;
            }
        }
        return out.toString();
    }
}
