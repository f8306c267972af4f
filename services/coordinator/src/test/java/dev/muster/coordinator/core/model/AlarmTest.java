package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Alarm.Kind;
import dev.muster.coordinator.core.model.Alarm.Subject;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Alarm.Subject.OfJob;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AlarmTest {
    private static final JobId ID = job("a-1", 7);

    @ParameterizedTest
    @MethodSource
    void subjectHasTheTextThatRowsHave(Subject subject, String text) {
        assertThat(subject.text()).isEqualTo(text);
    }

    static Stream<Arguments> subjectHasTheTextThatRowsHave() {
        return Stream.of(
                argumentSet("job", new OfJob(ID), ID.toString()),
                argumentSet("rank", new OfRank(ID, new RankId("ps", 12)), ID + "/ps-12"),
                argumentSet("node", new OnNode(ID, "node-0", null), ID + " node-0"),
                argumentSet("role there", new OnNode(ID, "node-0", "ps"), ID + " node-0 ps"),
                argumentSet("queue", new Named("some-queue"), "some-queue"),
                argumentSet("pool", Named.POOL, ""));
    }

    @ParameterizedTest
    @EnumSource
    void subjectIsTheSameOnceItsTextIsRead(Kind kind) {
        var read = subjects(kind).map(subject -> kind.subject(subject.text()));
        assertThat(read).containsExactlyElementsOf(subjects(kind).toList());
    }

    /** All that alarms of the kind may have. */
    private static Stream<Subject> subjects(Kind kind) {
        return switch (kind) {
            case HINDERED, PLACE_AGAIN -> Stream.of(new OfRank(ID, new RankId("worker", 0)));
            case NODE_LOST ->
                    Stream.of(
                            new OnNode(ID, "node-0.example", "worker"),
                            new OnNode(ID, "node-0.example", null));
            case NODE_HEALTH -> Stream.of(new Named("node-0"));
            case QUEUE -> Stream.of(new Named("q"));
            case POOL -> Stream.of(Named.POOL);
            case RESERVE -> Stream.of(Named.POOL, new Named("q"));
            case CHECKPOINT, GANG_TIMEOUT, BACKOFF, GATHER, TTL, ENDED, FORGET, SETTLE ->
                    Stream.of(new OfJob(ID));
            case NODE_SETTLE, RESTARTS, REMAKE, ROOM, IN_PLACE, EXCLUSION, QUEUE_DEADLINE ->
                    Stream.of(new OfJob(ID));
            case START_DEADLINE, RUN_DEADLINE, SCALE_DEADLINE, DRAIN, GOING, HOOK, REPAIR ->
                    Stream.of(new OfJob(ID));
            case STUCK, LEFT -> Stream.of(new OfJob(ID));
        };
    }

    @Test
    void keyIsKindAndText() {
        var alarm = new Alarm(Kind.NODE_LOST, new OnNode(ID, "node-0", "ps"), NOON);
        assertThat(alarm.key().id()).isEqualTo("NODE_LOST " + ID + " node-0 ps");
        assertThat(alarm.about()).isEqualTo(new OnNode(ID, "node-0", "ps"));
    }

    @Test
    void alarmIsOfTheJobThatItsSubjectIsOf() {
        assertThat(new Alarm(Kind.TTL, new OfJob(ID), NOON).job()).isEqualTo(ID);
        var rank = new OfRank(ID, new RankId("ps", 1));
        assertThat(new Alarm(Kind.HINDERED, rank, NOON).job()).isEqualTo(ID);
        assertThat(new Alarm(Kind.NODE_LOST, ID + " node-0", NOON).job()).isEqualTo(ID);
        var pools = new Alarm(Kind.POOL, Named.POOL, NOON);
        assertThatThrownBy(pools::job).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"REPAIR", "HINDERED", "NODE_LOST"})
    void textThatIsNoSubjectIsRefused(Kind kind) {
        assertThatThrownBy(() -> kind.subject("no-job"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
