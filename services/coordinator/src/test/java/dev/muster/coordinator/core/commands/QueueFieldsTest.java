package dev.muster.coordinator.core.commands;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class QueueFieldsTest {
    private static final QueueSpec BEFORE = QueueSpecs.QUEUE;

    private static final QueueSpec SAID =
            new QueueSpec(
                    2,
                    new QueueSpec.Doors(true, true, 3, 4, new TreeSet<>(Set.of("ml"))),
                    new QueueSpec.Order(QueueSpec.Kind.FIFO, 5, false, Duration.ofSeconds(6)),
                    new Quota(
                            Amounts.of(Map.of("cpu", 7L)),
                            new TreeMap<>(Map.of("cpu", 8L)),
                            false,
                            new TreeMap<>(Map.of("cpu", 9L)),
                            new TreeMap<>(Map.of("cpu", 10L)),
                            "research"));

    private static final Map<String, Function<QueueSpec, Object>> ALL =
            new TreeMap<>(
                    Map.ofEntries(
                            entry("weight", QueueSpec::weight),
                            entry("paused", spec -> spec.doors().paused()),
                            entry("draining", spec -> spec.doors().draining()),
                            entry("maxWaiting", spec -> spec.doors().maxWaiting()),
                            entry("maxRunning", spec -> spec.doors().maxRunning()),
                            entry("namespaces", spec -> spec.doors().namespaces()),
                            entry("order", spec -> spec.order().kind()),
                            entry("defaultPriority", spec -> spec.order().defaultPriority()),
                            entry("backfill", spec -> spec.order().backfill()),
                            entry("reserveAfter", spec -> spec.order().reserveAfter()),
                            entry("guaranteed", spec -> spec.quota().guaranteed()),
                            entry("limit", spec -> spec.quota().limit()),
                            entry("borrowing", spec -> spec.quota().borrowing()),
                            entry("borrowLimit", spec -> spec.quota().borrowLimit()),
                            entry("lendLimit", spec -> spec.quota().lendLimit()),
                            entry("group", spec -> String.valueOf(spec.quota().group()))));

    @Test
    void eachFieldIsChangedAlone() {
        for (var name : ALL.keySet()) {
            var fields = new QueueFields(new TreeSet<>(Set.of(name)));
            assertThat(fields.unknown()).isNull();
            var after = fields.of(SAID, BEFORE);
            ALL.forEach((other, value) ->
                    assertThat(value.apply(after))
                            .as("%s where %s is named", other, name)
                            .isEqualTo(value.apply(other.equals(name) ? SAID : BEFORE))
                            .isNotEqualTo(value.apply(other.equals(name) ? BEFORE : SAID)));
        }
    }

    @Test
    void allOfThemAreTheWholeQueue() {
        assertThat(new QueueFields(new TreeSet<>(ALL.keySet())).of(SAID, BEFORE)).isEqualTo(SAID);
        assertThat(new QueueFields(new TreeSet<>()).of(SAID, BEFORE)).isEqualTo(BEFORE);
    }
}
