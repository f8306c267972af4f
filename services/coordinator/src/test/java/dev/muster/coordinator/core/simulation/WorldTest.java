package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static final List<Set<String>> KINDS =
            LongStream.range(0, World.PERIOD).mapToObj(seed -> World.of(seed).kinds()).toList();

    private static final TreeSet<String> PIECES =
            KINDS.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));

    private static final int EVENTS = 60;

    @Test
    void someWorldHasEachPieceThatThereIs() {
        assertThat(Stream.of(Piece.class.getPermittedSubclasses()).map(Class::getSimpleName))
                .containsExactlyInAnyOrderElementsOf(PIECES);
    }

    /** But for those that come only beside what they matter to. */
    @Test
    void whatIsRareComesAlsoByItself() {
        assertThat(PIECES.stream().filter(piece -> !KINDS.contains(Set.of(piece))))
                .containsExactly("DeletionChance", "GroupChance");
        assertThat(KINDS).contains(Set.of());
    }

    /** What no job has is promised of none. */
    @Test
    void jobsHaveAllThatTheirUsersMayWantOfTheirFailuresAndTheirEnd() {
        var works = new ArrayList<JobSpec.Work>();
        for (long seed = 0; seed < World.PERIOD; seed++) {
            var simulation = new Simulation(seed, (event, _, _) -> note(event, works));
            simulation.run(EVENTS);
        }
        assertThat(works.stream().map(JobSpec.Work::cleanup).distinct())
                .containsExactlyInAnyOrder(JobSpec.Cleanup.values());
        assertThat(works).anyMatch(work -> work.ttl() == null);
        assertThat(works).anyMatch(work -> Duration.ZERO.equals(work.ttl()));
        assertThat(works).anyMatch(work -> isSoon(work.ttl()));
        assertThat(works).anyMatch(JobSpec.Work::keepsLeast);
        var roles = works.stream().flatMap(work -> work.roles().stream()).toList();
        assertThat(roles.stream().map(JobSpec.Role::restart).distinct())
                .containsExactlyInAnyOrder(JobSpec.Restart.values());
        assertThat(roles).anyMatch(role -> role.care().failure() != null);
        assertThat(roles).anyMatch(role -> !role.care().critical().isEmpty());
    }

    private static void note(Event event, List<JobSpec.Work> works) {
        if (event instanceof Event.Submitted submitted) {
            works.add(submitted.spec().work());
        }
    }

    private static boolean isSoon(@Nullable Duration ttl) {
        return ttl != null && ttl.isPositive() && ttl.compareTo(Duration.ofMinutes(1)) < 0;
    }
}
