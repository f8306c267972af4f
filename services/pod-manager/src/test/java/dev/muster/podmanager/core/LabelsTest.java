package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.RESNET;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.gang;
import static dev.muster.podmanager.core.Plans.planned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.contract.LabelNames;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LabelsTest {
    private static final Map<String, String> OURS =
            Labels.of("test", gang(2, 7), planned(WORKER_1, 5));

    @Test
    void whatWasWrittenIsRead() {
        assertThat(read("resnet-worker-1", OURS))
                .isEqualTo(new Mark(Plans.UID, 2, 7, new Mark.Making(WORKER_1, 5)));
    }

    @ParameterizedTest
    @MethodSource
    void whatWeWouldNotHaveWrittenIsNotOurs(String name, Map<String, String> labels) {
        assertThat(read(name, labels)).isNull();
    }

    static Stream<Arguments> whatWeWouldNotHaveWrittenIsNotOurs() {
        return Stream.of(
                argumentSet("no labels", "resnet-worker-1", Map.of()),
                argumentSet("a copy under another name", "resnet-worker-1-debug", OURS),
                argumentSet(
                        "installation", "resnet-worker-1", with(LabelNames.INSTALLATION, "other")),
                argumentSet("job", "resnet-worker-1", with(LabelNames.JOB, "other")),
                argumentSet("uid", "resnet-worker-1", with(LabelNames.UID, "3")),
                argumentSet("attempt", "resnet-worker-1", with(LabelNames.ATTEMPT, "two")),
                argumentSet("plan", "resnet-worker-1", with(LabelNames.PLAN, "")));
    }

    private static Mark read(String name, Map<String, String> labels) {
        return Labels.read("test", RESNET, Kind.POD, name, labels);
    }

    private static Map<String, String> with(String label, String value) {
        var labels = new LinkedHashMap<>(OURS);
        labels.put(label, value);
        return labels;
    }
}
