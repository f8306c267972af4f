package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.model.Amounts;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Any value of the core's records, sealed types and enums, from a seed. */
public final class RandomValues {
    private static final String LETTERS = "abcxyz019-";
    private static final List<String> TEXTS =
            List.of("", "OOMKilled", "a b", "größer als 4 MiB", "\n");

    private final Random random;

    public RandomValues(long seed) {
        random = new Random(seed);
    }

    /** The records that a sealed type comes down to. */
    public static Stream<Class<?>> cases(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(RandomValues::cases)
                : Stream.of(type);
    }

    public <T> T of(Class<T> type) {
        return type.cast(value(type));
    }

    private Object value(Type type) {
        return switch (type) {
            case ParameterizedType many -> collection(many);
            case Class<?> one -> single(one);
            default -> throw new IllegalArgumentException("no value of " + type);
        };
    }

    private Object collection(ParameterizedType type) {
        var elements = type.getActualTypeArguments();
        var raw = (Class<?>) type.getRawType();
        if (SortedMap.class.isAssignableFrom(raw)) {
            var map = new TreeMap<Object, Object>();
            times(() -> map.put(name(), value(elements[1])));
            return map;
        }
        Collection<Object> values =
                SortedSet.class.isAssignableFrom(raw)
                        ? new TreeSet<>()
                        : Set.class.isAssignableFrom(raw) ? new HashSet<>() : new ArrayList<>();
        times(() -> values.add(value(elements[0])));
        return values;
    }

    private void times(Supplier<?> one) {
        int times = random.nextInt(4);
        for (int i = 0; i < times; i++) {
            one.get();
        }
    }

    private Object single(Class<?> type) {
        if (type.isRecord()) {
            return instance(type);
        }
        if (type.isSealed()) {
            return value(any(List.of(type.getPermittedSubclasses())));
        }
        if (type.isEnum()) {
            return any(List.of(type.getEnumConstants()));
        }
        return switch (type.getName()) {
            case "int", "java.lang.Integer" -> random.nextInt(1000);
            case "long", "java.lang.Long" -> random.nextLong() >>> 1 >>> random.nextInt(60);
            case "boolean", "java.lang.Boolean" -> random.nextBoolean();
            case "java.lang.String" -> random.nextBoolean() ? name() : any(TEXTS);
            case "java.time.Instant" ->
                    Instant.ofEpochSecond(random.nextLong(1L << 33), random.nextInt(1_000_000_000));
            case "java.time.Duration" ->
                    Duration.ofSeconds(random.nextLong(1L << 20), random.nextInt(1_000_000_000));
            case "dev.muster.coordinator.core.model.Amounts" -> amounts();
            default -> throw new IllegalArgumentException("no value of " + type);
        };
    }

    private Amounts amounts() {
        var byName = new TreeMap<String, Long>();
        times(() -> byName.put(name(), (Long) single(long.class)));
        return Amounts.of(byName);
    }

    /** Tries again where a constructor refuses what chance gave it. */
    private Object instance(Class<?> type) {
        for (int tries = 0; tries < 100; tries++) {
            var values = Arrays.stream(type.getRecordComponents()).map(this::component).toArray();
            try {
                return constructor(type).newInstance(values);
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof IllegalArgumentException)) {
                    throw new IllegalStateException(type.toString(), e);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(type.toString(), e);
            }
        }
        throw new IllegalStateException("no values please " + type);
    }

    private @Nullable Object component(RecordComponent component) {
        AnnotatedElement annotated = component.getAnnotatedType();
        return annotated.isAnnotationPresent(Nullable.class) && random.nextBoolean()
                ? null
                : component.getName().matches("namespace|name")
                        ? name()
                        : value(component.getGenericType());
    }

    private static Constructor<?> constructor(Class<?> type) throws NoSuchMethodException {
        var types =
                Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getType)
                        .toArray(Class<?>[]::new);
        return type.getDeclaredConstructor(types);
    }

    private String name() {
        var name = new StringBuilder("n");
        for (int length = random.nextInt(12); length > 0; length--) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
