package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.explain.Explainer;
import dev.muster.coordinator.history.explain.Explanation;
import dev.muster.coordinator.history.log.InboxTopic;
import dev.muster.coordinator.history.replay.PoolPast;
import dev.muster.coordinator.history.replay.RuleVersions;
import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.coordinator.stream.Outside.Inbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Explanations of inboxes on a real broker, whoever decided what they say. */
class ExplainerIT {
    private static final String OURS = "2-test";

    private static Outside outside;

    @BeforeAll
    static void start() {
        outside = new Outside();
    }

    @AfterAll
    static void stop() {
        outside.close();
    }

    private static Inbox played(int number) {
        var pool = outside.pool(number).withNodes(1, 1);
        pool.send(submitted(job("e-first", 1), workers(2)));
        return pool;
    }

    private static PoolPast past(int number) {
        return new PoolPast(Outside.KAFKA, "pool-" + number, new InboxTopic(Outside.KAFKA, number));
    }

    private static Optional<Explanation> explain(int number, @Nullable Instant at) {
        try (var past = past(number)) {
            return new Explainer(Outside.KAFKA, past, OURS).explain("ml", "e-first", at);
        }
    }

    private static Instant later() {
        return Instant.now().plusSeconds(60);
    }

    @Test
    void whoseRulesDecidedIsSaid() {
        var pool = played(46);
        assertThat(explain(46, later()).orElseThrow().basis().rules().areTheSame()).isTrue();

        pool.send(InboxRecords.coreVersion("1-test"));
        pool.send(InboxRecords.node("late", 0));
        var old = explain(46, later()).orElseThrow().basis().rules();
        assertThat(old).isEqualTo(new RuleVersions(List.of("1-test"), OURS));
        assertThat(old.areTheSame()).isFalse();

        pool.send(InboxRecords.coreVersion(OURS));
        pool.send(InboxRecords.node("later", 0));
        assertThat(explain(46, later()).orElseThrow().basis().rules())
                .isEqualTo(new RuleVersions(List.of("1-test", OURS), OURS));
        try (var past = past(46)) {
            assertThat(WhatIf.run(past.stretch(null, Instant.MAX), Alteration.none(), OURS))
                    .get()
                    .extracting(WhatIf.Result::rules)
                    .isEqualTo(new RuleVersions(List.of("1-test", OURS), OURS));
        }
    }

    @Test
    void nowIsWhereTheLogEndsWhateverTheTimeIsHere() {
        var pool = outside.pool(47).withNodes(1, 1);
        var last = pool.send(submitted(job("e-first", 1), workers(2)));
        var behind = last.minusSeconds(60);

        assertThat(explain(47, behind)).isEmpty();
        assertThat(explain(47, null))
                .get()
                .satisfies(told -> assertThat(told.at()).isAfter(behind))
                .extracting(Explanation::at)
                .isEqualTo(last);
    }

    @Test
    void pastEndsWithTheLastRecordThatWasAppendedByTheTimeAskedFor() {
        var pool = outside.pool(48).withNodes(1, 1);
        var then = pool.send(submitted(job("e-first", 1), workers(2)));
        int meant = 6;
        while (!pool.send(InboxRecords.node("late", 1)).isAfter(then)) {
            meant++;
        }

        try (var past = past(48)) {
            assertThat(past.replay(null, Instant.MAX, OURS, (_, _) -> {}).records())
                    .isEqualTo(meant + 1);
            assertThat(past.replay(null, then, OURS, (_, _) -> {}).records()).isEqualTo(meant);
            var walked = new ArrayList<Long>();
            past.stretch(null, then).walk((copy, _) -> walked.add(copy.position()));
            assertThat(walked).hasSize(1 + meant).endsWith(meant - 1L);
        }
    }
}
