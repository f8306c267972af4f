package dev.muster.deploy;

import dev.muster.deploy.JobRecords.Ask;
import dev.muster.deploy.PodLives.Life;
import dev.muster.v1.CheckpointStage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which pods jobs have in their situations, whatever dies. Each method answers with a sentence for
 * every job of which it does not hold.
 */
final class PodsOfSituations {
    private PodsOfSituations() {}

    /** Of a job whose pods are counted there were those that it was to have, and no other. */
    static List<String> miscounted(Map<String, Situation> jobs, Map<String, List<Life>> ranks) {
        return jobs.entrySet().stream()
                .filter(job -> !job.getValue().pods().isEmpty())
                .flatMap(job -> miscounted(job.getKey(), job.getValue(), ranks))
                .toList();
    }

    private static Stream<String> miscounted(
            String name, Situation situation, Map<String, List<Life>> ranks) {
        var had = new TreeMap<String, Integer>();
        var others = new TreeMap<String, Integer>();
        ranks.forEach((rank, lives) -> {
            if (rank.startsWith(name + "/")) {
                had.put(rank, lives.size());
                if (!rank.startsWith(name + "/worker/")) {
                    others.put(rank, situation.attempts());
                }
            }
        });
        var wanted =
                situation.pods().stream().map(pods -> withWorkers(name, pods, others)).toList();
        return wanted.contains(had)
                ? Stream.empty()
                : Stream.of("%s had pods %s, none of %s".formatted(name, had, wanted));
    }

    private static Map<String, Integer> withWorkers(
            String name, Map<Integer, Integer> pods, Map<String, Integer> others) {
        var all = new TreeMap<>(others);
        pods.forEach((index, count) -> all.put(name + "/worker/" + index, count));
        return all;
    }

    /** A worker that was made when its rank had left for good is gone within ten seconds. */
    static List<String> back(Map<String, Situation> jobs, Map<String, List<Life>> ranks) {
        return jobs.entrySet().stream()
                .flatMap(job ->
                        job.getValue().left().stream()
                                .map(index -> job.getKey() + "/worker/" + index))
                .filter(rank ->
                        ranks.getOrDefault(rank, List.of()).stream()
                                .skip(1)
                                .anyMatch(Invariants::stays))
                .map(rank -> rank + " has left, is made once more, and stays")
                .toList();
    }

    /** On a node that is full there are never more pods than it takes. */
    static List<String> tooMany(Map<String, Situation> jobs, Map<String, List<Life>> ranks) {
        return jobs.entrySet().stream()
                .filter(job -> job.getValue() == Situation.GIVING)
                .filter(job -> atOnce(job.getKey(), ranks) > SituationJob.FULL)
                .map(job -> job.getKey() + " and its taker had more pods than their node takes")
                .toList();
    }

    private static long atOnce(String name, Map<String, List<Life>> ranks) {
        var taker = SituationJob.takerOf(name) + "/";
        var lives =
                ranks.entrySet().stream()
                        .filter(rank ->
                                rank.getKey().startsWith(name + "/worker/")
                                        || rank.getKey().startsWith(taker))
                        .flatMap(rank -> rank.getValue().stream())
                        .toList();
        return lives.stream()
                .mapToLong(life ->
                        lives.stream()
                                .filter(other -> !other.from().isAfter(life.from()))
                                .filter(other -> other.until().isAfter(life.from()))
                                .count())
                .max()
                .orElse(0);
    }

    /**
     * A guarded job has had one PodDisruptionBudget: else that none is left says nothing.
     *
     * @param budgets how often one of a job's name was made
     */
    static List<String> unguarded(Map<String, Situation> jobs, Map<String, Long> budgets) {
        return jobs.entrySet().stream()
                .filter(job -> job.getValue().isGuarded())
                .map(Map.Entry::getKey)
                .filter(name -> budgets.getOrDefault(name, 0L) != 1)
                .map(name ->
                        "%s has had %d budgets".formatted(name, budgets.getOrDefault(name, 0L)))
                .toList();
    }

    /** Who is asked is asked once and says that it has saved, and nobody leaves before that. */
    static List<String> unsaved(
            Map<String, Situation> jobs,
            Map<String, List<Life>> ranks,
            Map<String, List<Ask>> asks) {
        return jobs.entrySet().stream()
                .filter(job -> job.getValue().saves())
                .map(Map.Entry::getKey)
                .flatMap(name -> unsaved(name, ranks, asks.getOrDefault(name, List.of())))
                .toList();
    }

    private static Stream<String> unsaved(
            String name, Map<String, List<Life>> ranks, List<Ask> asks) {
        var stages = asks.stream().map(Ask::stage).toList();
        if (!stages.equals(List.of(CheckpointStage.ASKED, CheckpointStage.SAVED))) {
            return Stream.of(name + " was asked to save: " + stages);
        }
        var saved = asks.getLast().at();
        return ranks.entrySet().stream()
                .filter(rank -> rank.getKey().startsWith(name + "/"))
                .filter(rank -> rank.getValue().stream().anyMatch(l -> l.until().isBefore(saved)))
                .map(rank -> rank.getKey() + " leaves before its job has saved");
    }
}
