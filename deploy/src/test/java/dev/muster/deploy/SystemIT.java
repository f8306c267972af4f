package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.quickstart.Tour;
import dev.muster.sandbox.process.Http;
import dev.muster.v1.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the quickstart shows a newcomer, held to its word. */
class SystemIT {
    private static final Pattern LOSS = Pattern.compile("loss[ =:]+([0-9.e+-]+)");

    private static Tour.Report report;

    @BeforeAll
    static void tour() {
        var told = new ArrayList<String>();
        var examples = TheSystem.REPOSITORY.resolve("examples");
        report = new Tour(TheSystem.get(), examples, false, told::add).run();
        assertThat(told).isNotEmpty();
    }

    @Test
    void trainingJobGoesThroughItsPhases() {
        assertThat(report.phases().get("ring"))
                .containsSubsequence(Phase.STARTING, Phase.RUNNING, Phase.SUCCEEDED);
    }

    @Test
    void lossGoesDown() {
        List<Double> losses =
                report.logs().get("ring").stream()
                        .flatMap(line -> LOSS.matcher(line).results())
                        .map(match -> Double.parseDouble(match.group(1)))
                        .toList();
        assertThat(losses).hasSizeGreaterThan(1);
        assertThat(losses.getLast()).isLessThan(losses.getFirst());
    }

    @Test
    void jobThatDoesNotFitSaysWhatItNeedsAndWhatThereIs() {
        var waiting = report.tooBig().getWaiting();
        assertThat(waiting.getCode()).isEqualTo("InsufficientCapacity");
        assertThat(waiting.getNeed()).isGreaterThan(waiting.getHave());
        assertThat(waiting.getShortBy()).isEqualTo(waiting.getNeed() - waiting.getHave());
    }

    @Test
    void everyServiceTellsPrometheusHowItIs() {
        assertThat(TheSystem.get().services().values())
                .hasSize(4)
                .allMatch(service -> Http.ok(service.url() + "/actuator/prometheus"));
    }

    @Test
    void smallerJobBehindItRan() {
        assertThat(report.phases().get("small")).endsWith(Phase.SUCCEEDED);
    }
}
