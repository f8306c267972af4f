package dev.muster.sandbox.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;

/**
 * How to reach an API server, but not yet as whom.
 *
 * @param authority the certificates that the server is trusted by: PEM, in base 64
 */
record Kubeconfig(String server, String authority) {
    static Kubeconfig of(String server, Path certificates) throws IOException {
        var authority = Base64.getEncoder().encodeToString(Files.readAllBytes(certificates));
        return new Kubeconfig(server, authority);
    }

    @SuppressWarnings("InlineFormatString") // a file is easier to read apart
    private static final String TEXT =
            """
            apiVersion: v1
            kind: Config
            clusters:
            - name: muster
              cluster:
                server: %s
                certificate-authority-data: %s
            users:
            - name: %s
              user:
                token: %s
            contexts:
            - name: muster
              context:
                cluster: muster
                user: %s
            current-context: muster
            """;

    /**
     * Writes a kubeconfig that only its owner may read.
     *
     * @param user a name for readers; who it really is the token says
     */
    Path write(Path file, String user, String token) {
        try {
            var name = "\"" + user + "\"";
            var text = TEXT.formatted(server, authority, name, token, name);
            Files.deleteIfExists(file);
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
