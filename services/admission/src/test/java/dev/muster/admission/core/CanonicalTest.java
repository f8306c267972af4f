package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.Cleanup;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.SuccessWhen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CanonicalTest {
    private static final TrainJob PAIR =
            Jobs.with(j -> j.roles = List.of(role("master", 1), role("worker", 4)));

    @ParameterizedTest
    @MethodSource
    void anyChangeOfAJobChangesItsText(Consumer<Jobs> change) {
        assertThat(canonical(Jobs.with(change))).isNotEqualTo(canonical(Jobs.smallest()));
    }

    static Stream<Arguments> anyChangeOfAJobChangesItsText() {
        return Stream.of(
                change("queue", j -> j.queue = "other"),
                change("priority", j -> j.priority = 1),
                change("class", j -> j.priorityClass = "high"),
                change("framework", j -> j.framework = Framework.PYTORCH),
                change("processes", j -> j.nprocPerNode = "2"),
                change("port", j -> j.masterPort = 1),
                change("suspend", j -> j.suspend = true),
                change("labels", j -> j.labels = Map.of("a", "b")),
                change("annotations", j -> j.annotations = Map.of("a", "b")),
                change("gang", j -> j.gang = Jobs.gang(7)),
                change("role", j -> j.roles = List.of(role("other", 1))),
                change("replicas", j -> j.roles = List.of(role("worker", 2))),
                change("template", j -> j.roles = List.of(role("worker", 1, Map.of("a", 1)))),
                change("success", j -> j.success = new Success(SuccessWhen.ALL_SUCCEEDED, null)),
                change("failure", j -> j.failure = Jobs.failure()),
                change("cleanup", j -> j.cleanup = Cleanup.NONE),
                change("ttl", j -> j.ttl = TrainJob.NEVER),
                change("grace", j -> j.grace = Duration.ZERO),
                change("limits", j -> j.limits = Map.of("cpu", "1")),
                change("budget", j -> j.budget = true),
                change("shell", j -> j.shell = TrainJob.RemoteShell.SSH));
    }

    @Test
    void whatIsWrittenOutIsTheSameJobAsWhatIsLeftOut() {
        var written =
                Jobs.with(j -> {
                    j.roles = List.of(role("master", 1), role("worker", 4));
                    j.gang = Jobs.gang(5);
                    j.success = new Success(SuccessWhen.ROLE_SUCCEEDED, "master");
                    j.deadlines = TrainJob.Deadlines.NONE;
                });
        assertThat(canonical(written)).isEqualTo(canonical(PAIR));
    }

    @Test
    void whatATemplateSaysIsNotTakenForSomethingElse() {
        assertThat(canonical(withTemplate(Map.of("a", "1"))))
                .isNotEqualTo(canonical(withTemplate(Map.of("a", 1))))
                .isNotEqualTo(canonical(withTemplate(Map.of("a", "1", "b", List.of()))));
    }

    @Test
    void theSameNumberWrittenOtherwiseIsTheSameText() {
        assertThat(canonical(withTemplate(Map.of("a", 10))))
                .isEqualTo(canonical(withTemplate(Map.of("a", 10.0))));
    }

    @Test
    void textOfTheSmallestJobStaysWhatItWas() {
        // A running job's resubmission must be recognised after an upgrade: change it with care.
        assertThat(canonical(Jobs.smallest()))
                .isEqualTo(
                        "queue=(7:default)priority=(0)framework=(NONE)nprocPerNode=(1:1)"
                                + "masterPort=(23456)gang=(min=(1)timeout=(300000000000)topology=(NONE))"
                                + "roles=((name=(6:worker)replicas=(1)min=(1)spotCount=(0)"
                                + "template=((4:spec)((10:containers)("
                                + "((5:image)(11:python:3.12)(4:name)(4:main)))))))"
                                + "success=(when=(ROLE_SUCCEEDED)role=(6:worker))"
                                + "deadlines=(queue=(0)start=(0)run=(0))cleanup=(RUNNING)"
                                + "ttlAfterFinished=(86400000000000)gracePeriod=(30000000000)"
                                + "checkpoint=(signal=(NONE)timeout=(120000000000))");
    }

    private static Arguments change(String name, Consumer<Jobs> change) {
        return argumentSet(name, change);
    }

    private static TrainJob withTemplate(Map<String, Object> podSpec) {
        return Jobs.with(j -> j.roles = List.of(role("worker", 1, podSpec)));
    }

    private static String canonical(TrainJob job) {
        return Validation.examine(job, 1).canonical();
    }
}
