package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Readiness of servers that made their own certificate when they started. */
final class Tls {
    private Tls() {}

    /** Whether the address answers 200 and shows one of these certificates. */
    static boolean ok(String url, Path certificates, String token) {
        if (!Files.exists(certificates)) {
            return false;
        }
        try (var client = HttpClient.newBuilder().sslContext(trusting(certificates)).build()) {
            var request =
                    HttpRequest.newBuilder(URI.create(url))
                            .header("Authorization", "Bearer " + token);
            return Http.status(client, request) == 200;
        }
    }

    private static SSLContext trusting(Path certificates) {
        try (var pem = Files.newInputStream(certificates)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("c" + store.size(), each);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new PartFailedException("cannot read the certificates " + certificates, e);
        }
    }
}
