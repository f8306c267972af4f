package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.stream.Stage.Sent;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.Parked;
import dev.muster.v1.PlannedPod;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records that cannot be read, or not yet, and what becomes of the pool. */
class PoolHostBadRecordsTest {
    /** Of a job whose name is none. */
    private static final Alarm FAILS =
            new Alarm(Alarm.Kind.REPAIR, "no-job", Stage.NOON.plusSeconds(1));

    private static final JobRef RESNET = job("resnet", 7);
    private static final byte[] RUBBISH = "rubbish".getBytes(UTF_8);

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void badRecordIsParkedAndLaterOnesGoOn() {
        stage.with(1);

        stage.send(RUBBISH);
        stage.send((byte[]) null);
        stage.send(submitted(RESNET, workers(1)));

        var sent = stage.takeSent();
        assertThat(sent.getFirst().value())
                .isInstanceOfSatisfying(
                        Decision.class,
                        decision -> {
                            assertThat(decision.getKind()).isEqualTo(DecisionKind.PARKED);
                            assertThat(decision.getParked().getOffset()).isEqualTo(5);
                        });
        assertThat(sent.get(1).value())
                .isInstanceOfSatisfying(
                        Parked.class,
                        parked ->
                                assertThat(parked.getValue()).isEqualTo(ByteBuffer.wrap(RUBBISH)));
        assertThat(sent).extracting(Sent::topic).contains(Topics.JOB_PLANS.name());
        assertThat(stage.count("parked")).isEqualTo(2);
    }

    @Test
    void eventThatSaysNothingIsParkedWithTheReason() {
        stage.with(1);

        stage.send(InboxRecords.event(InboxKind.NODE_SEEN).build());

        assertThat(stage.take(Topics.PARKED))
                .extracting(Parked::getError)
                .containsExactly("witness is missing");
    }

    @Test
    void eventOfALaterKindStopsThePoolAndAllIsHeld() {
        stage.with(1);

        stage.send(InboxRecords.event(InboxKind.UNKNOWN).build());
        stage.send(submitted(RESNET, workers(1)));
        stage.pass(Duration.ofHours(1));

        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.tellTime()).isZero();
        assertThat(stage.gauge("pools.stopped")).isEqualTo(1);
    }

    @Test
    void versionThatKnowsTheKindTakesInAllThatWasHeld() {
        stage.with(1);
        stage.send(InboxRecords.event(InboxKind.UNKNOWN).build());
        stage.send(submitted(RESNET, workers(1)));
        stage.send(submitted(job("next", 8), workers(1)));

        itMeant(InboxRecords.node("n2", 1));
        stage.restart();
        stage.work();

        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getJob().getName(), plan -> plan.getEnvelope().getId())
                .containsExactly(tuple("resnet", planId(6)), tuple("next", planId(7)));
        assertThat(stage.gauge("pools.stopped")).isZero();
        assertThat(held(stage.specs)).isZero();
        assertThat(held(stage.rows)).isZero();
    }

    /** The rows are in memory: what is held there would end the process after hours. */
    @Test
    void stoppedPoolHoldsNothingAmongItsRows() {
        stage.with(1);
        stage.send(InboxRecords.event(InboxKind.UNKNOWN).build());
        for (int i = 0; i < 60; i++) {
            stage.send(submitted(job("early" + i, 100 + i), workers(1)));
        }
        stage.restart();
        stage.work();
        for (int i = 0; i < 940; i++) {
            stage.send(submitted(job("late" + i, 1000 + i), workers(1)));
        }

        assertThat(held(stage.rows)).isZero();
        assertThat(held(stage.specs)).isEqualTo(1001);

        itMeant(InboxRecords.node("n2", 2000));
        stage.upgrade("later");
        assertThat(stage.work()).isGreaterThan(10);
        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getEnvelope().getId())
                .startsWith(IntStream.range(6, 106).mapToObj(this::planId).toArray(String[]::new));
        assertThat(held(stage.specs)).isZero();
    }

    @Test
    void whatAnOlderVersionHeldAmongTheRowsIsTakenInBeforeAllThatCame() {
        stage.with(1);
        stage.send(InboxRecords.event(InboxKind.UNKNOWN).build());
        stage.send(submitted(RESNET, workers(1)));
        itMeant(InboxRecords.node("n2", 2));
        asTheOlderVersionHeldThem();
        stage.restartSlowly();
        stage.send(submitted(job("next", 8), workers(1)));
        stage.work();

        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getJob().getName())
                .containsExactly("resnet", "next");
        assertThat(held(stage.rows)).isZero();
        assertThat(held(stage.specs)).isZero();
    }

    private void asTheOlderVersionHeldThem() {
        try (var held = stage.specs.range("~held", "~helz")) {
            held.forEachRemaining(entry -> {
                stage.rows.put(entry.key, entry.value);
                stage.specs.delete(entry.key);
            });
        }
    }

    private static int held(KeyValueStore<String, byte[]> store) {
        int count = 0;
        try (var held = store.range("~held", "~helz")) {
            for (; held.hasNext(); held.next()) {
                count++;
            }
        }
        return count;
    }

    private String planId(int offset) {
        return "%d-%d/3".formatted(Stage.POOL, offset);
    }

    /** As a later version would read what this one could not. */
    private void itMeant(dev.muster.v1.InboxEvent event) {
        try (var held = stage.specs.range("~held", "~helz")) {
            var first = held.next();
            var value = stage.bytes(event);
            var bytes = ByteBuffer.allocate(Long.BYTES + value.length);
            bytes.putLong(ByteBuffer.wrap(first.value).getLong()).put(value);
            stage.specs.put(first.key, bytes.array());
        }
    }

    @Test
    void stoppedPoolStaysStoppedUnderTheSameVersion() {
        stage.with(1);
        stage.send(InboxRecords.event(InboxKind.UNKNOWN).build());

        stage.restart();
        stage.work();
        stage.send(submitted(RESNET, workers(1)));
        stage.work();

        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.gauge("pools.stopped")).isEqualTo(1);
    }

    /** That of a job that waits: the node that would start it cannot be taken. */
    private void losesASubmission() {
        stage.send(submitted(RESNET, workers(1)));
        stage.send(submitted(job("lost", 8), workers(1)));
        stage.specs.delete("ml/lost@3-8");
    }

    private void isMadeAnewWithoutASubmission() {
        stage.with(1);
        losesASubmission();
        stage.restart();
    }

    @Test
    void eventThatThePoolCannotTakeIsParkedAndThePoolIsAsBefore() {
        isMadeAnewWithoutASubmission();

        stage.send(InboxRecords.node("n2", 1));
        assertThat(stage.take(Topics.PARKED))
                .extracting(Parked::getError)
                .containsExactly("no submission is kept of ml/lost@3-8");
        stage.send(InboxRecords.cancel(job("lost", 8)));
        stage.send(InboxRecords.node("n3", 1));
        stage.send(submitted(job("next", 9), workers(1)));

        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getJob().getName(), PoolHostBadRecordsTest::nodes)
                .containsExactly(tuple("next", List.of("n3")));
        assertThat(stage.count("failed")).isEqualTo(1);
    }

    @Test
    void eachOfManyThatThePoolCannotTakeIsParked() {
        isMadeAnewWithoutASubmission();

        stage.send(InboxRecords.node("n2", 1));
        stage.send(InboxRecords.node("n3", 1));
        stage.send(InboxRecords.node("n4", 1));

        assertThat(stage.take(Topics.PARKED))
                .extracting(Parked::getOffset)
                .containsExactly(7L, 8L, 9L);
        assertThat(stage.gauge("pools.stopped")).isZero();
    }

    private void withAnAlarmThatFails() {
        stage.with(1);
        stage.rows.put(RowKeys.of(FAILS.key()), RowCodec.encode(FAILS));
        stage.restart();
    }

    /** Whatever came would be parked, since what the pool does before it fails each time. */
    @Test
    void poolThatFailsByItselfParksNobodyAndHoldsAll() {
        withAnAlarmThatFails();
        stage.pass(Duration.ofSeconds(2));

        stage.send(submitted(RESNET, workers(1)));
        stage.send(submitted(job("next", 8), workers(1)));
        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.gauge("pools.stopped")).isEqualTo(1);
        assertThat(stage.counters.areAllHosted()).isTrue();
        assertThat(stage.tellTime()).isZero();
        stage.restart();
        stage.work();
        assertThat(stage.takeSent()).isEmpty();

        stage.rows.delete(RowKeys.of(FAILS.key()));
        stage.restart();
        stage.work();

        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getJob().getName())
                .containsExactly("resnet");
        assertThat(stage.count("parked")).isZero();
        assertThat(stage.gauge("pools.stopped")).isZero();
    }

    /** Time is all that such a message says. */
    @Test
    void timeThatThePoolCannotTakeIsNotParkedForEver() {
        withAnAlarmThatFails();

        stage.send(InboxRecords.timePassed(Stage.NOON.plusSeconds(1)));

        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.gauge("pools.stopped")).isEqualTo(1);
    }

    @Test
    void whatComesWhileAPoolThatFailedIsMadeAnewWaitsForIt() {
        stage.with(1);
        for (int i = 0; i < 500; i++) {
            stage.send(submitted(job("big" + i, 100 + i), workers(2)));
        }
        losesASubmission();
        stage.restartSlowly();
        stage.work();
        stage.takeSent();

        stage.send(InboxRecords.node("n2", 1));
        stage.send(InboxRecords.cancel(job("lost", 8)));
        stage.send(InboxRecords.node("n3", 1));
        stage.send(submitted(job("next", 9), workers(1)));
        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.work()).isGreaterThan(6);

        var sent = stage.takeSent();
        assertThat(sent).filteredOn(output -> output.value() instanceof Parked).hasSize(1);
        assertThat(sent.stream().map(Sent::value).filter(JobPlan.class::isInstance))
                .extracting(plan -> ((JobPlan) plan).getJob().getName())
                .containsExactly("next");
    }

    /** Else the next commit would delete rows under who reads them. */
    @Test
    void rowsAreWrittenDownBeforeAPoolThatFailedIsMadeFromThem() {
        stage.with(1);
        losesASubmission();
        var calls = new ArrayList<String>();

        try (var host =
                new PoolHost(
                        Stage.POOL, noting(calls), stage.specs, stage.shared(), (_, _) -> {})) {
            calls.clear();
            var node = stage.bytes(InboxRecords.node("n2", 1));
            host.on(new Received(7, new Record<>(null, node, Stage.NOON.toEpochMilli())));
        }

        assertThat(calls).startsWith("flush", "range");
    }

    @SuppressWarnings("unchecked") // The same interface as of the store behind it.
    private KeyValueStore<String, byte[]> noting(List<String> calls) {
        return (KeyValueStore<String, byte[]>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {KeyValueStore.class},
                        (_, method, arguments) -> {
                            if (List.of("flush", "range").contains(method.getName())) {
                                calls.add(method.getName());
                            }
                            return method.invoke(stage.rows, arguments);
                        });
    }

    /** Which is then parked as what else they cannot take. */
    @Test
    void rulesThatRunOutOfStackFailAsAnyOthers() {
        assertThatThrownBy(() -> PoolHost.decided(PoolHostBadRecordsTest::endless))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the rules ran out of stack");
    }

    private static Step endless() {
        var step = endless();
        return new Step(
                step.changes(), step.effects(), step.own(), step.askers(), step.stays(), true);
    }

    private static List<String> nodes(JobPlan plan) {
        return plan.getRun().getPods().stream().map(PlannedPod::getNode).toList();
    }
}
