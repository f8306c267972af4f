package dev.muster.coordinator.history.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.QueueSpec;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExplainerTest {
    private static final JobId JOB = JobId.parse("ml/a@0-1");
    private static final String[] FILE =
            new QueueSetting("q", QueueSpec.newBuilder().build()).fields().toArray(String[]::new);

    @ParameterizedTest
    @MethodSource
    void changeThatLedToAStartSaysWhatItNamed(Event event, String cause) {
        assertThat(Explainer.cause(event, JOB, new DueAlarms(List.of()))).isEqualTo(cause);
    }

    static Stream<Arguments> changeThatLedToAStartSaysWhatItNamed() {
        return Stream.of(
                argumentSet(
                        "fields", queue("paused", "weight"), "paused, weight of queue q was set"),
                argumentSet("to be there", queue(), "queue q was set"),
                argumentSet("by a file", queue(FILE), "queue q was set"),
                argumentSet("a field of the pool", pool("policy"), "policy of the pool was set"),
                argumentSet("the pool to be there", pool(), "the pool was set"));
    }

    private static Event queue(String... fields) {
        var named = new TreeSet<>(List.of(fields));
        return new Event.QueueChange("q", QueueSpecs.QUEUE, named, true, null);
    }

    private static Event pool(String... fields) {
        return new Event.PoolChange("p", PoolSpec.PLAIN, new TreeSet<>(List.of(fields)), null);
    }
}
