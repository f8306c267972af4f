package dev.muster.schemas.serde;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * How the registry is reached, by Confluent's keys; unknown keys are left alone, as Kafka does.
 *
 * @param endpoints one or more, asked in turn until one answers
 * @param ssl null: what the JVM trusts
 * @param answer how long one of them may take to answer
 * @param patience how long a caller waits while none answers; zero: not at all
 * @param hurry how long a caller waits at most, whatever the others say, while its question goes
 *     on; null: until that is answered or given up
 */
public record RegistryConfig(
        List<Endpoint> endpoints,
        @Nullable SSLContext ssl,
        Duration connect,
        Duration answer,
        Duration patience,
        @Nullable Duration hurry) {
    /** How long a serializer or deserializer waits for a registry, in milliseconds; ours. */
    public static final String WAIT = "schema.registry.wait.ms";

    private static final String HURRY = "schema.registry.hurry.ms";
    private static final String URLS = "schema.registry.url";
    private static final String CONNECT = "http.connect.timeout.ms";
    private static final String READ = "http.read.timeout.ms";
    private static final String PREFIX = "schema.registry.";
    private static final String SSL_PREFIX = PREFIX + "ssl.";

    private static final ConfigDef KEYS =
            new ConfigDef()
                    .define(URLS, LIST, HIGH, "")
                    .define(CONNECT, INT, 3_000, LOW, "")
                    .define(READ, INT, 10_000, LOW, "")
                    .define(WAIT, LONG, 60_000L, LOW, "")
                    .define(HURRY, LONG, null, LOW, "");

    /**
     * One address of the registry.
     *
     * @param root where the Confluent API begins, without a slash at the end
     * @param authorization the header's value; null: none
     */
    public record Endpoint(String root, @Nullable String authorization) {
        /** Without the secret. */
        @Override
        public String toString() {
            return root;
        }
    }

    /**
     * The same settings for somebody who may not wait for long: a call ends without an answer, and
     * one of the next finds it.
     *
     * @param hurry how long a call may take, and all together that the registry leaves waiting
     */
    public static Map<String, Object> hurried(Map<String, ?> settings, Duration hurry) {
        var hurried = new HashMap<String, Object>(settings);
        hurried.put(HURRY, hurry.toMillis());
        return hurried;
    }

    public RegistryConfig {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new ConfigException(URLS + " names no address");
        }
    }

    /**
     * Reads the settings of a Kafka client.
     *
     * @throws ConfigException for a value that cannot be, or asks for what this client does not do
     */
    public static RegistryConfig from(Map<String, ?> config) {
        var values = new AbstractConfig(KEYS, config, false);
        var authorization = RegistryLogin.header(config);
        var hurry = values.getLong(HURRY);
        return new RegistryConfig(
                values.getList(URLS).stream().map(url -> endpoint(url, authorization)).toList(),
                ssl(config),
                Duration.ofMillis(values.getInt(CONNECT)),
                Duration.ofMillis(values.getInt(READ)),
                Duration.ofMillis(values.getLong(WAIT)),
                hurry == null ? null : Duration.ofMillis(hurry));
    }

    private static Endpoint endpoint(String url, @Nullable String authorization) {
        try {
            var uri = new URI(url.strip().replaceAll("/+$", ""));
            if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
                throw new ConfigException(URLS + " must have http:// or https:// and a host");
            }
            var user = uri.getUserInfo();
            var root =
                    new URI(
                            uri.getScheme(),
                            null,
                            uri.getHost(),
                            uri.getPort(),
                            uri.getPath(),
                            null,
                            null);
            return new Endpoint(
                    root.toString(),
                    authorization == null && user != null
                            ? RegistryLogin.basic(user)
                            : authorization);
        } catch (URISyntaxException e) {
            // Neither value nor cause: a password may stand in it.
            throw new ConfigException(URLS + " has an address of no valid form");
        }
    }

    private static @Nullable SSLContext ssl(Map<String, ?> config) {
        var given = new HashMap<String, Object>();
        config.forEach((key, value) -> {
            if (key.startsWith(SSL_PREFIX) && value != null) {
                given.put(key.substring(PREFIX.length()), value);
            }
        });
        if ("".equals(given.get(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG))) {
            throw new ConfigException(
                    PREFIX + SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG,
                    "",
                    "the registry's name in its certificate is always checked");
        }
        if (given.isEmpty()) {
            return null;
        }
        var keys = new ConfigDef();
        SslConfigs.addClientSslSupport(keys);
        // Kafka's own factory: it knows JKS, PKCS12 and PEM, in a file or given whole.
        try (var factory = new DefaultSslEngineFactory()) {
            factory.configure(keys.parse(given));
            return factory.sslContext();
        }
    }
}
