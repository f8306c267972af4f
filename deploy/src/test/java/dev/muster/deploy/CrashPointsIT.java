package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Services die between two steps while jobs start, restart, are cancelled and are suspended. In
 * every build a few of the cells of the matrix, another few each time; with {@code -Pcrash} all, or
 * those that {@code -Dmuster.crash.cells=coordinator,watcher.won,/saving} names.
 */
@Isolated
@TriedOnce
@Tag("crash")
class CrashPointsIT {
    private static final boolean ALL = Boolean.getBoolean("muster.crash.all");

    /** No cell is begun later; the last one and the jobs' ends come after that. */
    private static final Duration TIME =
            ALL
                    ? Duration.ofMinutes(Long.getLong("muster.crash.minutes", 120))
                    : Duration.ofSeconds(30);

    private static final int SERVICES = 4;

    private static CrashRun run;

    @BeforeAll
    static void servicesDie() {
        var cells = cells();
        run = new CrashRun();
        if (ALL) {
            run.prepareForManyStarts();
        }
        run.run(cells, SERVICES, TIME);
    }

    @AfterAll
    static void end() {
        if (run != null) {
            if (ALL) {
                CrashTable.write(run);
            }
            run.close();
        }
    }

    /** In an order that a seed gives, service after service. */
    private static List<Cell> cells() {
        long seed = Long.getLong("muster.crash.seed", ThreadLocalRandom.current().nextInt(100_000));
        System.out.printf(
                "crash points: seed %1$d; again: mvn -pl deploy -am verify -Dit.test=CrashPointsIT"
                        + " -Dfailsafe.failIfNoSpecifiedTests=false -Dmuster.crash.seed=%1$d%n",
                seed);
        var names = List.of(System.getProperty("muster.crash.cells", "").split(","));
        var shuffled =
                new ArrayList<>(Cell.all().stream().filter(cell -> isNamed(cell, names)).toList());
        Collections.shuffle(shuffled, new Random(seed));
        var byService = new TreeMap<String, List<Cell>>();
        shuffled.forEach(cell ->
                byService
                        .computeIfAbsent(cell.point().service(), _ -> new ArrayList<>())
                        .add(cell));
        var mixed = new ArrayList<Cell>();
        for (int i = 0; i < shuffled.size(); i++) {
            for (var cells : byService.values()) {
                if (i < cells.size()) {
                    mixed.add(cells.get(i));
                }
            }
        }
        return mixed;
    }

    /**
     * By its name, as {@code pod-manager.created/starting}, its beginning, or {@code /starting}.
     */
    private static boolean isNamed(Cell cell, List<String> names) {
        var own = cell.toString();
        return names.stream()
                .anyMatch(name -> name.startsWith("/") ? own.endsWith(name) : own.startsWith(name));
    }

    @Test
    void everyServiceDiedAtItsPoint() {
        assertThat(run.cells()).isNotEmpty();
        assertThat(run.cells().entrySet())
                .filteredOn(job -> !run.deaths().contains(job.getKey()))
                .isEmpty();
    }

    @Test
    void everyJobEndsAsIfNothingHadHappened() {
        assertThat(run.jobs().ends()).isEmpty();
    }

    @Test
    void invariantsHold() {
        assertThat(run.jobs().broken()).isEmpty();
    }

    @Test
    void nothingIsLeft() {
        run.jobs().awaitNothingLeft();
    }
}
