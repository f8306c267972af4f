package dev.muster.sandbox.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address. */
public final class Ports {
    /** Below the range from which systems take the ports of outgoing connections. */
    private static final int FIRST = 10_000;

    private static final int LAST = 32_000;

    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /** A port that nobody uses now and that this JVM was not given before. */
    public static synchronized int free() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new PartFailedException(
                "no free port between " + FIRST + " and " + LAST + " on 127.0.0.1");
    }

    public static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
