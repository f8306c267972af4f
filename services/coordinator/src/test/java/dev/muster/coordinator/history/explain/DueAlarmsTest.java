package dev.muster.coordinator.history.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DueAlarmsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobId JOB = JobId.parse("ml/a@0-1");
    private static final JobId OTHER = JobId.parse("ml/b@0-2");

    @Test
    void jobsOwnBackOffComesBeforeWhatElseIsDue() {
        var due =
                new DueAlarms(
                        List.of(
                                alarm(Alarm.Kind.SETTLE, OTHER, -9),
                                alarm(Alarm.Kind.BACKOFF, JOB, -1)));
        assertThat(due.cause(NOW, JOB)).isEqualTo("its back-off was over");
    }

    @Test
    void whatEndedForAnotherIsNamedWithIt() {
        var due = new DueAlarms(List.of(alarm(Alarm.Kind.GANG_TIMEOUT, OTHER, 0)));
        assertThat(due.cause(NOW, JOB))
                .isEqualTo("the time that the gang of ml/b had to run was over");
    }

    @Test
    void stepThatGoesOnHasNothingDue() {
        var due =
                new DueAlarms(
                        List.of(
                                alarm(Alarm.Kind.BACKOFF, OTHER, 1),
                                alarm(Alarm.Kind.GATHER, JOB, -1)));
        assertThat(due.cause(NOW, JOB))
                .isEqualTo("more was to be decided than one step takes, and the next one went on");
    }

    private static Alarm alarm(Alarm.Kind kind, JobId job, int seconds) {
        return new Alarm(kind, job.toString(), NOW.plus(Duration.ofSeconds(seconds)));
    }
}
