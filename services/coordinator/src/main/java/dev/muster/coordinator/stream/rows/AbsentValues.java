package dev.muster.coordinator.stream.rows;

import static java.util.Map.entry;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Exclusions;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Topology;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * What a component is in a row that was written before there was such a component: null where it
 * may be null, else what says nothing of its type: 0, an empty collection, the plain policy. So an
 * upgraded coordinator goes on with the rows that it finds. A new component of a type that has
 * nothing of the kind must be one that may be null.
 */
final class AbsentValues {
    /** Of what is no collection and no number. */
    private static final Map<Class<?>, Object> PLAIN =
            Map.ofEntries(
                    entry(Amounts.class, Amounts.NONE),
                    entry(Budgets.class, Budgets.UNTOUCHED),
                    entry(Duration.class, Duration.ZERO),
                    entry(Exclusions.class, Exclusions.NONE),
                    entry(FailurePolicy.class, FailurePolicy.PLAIN),
                    entry(JobSpec.Care.class, JobSpec.Care.PLAIN),
                    entry(JobSpec.Deadlines.class, JobSpec.Deadlines.NONE),
                    entry(Neighbours.class, Neighbours.NONE),
                    entry(NodeFilter.class, NodeFilter.ANY),
                    entry(PoolSpec.Preemption.class, PoolSpec.Preemption.OFF),
                    entry(PoolSpec.Priorities.class, PoolSpec.Priorities.PLAIN),
                    entry(PoolSpec.Spot.class, PoolSpec.Spot.NONE),
                    entry(Node.Notes.class, Node.Notes.NONE),
                    entry(Node.Trust.class, Node.Trust.TRUSTED),
                    entry(PoolSpec.NodeHealth.class, PoolSpec.NodeHealth.USUAL),
                    entry(PoolSpec.Notices.class, PoolSpec.Notices.USUAL),
                    entry(PoolSpec.Backing.class, PoolSpec.Backing.NONE),
                    entry(Quota.class, Quota.NONE),
                    entry(Rank.Tenure.class, Rank.Tenure.MEMBER),
                    entry(Topology.class, Topology.NONE));

    private AbsentValues() {}

    /** Tells which components must not be null. */
    static final class Nullness extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public JsonSetter.@Nullable Value findSetterInfo(MapperConfig<?> config, Annotated member) {
            return member instanceof AnnotatedParameter parameter
                            && hasEmpty(parameter.getRawType())
                            && neverNull(parameter)
                    ? JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)
                    : super.findSetterInfo(config, member);
        }

        private static boolean hasEmpty(Class<?> type) {
            return PLAIN.containsKey(type)
                    || Collection.class.isAssignableFrom(type)
                    || Map.class.isAssignableFrom(type);
        }

        private static boolean neverNull(AnnotatedParameter parameter) {
            if (!(parameter.getOwner().getAnnotated() instanceof Constructor<?> constructor)) {
                return false;
            }
            var components = constructor.getDeclaringClass().getRecordComponents();
            return components != null
                    && components.length == constructor.getParameterCount()
                    && !components[parameter.getIndex()]
                            .getAnnotatedType()
                            .isAnnotationPresent(Nullable.class);
        }
    }

    /** Gives the core's types their empty values. */
    static final class Plain extends ValueDeserializerModifier {
        private static final long serialVersionUID = 1;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config,
                BeanDescription.Supplier type,
                ValueDeserializer<?> deserializer) {
            var plain = PLAIN.get(type.getBeanClass());
            return plain == null ? deserializer : new WithPlain(deserializer, plain);
        }

        @Override
        public ValueDeserializer<?> modifyEnumDeserializer(
                DeserializationConfig config,
                JavaType type,
                BeanDescription.Supplier described,
                ValueDeserializer<?> deserializer) {
            return modifyDeserializer(config, described, deserializer);
        }
    }

    private static final class WithPlain extends DelegatingDeserializer {
        private final transient Object plain;

        WithPlain(ValueDeserializer<?> deserializer, Object plain) {
            super(deserializer);
            this.plain = plain;
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> deserializer) {
            return new WithPlain(deserializer, plain);
        }

        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return plain;
        }
    }
}
