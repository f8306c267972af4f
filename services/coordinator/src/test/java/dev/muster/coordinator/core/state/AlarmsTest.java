package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    private final Alarms alarms = new Alarms();

    @Test
    void thereIsOneOfAKindAndSubject() {
        alarms.put(alarm(Alarm.Kind.TTL, "a", 5));
        alarms.put(alarm(Alarm.Kind.TTL, "a", 3));
        assertThat(alarms.get(Alarm.Kind.TTL, "a")).isEqualTo(alarm(Alarm.Kind.TTL, "a", 3));
        alarms.remove(alarm(Alarm.Kind.TTL, "a", 3));
        assertThat(alarms.get(Alarm.Kind.TTL, "a")).isNull();
        assertThat(alarms.next()).isEmpty();
    }

    @Test
    void subjectMayHaveSeveralKinds() {
        alarms.put(alarm(Alarm.Kind.TTL, "a", 5));
        alarms.put(alarm(Alarm.Kind.REPAIR, "a", 4));
        alarms.remove(alarm(Alarm.Kind.TTL, "a", 5));
        assertThat(alarms.get(Alarm.Kind.TTL, "a")).isNull();
        assertThat(alarms.get(Alarm.Kind.REPAIR, "a")).isNotNull();
    }

    @Test
    void firstInTimeIsDueFirst() {
        alarms.put(alarm(Alarm.Kind.TTL, "a", 5));
        alarms.put(alarm(Alarm.Kind.TTL, "b", 4));
        assertThat(alarms.next()).contains(NOON.plusSeconds(4));
        assertThat(alarms.due(NOON.plusSeconds(3))).isEmpty();
        assertThat(alarms.due(NOON.plusSeconds(4))).contains(alarm(Alarm.Kind.TTL, "b", 4));
    }

    @Test
    void subjectIsSilentUntilAnyKindIsSetAndOnceAllAreGone() {
        assertThat(alarms.hasNone("a")).isTrue();
        alarms.put(alarm(Alarm.Kind.TTL, "a", 5));
        alarms.put(alarm(Alarm.Kind.REPAIR, "a", 4));
        alarms.remove(alarm(Alarm.Kind.TTL, "a", 5));
        assertThat(alarms.hasNone("a")).isFalse();
        alarms.remove(alarm(Alarm.Kind.REPAIR, "a", 4));
        assertThat(alarms.hasNone("a")).isTrue();
    }

    @Test
    void whoWaitsForANodeIsFoundByItThoughOthersWaitNoMore() {
        var a = new OnNode(job("a", 2), "node-0", "worker");
        var b = new OnNode(job("b", 1), "node-0", null);
        var c = new OnNode(job("c", 3), "node-1", null);
        alarms.put(alarm(Alarm.Kind.NODE_LOST, b.text(), 5));
        alarms.put(alarm(Alarm.Kind.NODE_LOST, a.text(), 6));
        alarms.put(alarm(Alarm.Kind.NODE_LOST, c.text(), 7));
        assertThat(alarms.ofNode("node-0")).containsExactly(a, b);
        alarms.remove(alarm(Alarm.Kind.NODE_LOST, b.text(), 5));
        assertThat(alarms.ofNode("node-0")).containsExactly(a);
        alarms.remove(alarm(Alarm.Kind.NODE_LOST, a.text(), 6));
        assertThat(alarms.ofNode("node-0")).isEmpty();
    }

    private static Alarm alarm(Alarm.Kind kind, String subject, int second) {
        return new Alarm(kind, subject, NOON.plusSeconds(second));
    }
}
