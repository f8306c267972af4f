package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.Sources.Source;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The variables that a container's spec gives it, each expanded by those before it.
 *
 * @param missing what the container cannot do without and is not there; if any, it cannot start
 * @param ports the rendezvous ports that were replaced, see {@link Rendezvous}
 */
record Environment(Map<String, String> values, List<String> missing, Map<String, String> ports) {

    static Environment of(
            Container container, DownwardFields fields, Sources sources, Rendezvous rendezvous) {
        var building = new Building(container, fields, sources, rendezvous);
        container.getEnvFrom().forEach(building::addAll);
        container.getEnv().forEach(building::add);
        return new Environment(building.values, building.missing, rendezvous.replaced());
    }

    private static final class Building {
        final Map<String, String> values = new LinkedHashMap<>();
        final List<String> missing = new ArrayList<>();
        private final Container container;
        private final DownwardFields fields;
        private final Sources sources;
        private final Rendezvous rendezvous;

        Building(
                Container container,
                DownwardFields fields,
                Sources sources,
                Rendezvous rendezvous) {
            this.container = container;
            this.fields = fields;
            this.sources = sources;
            this.rendezvous = rendezvous;
        }

        void addAll(EnvFromSource from) {
            var prefix = Objects.requireNonNullElse(from.getPrefix(), "");
            if (from.getConfigMapRef() != null) {
                var ref = from.getConfigMapRef();
                addAll(prefix, sources.configMap(ref.getName()), ref.getOptional());
            }
            if (from.getSecretRef() != null) {
                var ref = from.getSecretRef();
                addAll(prefix, sources.secret(ref.getName()), ref.getOptional());
            }
        }

        private void addAll(String prefix, Source source, @Nullable Boolean optional) {
            if (source.data() != null) {
                new TreeMap<>(source.data())
                        .forEach((key, value) -> put(prefix + key, text(value)));
            } else if (!Boolean.TRUE.equals(optional)) {
                missing.add(source.notFound());
            }
        }

        void add(EnvVar variable) {
            if (variable.getValueFrom() != null) {
                addFrom(variable.getName(), variable.getValueFrom());
            } else {
                var stated = Objects.requireNonNullElse(variable.getValue(), "");
                put(variable.getName(), Expansion.expand(stated, values));
            }
        }

        private void addFrom(String name, EnvVarSource from) {
            if (from.getFieldRef() != null) {
                put(name, fields.field(from.getFieldRef().getFieldPath()));
            } else if (from.getResourceFieldRef() != null) {
                put(name, fields.resource(container, from.getResourceFieldRef()));
            } else if (from.getConfigMapKeyRef() != null) {
                var ref = from.getConfigMapKeyRef();
                addKey(name, sources.configMap(ref.getName()), ref.getKey(), ref.getOptional());
            } else if (from.getSecretKeyRef() != null) {
                var ref = from.getSecretKeyRef();
                addKey(name, sources.secret(ref.getName()), ref.getKey(), ref.getOptional());
            }
        }

        private void addKey(String name, Source source, String key, @Nullable Boolean optional) {
            var data = source.data();
            var value = data == null ? null : data.get(key);
            if (value != null) {
                put(name, text(value));
            } else if (!Boolean.TRUE.equals(optional)) {
                missing.add(data == null ? source.notFound() : source.noKey(key));
            }
        }

        private void put(String name, String value) {
            values.put(name, rendezvous.of(name, value));
        }
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
