package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.v1.JobRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir static Path folder;

    private static FakeRegistry registry;
    private static Path store;

    @BeforeAll
    static void start() throws Exception {
        store = selfSigned("localhost");
        registry = new FakeRegistry(0, serving(store));
    }

    @AfterAll
    static void stop() {
        registry.close();
    }

    @Test
    void storeSaysWhomToTrust() {
        try (var client = client(registry, trusting(store))) {
            assertThat(client.register("s", JobRef.SCHEMA$)).isEqualTo(1);
        }
    }

    @Test
    void certificateMayBeGivenAsPem() throws Exception {
        var pem = Files.writeString(folder.resolve("registry.pem"), pem(store));
        try (var client =
                client(
                        registry,
                        Map.of(
                                "schema.registry.ssl.truststore.location",
                                pem.toString(),
                                "schema.registry.ssl.truststore.type",
                                "PEM"))) {
            assertThat(client.register("s", JobRef.SCHEMA$)).isEqualTo(1);
        }
    }

    @Test
    void strangerIsNotTrusted() {
        try (var client = client(registry, Map.of())) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.register("s", JobRef.SCHEMA$))
                    .withMessageContaining("certif");
        }
    }

    @Test
    void certificateMustBearTheHostsName() throws Exception {
        var other = selfSigned("elsewhere");
        try (var imposter = new FakeRegistry(0, serving(other));
                var client = client(imposter, trusting(other))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> client.register("s", JobRef.SCHEMA$))
                    .withMessageContaining("localhost");
        }
    }

    @Test
    void clientShowsItsOwnCertificateWhereAsked() throws Exception {
        var mine =
                Map.of(
                        "schema.registry.ssl.keystore.location",
                        store.toString(),
                        "schema.registry.ssl.keystore.password",
                        PASSWORD,
                        "schema.registry.ssl.keystore.type",
                        "PKCS12",
                        "schema.registry.ssl.key.password",
                        PASSWORD);
        var both = new HashMap<>(trusting(store));
        both.putAll(mine);
        try (var asking = new FakeRegistry(0, serving(store), true);
                var known = client(asking, both);
                var nameless = client(asking, trusting(store))) {
            assertThat(known.register("s", JobRef.SCHEMA$)).isEqualTo(1);
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> nameless.register("s", JobRef.SCHEMA$));
        }
    }

    private static Map<String, String> trusting(Path store) {
        return Map.of(
                "schema.registry.ssl.truststore.location",
                store.toString(),
                "schema.registry.ssl.truststore.password",
                PASSWORD,
                "schema.registry.ssl.truststore.type",
                "PKCS12");
    }

    private static RegistryClient client(FakeRegistry registry, Map<String, String> trust) {
        var config = new HashMap<>(registry.config());
        config.put(RegistryConfig.WAIT, "0");
        config.putAll(trust);
        return new RegistryClient(RegistryConfig.from(config));
    }

    private static Path selfSigned(String host) throws IOException, InterruptedException {
        var file = folder.resolve(host + ".p12");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        var command =
                "%s -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC"
                        + " -genkeypair -keyalg EC -alias registry -dname CN=%s -ext san=dns:%s"
                        + " -storetype PKCS12 -storepass %s -keystore %s";
        var filled = command.formatted(keytool, host, host, PASSWORD, file);
        var process = new ProcessBuilder(filled.split(" ")).inheritIO().start();
        assertThat(process.waitFor()).isZero();
        return file;
    }

    private static SSLContext serving(Path store) throws Exception {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(loaded(store), PASSWORD.toCharArray());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(loaded(store));
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static String pem(Path store) throws Exception {
        var certificate = loaded(store).getCertificate("registry").getEncoded();
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(certificate)
                + "\n-----END CERTIFICATE-----\n";
    }

    private static KeyStore loaded(Path store) throws Exception {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }
}
