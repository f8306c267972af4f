package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.PodNews;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One job with a host list, as far as it was told of and published. */
final class Launched {
    /** What a list may lag behind the news. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** What the promises of lists came to judge. */
    enum Weighed {
        LISTED,
        /** A host's pod was not ready any more, and the list said so in time. */
        TAKEN_OFF,
        /** A pod was ready, and came into the list in time. */
        TAKEN_IN,
        DRAINS,
        COMES_TOGETHER,
        CAME_TOGETHER
    }

    private final JobId id;

    /** By the rank and its making. */
    private final Map<String, PodNews> news = new TreeMap<>();

    private final Map<String, Instant> drains = new TreeMap<>();
    private final Map<String, Instant> wrong = new TreeMap<>();
    private final Map<String, Instant> missing = new TreeMap<>();
    private final Set<Weighed> weighed = EnumSet.noneOf(Weighed.class);
    private @Nullable RunPlan plan;

    /** As the plan told of them. */
    private List<String> hosts = List.of();

    private boolean hasLauncher;
    private @Nullable Scaling command;

    /** It took the place of one whose newcomers came one by one, and some of them are listed. */
    private boolean comesApart;

    /** All that it brings was listed at once: who comes later comes alone. */
    private boolean cameTogether;

    /** Who was planned before the command under way. */
    private Set<RankId> before = Set.of();

    /** Who may have come in the place of one of those, or by the command. */
    private final Set<RankId> either = new TreeSet<>();

    /** Who came by it, or early in the place of one of before who was about to leave. */
    private final Set<RankId> early = new TreeSet<>();

    /** How many of early may have come in a place that is not free yet, and may never be. */
    private int places;

    /** Who comes by it, and was not listed yet. */
    private Set<RankId> coming = Set.of();

    /** Up to which incarnation a rank was told to be lost with its node, which may come back. */
    private final Map<RankId, Integer> givenUp = new TreeMap<>();

    /** Who was ready once, by the rank and its making. */
    private final Set<String> wereReady = new TreeSet<>();

    Launched(JobId id) {
        this.id = id;
    }

    Set<Weighed> weighed() {
        return weighed;
    }

    private static String key(RankId rank, int incarnation) {
        return rank + "/" + incarnation;
    }

    private static String key(PlannedPod pod) {
        return key(pod.rank(), pod.incarnation());
    }

    void seen(Pod pod, long at) {
        var key = key(pod.mark().rank(), pod.mark().incarnation());
        var known = news.get(key);
        news.put(key, PodNews.of(pod, known, inPlace(key), at));
        if (news.get(key).isReady()) {
            wereReady.add(key);
        }
    }

    private int inPlace(String key) {
        return plan == null
                ? 0
                : plan.pods().stream()
                        .filter(pod -> key(pod).equals(key))
                        .mapToInt(PlannedPod::inPlace)
                        .findFirst()
                        .orElse(0);
    }

    void gone(String podUid) {
        news.replaceAll((_, known) ->
                known.pod().mark().podUid().equals(podUid) ? known.isGone(true) : known);
    }

    /** Its pod is to be made again, though it is there. */
    void givesUp(RankId rank, int incarnation) {
        givenUp.merge(rank, incarnation, Math::max);
    }

    /** What a list does not have that began then is not there. */
    void goneBefore(long at) {
        news.replaceAll((_, known) -> known.at() < at ? known.isGone(true) : known);
    }

    void drained(RankId rank, Instant now) {
        drains.replaceAll(
                (key, until) -> key.startsWith(rank + "/") && until.isAfter(now) ? now : until);
    }

    void scales(Scaling scaling) {
        if (command == null || command.number() != scaling.number()) {
            if (command != null && Growths.isHeir(command, scaling)) {
                comesApart |= Growths.isSplit(command, plan, before);
            } else {
                begins();
            }
        }
        command = scaling;
    }

    private void begins() {
        comesApart = false;
        cameTogether = false;
        before = planned();
        either.clear();
        early.clear();
        places = 0;
    }

    private boolean isTogether() {
        return command != null && Growths.isTogether(command) && !comesApart && !cameTogether;
    }

    private Set<RankId> planned() {
        return Growths.planned(plan, _ -> true);
    }

    /**
     * Where not all of before stay, newcomers may be in their place, and no part of the command;
     * and who comes anew under the name of one who has left may be either.
     */
    private void replace(Set<RankId> known, Scaling under, Set<String> left) {
        var there = planned();
        there.removeIf(rank -> known.contains(rank) || !before.contains(rank));
        either.addAll(there);
        var newcomers = newcomers(Objects.requireNonNull(plan), under.role());
        var stay =
                plan.pods().stream()
                        .filter(pod -> pod.rank().role().equals(under.role()))
                        .filter(pod -> pod.part().drain() == null)
                        .filter(pod -> !newcomers.contains(pod.rank()))
                        .filter(pod -> !there.contains(pod.rank()))
                        .toList();
        early.retainAll(newcomers);
        newcomers.removeAll(known);
        int going = (int) stay.stream().filter(pod -> left.contains(pod.node())).count();
        if (stay.size() < under.from()) {
            either.addAll(newcomers);
            either.addAll(early);
        } else if (going > 0 && newcomers.size() != under.to() - under.from()) {
            either.addAll(newcomers);
        } else if (going > 0) {
            early.addAll(newcomers);
            places = going;
        }
    }

    void stops() {
        plan = null;
    }

    /**
     * @param left nodes that jobs leave: for who is there another may come first
     */
    void plans(RunPlan next, Instant now, Set<String> left) {
        isOfItsVersion(next);
        boolean isAnew = plan == null || plan.attempt() != next.attempt();
        var known = Growths.planned(plan, pod -> pod.part().drain() == null);
        plan = next;
        if (isAnew) {
            hasLauncher = false;
            begins();
            wereReady.clear();
        } else if (command != null && Growths.brings(command)) {
            replace(known, command, left);
        }
        hasLauncher |= next.pods().stream().anyMatch(Launched::isLauncher);
        next.pods().forEach(pod -> isRight(pod, now));
        comeTogether(next);
    }

    /**
     * Of what an atomic command brings all come into the list at once, as far as they are ready:
     * who has done his work before the others are is in no list.
     */
    private void comeTogether(RunPlan next) {
        var under = command;
        if (under != null && isTogether()) {
            coming = newcomers(next, under.role());
        } else if (under == null || under.stage() != Scaling.Stage.SUCCEEDED) {
            coming = Set.of();
        }
        comeAlone(next);
        var ofCommand = next.pods().stream().filter(pod -> coming.contains(pod.rank())).toList();
        if (ofCommand.stream().noneMatch(pod -> pod.part().host())) {
            return;
        }
        for (var pod : ofCommand) {
            var known = news.get(key(pod));
            boolean isReady = known != null && known.isReady();
            boolean isOut = known != null && (known.deleting() || known.isOver(pod));
            if (!pod.part().host() && !isOut && (isReady || !wereReady.contains(key(pod)))) {
                throw new AssertionError(
                        "%s: others are listed, and %s, which comes with them, is not: %s, %s"
                                .formatted(id, pod, known, under));
            }
        }
        weighed.addAll(ofCommand.size() > 1 ? Set.of(Weighed.CAME_TOGETHER) : Set.of());
        cameTogether |= under != null && Growths.isWhole(under, next);
        coming = Set.of();
    }

    /** Who came in the place of another is listed first, whether that one leaves or stays. */
    private void comeAlone(RunPlan next) {
        var listed = Growths.planned(next, pod -> pod.part().host());
        listed.retainAll(coming);
        if (early.containsAll(listed) && listed.size() <= places && listed.size() < coming.size()) {
            either.addAll(listed);
            early.removeAll(listed);
            coming.removeAll(listed);
            places -= listed.size();
        }
    }

    private Set<RankId> newcomers(RunPlan next, String role) {
        var newcomers = Growths.planned(next, pod -> pod.part().drain() == null);
        newcomers.removeIf(rank -> !rank.role().equals(role) || before.contains(rank));
        newcomers.removeAll(either);
        return newcomers;
    }

    private static boolean isLauncher(PlannedPod pod) {
        return pod.rank().role().equals(JobSpec.LAUNCHER);
    }

    /** Another list has another version, and the same list the same. */
    private void isOfItsVersion(RunPlan next) {
        var before = hosts;
        hosts = hosts(next);
        if (plan != null && plan.attempt() == next.attempt()) {
            boolean isSame = before.equals(hosts);
            if (isSame ? next.hosts() != plan.hosts() : next.hosts() <= plan.hosts()) {
                throw new AssertionError(
                        "%s: list %d became %d: %s"
                                .formatted(id, plan.hosts(), next.hosts(), hosts));
            }
        }
    }

    /** Who is listed, and how often his container began anew by then. */
    private List<String> hosts(RunPlan plan) {
        return plan.pods().stream()
                .filter(pod -> pod.part().host())
                .map(pod -> "%s/%d/%d".formatted(key(pod), pod.inPlace(), runs(key(pod))))
                .toList();
    }

    private int runs(String key) {
        var known = news.get(key);
        return known == null ? 0 : known.runs();
    }

    private void isRight(PlannedPod pod, Instant now) {
        var drain = pod.part().drain();
        if (drain != null) {
            weighed.add(Weighed.DRAINS);
            drains.put(key(pod), now.plus(drain));
        }
        if (!pod.part().host()) {
            return;
        }
        weighed.add(Weighed.LISTED);
        var known = news.get(key(pod));
        var until = drains.get(key(pod));
        if (drain != null || until != null && !now.isBefore(until) || isLauncher(pod)) {
            throw new AssertionError("%s: %s is listed, and leaves: %s".formatted(id, pod, until));
        }
        if (known == null || !known.isReady()) {
            throw new AssertionError("%s: %s is listed, and is %s".formatted(id, pod, known));
        }
    }

    /** Nothing has been otherwise than the news for too long. */
    void isInTime(Instant now) {
        isInTime("lists, and is not ready", wrong, now);
        isInTime("lists not, and is ready", missing, now);
    }

    private void isInTime(String what, Map<String, Instant> since, Instant now) {
        since.forEach((key, from) -> {
            if (from.plus(SOON).isBefore(now)) {
                throw new AssertionError(
                        "%s %s since %s: %s, %s, %s"
                                .formatted(id, what, from, news.get(key), plan, command));
            }
        });
    }

    /** What is otherwise than the news from now on. */
    void look(Instant now, Set<String> doubtful) {
        var listed = new TreeSet<String>();
        var absent = new ArrayList<PlannedPod>();
        if (plan != null && hasLauncher) {
            for (var pod : plan.pods()) {
                var known = news.get(key(pod));
                boolean isReady = known != null && known.isReady();
                if (pod.part().host() && !isReady) {
                    listed.add(key(pod));
                } else if (!pod.part().host()
                        && isReady
                        && !known.isOver(pod)
                        // What is on such a node may be given up.
                        && !known.isOnOneOf(doubtful)
                        && pod.incarnation() > givenUp.getOrDefault(pod.rank(), 0)
                        && belongs(pod)) {
                    absent.add(pod);
                }
            }
        }
        if (command != null && !command.isOver() && command.to() < command.from()) {
            Growths.mayLeave(absent, command.role(), command.from() - command.to());
        }
        var keys = absent.stream().map(Launched::key).collect(Collectors.toSet());
        note(wrong, listed, Weighed.TAKEN_OFF, now);
        note(missing, keys, Weighed.TAKEN_IN, now);
    }

    /** Nobody takes it out, and it waits for nobody who is to come with it. */
    private boolean belongs(PlannedPod pod) {
        boolean waits =
                command != null
                        && !command.isOver()
                        && isTogether()
                        && command.role().equals(pod.rank().role())
                        && !before.contains(pod.rank());
        if (waits) {
            weighed.add(Weighed.COMES_TOGETHER);
        }
        return !isLauncher(pod)
                && pod.part().drain() == null
                && !waits
                && !either.contains(pod.rank());
    }

    private void note(Map<String, Instant> since, Set<String> now, Weighed way, Instant from) {
        if (since.keySet().retainAll(now)) {
            weighed.add(way);
        }
        now.forEach(key -> since.putIfAbsent(key, from));
    }
}
