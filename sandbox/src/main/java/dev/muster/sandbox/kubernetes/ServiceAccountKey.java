package dev.muster.sandbox.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The pair of keys that tokens of service accounts are signed with and known by. */
record ServiceAccountKey(Path signing, Path verifying) {

    /** The pair of this folder, made now if it is not there. */
    static ServiceAccountKey in(Path folder) throws IOException {
        var key =
                new ServiceAccountKey(
                        folder.resolve("service-account.key"),
                        folder.resolve("service-account.pub"));
        if (!Files.exists(key.verifying)) {
            try {
                var generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(2048);
                var pair = generator.generateKeyPair();
                Files.writeString(key.signing, pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
                Files.writeString(key.verifying, pem("PUBLIC KEY", pair.getPublic().getEncoded()));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has RSA", e);
            }
        }
        return key;
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                .formatted(what, Base64.getMimeEncoder().encodeToString(content), what);
    }
}
