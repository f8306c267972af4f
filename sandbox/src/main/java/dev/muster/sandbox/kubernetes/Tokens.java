package dev.muster.sandbox.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The users that an API server knows from its start on.
 *
 * @param file as the API server reads it
 * @param byUser the token of each
 */
record Tokens(Path file, Map<String, String> byUser) {
    static final String ADMIN = "admin";
    static final String SCHEDULER = "system:kube-scheduler";
    static final String CONTROLLERS = "system:kube-controller-manager";

    private static final Map<String, String> GROUPS = Map.of(ADMIN, "system:masters");

    private static final SecureRandom RANDOM = new SecureRandom();

    Tokens {
        byUser = new TreeMap<>(byUser);
    }

    /** The tokens of this folder, made now if they are not there. */
    static Tokens in(Path folder) throws IOException {
        var file = folder.resolve("tokens.csv");
        var byUser = new TreeMap<String, String>();
        if (Files.exists(file)) {
            for (var line : Files.readAllLines(file)) {
                var fields = line.split(",", -1);
                byUser.put(fields[1], fields[0]);
            }
        } else {
            var lines = new StringBuilder();
            for (var user : List.of(ADMIN, SCHEDULER, CONTROLLERS)) {
                var token = random();
                byUser.put(user, token);
                var group = GROUPS.getOrDefault(user, "");
                lines.append(String.join(",", token, user, user, "\"" + group + "\"")).append('\n');
            }
            Files.writeString(file, lines);
        }
        return new Tokens(file, byUser);
    }

    String of(String user) {
        var token = byUser.get(user);
        if (token == null) {
            throw new IllegalArgumentException("no token of " + user);
        }
        return token;
    }

    private static String random() {
        var bytes = new byte[20];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
