package dev.muster.cli.http;

import dev.muster.schemas.contract.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who asks, as this machine knows him: {@code user@host}. */
final class Actor {
    /** Of this process. */
    static final String HERE = of(System.getProperty("user.name", ""), host());

    private Actor() {}

    /** As admission takes it. */
    static String of(String user, String host) {
        var both = (user + "@" + host).replaceAll("[^ -~]", "?").strip();
        return both.substring(0, Math.min(both.length(), Limits.HTTP_ACTOR_CHARACTERS)).strip();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown"; // It has no name that it knows itself by.
        }
    }
}
