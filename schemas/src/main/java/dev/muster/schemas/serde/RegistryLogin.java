package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Who we are to the registry: the Authorization header, from Confluent's keys. */
final class RegistryLogin {
    private static final String BASIC_SOURCE = "basic.auth.credentials.source";
    private static final String BASIC = "basic.auth.user.info";
    private static final String BEARER_SOURCE = "bearer.auth.credentials.source";
    private static final String BEARER = "bearer.auth.token";

    private static final ConfigDef KEYS =
            new ConfigDef()
                    .define(BASIC_SOURCE, STRING, null, MEDIUM, "")
                    .define(BASIC, PASSWORD, null, MEDIUM, "")
                    .define(BEARER_SOURCE, STRING, null, MEDIUM, "")
                    .define(BEARER, PASSWORD, null, MEDIUM, "");

    /**
     * The header for every address, or null where an address brings its own or none.
     *
     * <p>A secret without a source is used: nobody sets one to have it ignored.
     */
    static @Nullable String header(Map<String, ?> config) {
        var values = new AbstractConfig(KEYS, withPrefixTaken(config), false);
        var user = secret(values, BASIC_SOURCE, "USER_INFO", BASIC);
        var token = secret(values, BEARER_SOURCE, "STATIC_TOKEN", BEARER);
        if (user != null && token != null) {
            throw new ConfigException("give " + BASIC + " or " + BEARER + ", not both");
        }
        if (token != null) {
            return "Bearer " + token;
        }
        return user == null ? null : basic(user);
    }

    /**
     * @param userInfo user:password
     */
    static String basic(String userInfo) {
        return "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(UTF_8));
    }

    private static @Nullable String secret(
            AbstractConfig values, String sourceKey, String source, String key) {
        @Nullable Password given = values.getPassword(key);
        var secret = given == null ? null : given.value();
        var asked = values.getString(sourceKey);
        if (asked == null) {
            return secret;
        }
        if (asked.equals("URL") && sourceKey.equals(BASIC_SOURCE)) {
            return null;
        }
        if (!asked.equals(source)) {
            throw new ConfigException(sourceKey, asked, "may be " + source);
        }
        if (secret == null) {
            throw new ConfigException(key, null, "is needed with " + sourceKey + "=" + source);
        }
        return secret;
    }

    /** Confluent's clients take these keys behind their prefix, too. */
    private static Map<String, Object> withPrefixTaken(Map<String, ?> config) {
        var all = new HashMap<String, Object>(config);
        for (var key : List.of(BASIC_SOURCE, BASIC, BEARER_SOURCE, BEARER)) {
            var value = config.get("schema.registry." + key);
            if (value != null) {
                all.putIfAbsent(key, value);
            }
        }
        return all;
    }

    private RegistryLogin() {}
}
