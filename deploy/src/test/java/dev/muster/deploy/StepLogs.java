package dev.muster.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * What the logs of processes that train together say of their steps. Each process tells its share
 * of a step before it gives it, and the result once it has it; the master alone tells results in
 * any case.
 *
 * @param master its log, or that of the launcher
 * @param takesPart whether it gives a share of each step itself, as launchers do not
 * @param workers of every process that ever was one
 */
record StepLogs(List<String> master, boolean takesPart, List<Life> workers) {
    private static final Pattern SHARE = Pattern.compile("step (\\d+): share (\\S+)");
    private static final Pattern RESULT = Pattern.compile("step (\\d+): loss (\\S+) with (.*)");
    private static final String NOBODY = "nobody else";

    /** Six digits are told. */
    private static final double NEAR = 1e-4;

    StepLogs {
        master = List.copyOf(master);
        workers = List.copyOf(workers);
    }

    StepLogs(List<String> master, List<Life> workers) {
        this(master, true, workers);
    }

    /**
     * Of a launcher and those that it started.
     *
     * @param folder each of these wrote a file there, {@code ROLE-INDEX-PROCESS.log}
     */
    static StepLogs ofLauncher(List<String> launcher, Path folder) throws IOException {
        var workers = new ArrayList<Life>();
        try (var files = Files.newDirectoryStream(folder, "*.log")) {
            for (var file : files) {
                var name = file.getFileName().toString();
                var log = Files.readAllLines(file);
                workers.add(new Life(name.substring(0, name.lastIndexOf('-')), log));
            }
        }
        return new StepLogs(launcher, false, workers);
    }

    /**
     * One process of a worker: another one under the same name has a log of its own.
     *
     * @param name as the master knows it
     */
    record Life(String name, List<String> log) {
        Life {
            log = List.copyOf(log);
        }
    }

    /**
     * All of them have done a step.
     *
     * @param with who took part, but for the master
     */
    record Result(int step, double loss, List<String> with) {
        Result {
            with = List.copyOf(with);
        }
    }

    private record Share(int step, double loss) {}

    private record Told(String name, List<Share> shares, List<Result> results) {
        private static Told of(Life life) {
            return new Told(life.name(), StepLogs.shares(life.log()), StepLogs.results(life.log()));
        }

        private List<Share> sharesOf(int step) {
            return shares.stream().filter(share -> share.step() == step).toList();
        }

        /** It had the result, or was gone before it could hear it. */
        private boolean wasIn(Result result) {
            return results.contains(result)
                    || !shares.isEmpty() && shares.getLast().step() == result.step();
        }
    }

    /** The results that a log tells, in its order. */
    static List<Result> results(List<String> log) {
        return matches(RESULT, log)
                .map(line ->
                        new Result(
                                Integer.parseInt(line.group(1)),
                                Double.parseDouble(line.group(2)),
                                line.group(3).equals(NOBODY)
                                        ? List.of()
                                        : List.of(line.group(3).split(" "))))
                .toList();
    }

    private static List<Share> shares(List<String> log) {
        return matches(SHARE, log)
                .map(line ->
                        new Share(
                                Integer.parseInt(line.group(1)), Double.parseDouble(line.group(2))))
                .toList();
    }

    private static Stream<Matcher> matches(Pattern pattern, List<String> log) {
        return log.stream().map(pattern::matcher).filter(Matcher::matches);
    }

    /**
     * A sentence for each step that is lost or done twice, or of whose members, shares and result
     * the logs say different things.
     */
    List<String> wrong() {
        var wrong = new ArrayList<String>();
        var results = results(master);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i).step() != i + 1) {
                wrong.add("the master's step %d is %d".formatted(i + 1, results.get(i).step()));
                return wrong;
            }
        }
        var leader = new Told("master", shares(master), results);
        var told = workers.stream().map(Told::of).toList();
        var byName = new TreeMap<String, List<Told>>();
        told.forEach(life -> byName.computeIfAbsent(life.name(), _ -> new ArrayList<>()).add(life));
        results.forEach(result -> wrong.addAll(wrong(result, leader, byName)));
        told.forEach(life -> wrong.addAll(wrong(life, results)));
        return wrong;
    }

    /** Of a step as the master tells it. */
    private List<String> wrong(Result result, Told leader, Map<String, List<Told>> byName) {
        var wrong = new ArrayList<String>();
        var shares = new ArrayList<>(leader.sharesOf(result.step()));
        if (shares.size() != (takesPart ? 1 : 0)) {
            wrong.add(
                    "step %d has %d shares of the master".formatted(result.step(), shares.size()));
        }
        for (var member : result.with()) {
            var in =
                    byName.getOrDefault(member, List.of()).stream()
                            .filter(life -> life.wasIn(result))
                            .toList();
            if (in.size() != 1) {
                wrong.add(
                        "step %d was done by %d processes of %s"
                                .formatted(result.step(), in.size(), member));
            }
            in.forEach(life -> shares.addAll(life.sharesOf(result.step())));
        }
        double mean = shares.stream().mapToDouble(Share::loss).average().orElse(Double.NaN);
        if (!(Math.abs(mean - result.loss()) <= NEAR * result.loss())) {
            wrong.add(
                    "step %d has loss %.4g, and its shares %.4g"
                            .formatted(result.step(), result.loss(), mean));
        }
        return wrong;
    }

    /** Of what one worker tells, beside all results. */
    private static List<String> wrong(Told life, List<Result> results) {
        var wrong = new ArrayList<String>();
        life.shares().stream()
                .filter(share -> share.step() > results.size())
                .forEach(share ->
                        wrong.add(
                                "%s did step %d, of which the master does not know"
                                        .formatted(life.name(), share.step())));
        life.shares().stream()
                .gather(Gatherers.windowSliding(2))
                .filter(two -> two.size() == 2 && two.getLast().step() <= two.getFirst().step())
                .forEach(two ->
                        wrong.add(
                                "%s did step %d after %d"
                                        .formatted(
                                                life.name(),
                                                two.getLast().step(),
                                                two.getFirst().step())));
        life.results().stream()
                .filter(result -> !results.contains(result))
                .forEach(result ->
                        wrong.add("%s heard another result: %s".formatted(life.name(), result)));
        life.results().stream()
                .filter(result ->
                        !result.with().contains(life.name())
                                || life.sharesOf(result.step()).isEmpty())
                .forEach(result ->
                        wrong.add(
                                "%s heard of step %d, in which it was not"
                                        .formatted(life.name(), result.step())));
        return wrong;
    }
}
