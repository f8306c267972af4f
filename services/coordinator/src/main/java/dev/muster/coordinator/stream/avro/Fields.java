package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.schemas.demand.Quantity;
import dev.muster.v1.JobRef;
import org.jspecify.annotations.Nullable;

/** Single fields, read with a word about what is wrong with them. */
final class Fields {
    private Fields() {}

    /**
     * The value.
     *
     * @throws UnusableEventException when it is not there
     */
    static <T> T required(@Nullable T value, String field) {
        if (value == null) {
            throw new UnusableEventException(field + " is missing");
        }
        return value;
    }

    /**
     * The constant of the same name.
     *
     * @throws UnusableEventException when there is none, as for UNKNOWN
     */
    static <E extends Enum<E>> E same(Class<E> type, Enum<?> symbol) {
        try {
            return Enum.valueOf(type, symbol.name());
        } catch (IllegalArgumentException e) {
            throw new UnusableEventException(
                    "%s %s is not known here"
                            .formatted(symbol.getDeclaringClass().getSimpleName(), symbol),
                    e);
        }
    }

    /** As {@link #same}, where nothing may stand. */
    static <E extends Enum<E>> @Nullable E sameOrNull(Class<E> type, @Nullable Enum<?> symbol) {
        return symbol == null ? null : same(type, symbol);
    }

    /**
     * A Kubernetes quantity in the unit in which the resource is counted.
     *
     * @throws UnusableEventException when it is none
     */
    static long amount(String resource, String quantity, String field) {
        var amount = Quantity.parse(quantity);
        if (amount == null) {
            throw new UnusableEventException("%s: %s is no quantity".formatted(field, quantity));
        }
        return amount.unitsOf(resource);
    }

    static JobId job(@Nullable JobRef ref) {
        var job = required(ref, "job");
        return new JobId(job.getNamespace(), job.getName(), uid(job.getUid()));
    }

    static JobRef ref(JobId job) {
        return new JobRef(job.namespace(), job.name(), job.uid().toString());
    }

    static Uid uid(String text) {
        try {
            return Uid.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UnusableEventException(text + " is no uid", e);
        }
    }
}
