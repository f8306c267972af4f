package dev.muster.sandbox.node.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A key and a certificate that it signed itself, which is all that the API server asks for. */
record Certificate(Path store) {
    // The file lies in the node's own folder; a key store must have some password.
    private static final String PASSWORD = "sandbox";

    /** The one of this folder, made now by the JDK's keytool if it is not there. */
    static Certificate in(Path folder) throws IOException {
        var store = folder.resolve("kubelet.p12");
        if (!Files.exists(store)) {
            var unfinished = folder.resolve("kubelet.p12.unfinished");
            Files.deleteIfExists(unfinished);
            make(unfinished);
            Files.move(unfinished, store);
        }
        return new Certificate(store);
    }

    SSLContext context() throws IOException {
        try {
            var keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            var context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use " + store, e);
        }
    }

    private static void make(Path store) throws IOException {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        var command =
                List.of(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        "kubelet",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=muster-sandbox-node",
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "3650",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD);
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool made no certificate: " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool made a certificate", e);
        }
    }
}
