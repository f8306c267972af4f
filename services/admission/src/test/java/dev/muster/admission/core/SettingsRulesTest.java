package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.JobChange.Kind;
import dev.muster.admission.core.PoolSettings.Backing;
import dev.muster.admission.core.SettingsRequest.Bulk;
import dev.muster.admission.core.SettingsRequest.ChangePool;
import dev.muster.admission.core.SettingsRequest.ChangeQueue;
import dev.muster.admission.core.SettingsRequest.ChangeQueue.Named;
import dev.muster.admission.core.SettingsRequest.DeleteQueue;
import dev.muster.admission.core.SettingsRequest.PutPool;
import dev.muster.admission.core.SettingsRequest.PutQueue;
import dev.muster.admission.core.SettingsRules.Known;
import dev.muster.admission.core.SettingsRules.Sent;
import dev.muster.admission.core.SettingsVerdict.Answer;
import dev.muster.admission.core.SettingsVerdict.Forward;
import dev.muster.admission.core.SettingsVerdict.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsRulesTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Map<String, Integer> POOLS = Map.of("default", 0, "gpus", 2);
    private static final Known NOTHING = new Known(null, null, false, POOLS, null);
    private static final Sent TO_GPUS = new Sent("gpus", false);
    private static final JobChange HOLD =
            new JobChange(Kind.HOLD, null, null, null, "", null, null);
    private static final JobChange MOVE = new JobChange(Kind.MOVE, null, "b", null, "", null, null);
    private static final Sent DELETED = new Sent("gpus", true);
    private static final Sent LEAVING = new Sent("gpus", true, true);

    @ParameterizedTest
    @MethodSource
    void queueBelongsToOnePool(Known known, String pool, @Nullable Forward forward) {
        var verdict = SettingsRules.decide(known, put("team-a", pool, 1, 10), NOON);
        if (forward == null) {
            assertThat(((Answer) verdict).outcome()).isEqualTo(Outcome.CONFLICT);
        } else {
            assertThat(verdict).isEqualTo(forward);
        }
    }

    static Stream<Arguments> queueBelongsToOnePool() {
        var gpus = new Forward("gpus", 2);
        return Stream.of(
                argumentSet("new", NOTHING, "gpus", gpus),
                argumentSet("again", known(null, "gpus"), "gpus", gpus),
                argumentSet("moving", known(null, "default"), "gpus", null),
                argumentSet("again, on its way", known(TO_GPUS, null), "gpus", gpus),
                argumentSet("moving, on its way", known(TO_GPUS, null), "default", null),
                argumentSet("deleting", known(DELETED, "gpus"), "default", null),
                argumentSet("deleted", known(DELETED, null), "default", new Forward("default", 0)));
    }

    @ParameterizedTest
    @MethodSource
    void queueOutsideItsRangeIsRefused(PutQueue put, String path) {
        var answer = (Answer) SettingsRules.decide(NOTHING, put, NOON);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems()).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> queueOutsideItsRangeIsRefused() {
        return Stream.of(
                argumentSet("name", put("Team A", "gpus", 1, 10), "name"),
                argumentSet("pool", put("team-a", "", 1, 10), "spec.pool"),
                argumentSet("weight 0", put("team-a", "gpus", 0, 10), "spec.weight"),
                argumentSet("weight", put("team-a", "gpus", 1_000_001, 10), "spec.weight"),
                argumentSet("waiting", put("team-a", "gpus", 1, 0), "spec.maxWaiting"));
    }

    @Test
    void queueOfAPoolThatIsNotThereYetWaitsThenIsRefused() {
        var put = put("team-a", "soon", 1, 10);
        assertThat(SettingsRules.decide(NOTHING, put, NOON)).isInstanceOf(Wait.class);
        var answer = (Answer) SettingsRules.decide(NOTHING, put, NOON.plusSeconds(2));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void deletionGoesToTheQueuesPool() {
        var delete = new DeleteQueue("team-a", false, NOON);
        assertThat(SettingsRules.decide(known(null, "gpus"), delete, NOON))
                .isEqualTo(new Forward("gpus", 2));
        assertThat(SettingsRules.decide(known(TO_GPUS, null), delete, NOON))
                .isEqualTo(new Forward("gpus", 2));
    }

    /** Which remembers what it answered. */
    @Test
    void repeatOfADeletionGoesToThePoolThatTheQueueWasOf() {
        var delete = new DeleteQueue("team-a", false, NOON);
        assertThat(SettingsRules.decide(known(DELETED, null), delete, NOON))
                .isEqualTo(new Forward("gpus", 2));
    }

    @Test
    void queueThatIsNotThereIsNotFound() {
        var delete = new DeleteQueue("team-a", false, NOON);
        var answer = (Answer) SettingsRules.decide(NOTHING, delete, NOON);
        assertThat(answer.outcome()).isEqualTo(Outcome.NOT_FOUND);
    }

    @ParameterizedTest
    @MethodSource
    void changeGoesToTheQueuesPool(
            Known known, boolean namesPool, boolean create, SettingsVerdict verdict) {
        var named = namesPool ? Named.POOL : Named.OTHERS;
        var settings = Settings.queue(q -> q.pool = "gpus");
        var change = new ChangeQueue("team-a", settings, named, create, false, NOON);
        assertThat(SettingsRules.decide(known, change, NOON)).isEqualTo(verdict);
    }

    static Stream<Arguments> changeGoesToTheQueuesPool() {
        var gpus = new Forward("gpus", 2);
        var none = new Answer(Outcome.NOT_FOUND, List.of(), "no queue team-a is known");
        var elsewhere =
                new Answer(
                        Outcome.CONFLICT,
                        List.of(),
                        "queue team-a belongs to pool default and cannot move; delete it first,"
                                + " or use another name");
        return Stream.of(
                argumentSet(
                        "known", known(null, "default"), false, false, new Forward("default", 0)),
                argumentSet("on its way", known(TO_GPUS, null), false, false, gpus),
                argumentSet("its own pool", known(null, "gpus"), true, false, gpus),
                argumentSet("to another pool", known(null, "default"), true, false, elsewhere),
                argumentSet("not there", NOTHING, false, false, none),
                argumentSet("deleted", known(DELETED, null), false, false, gpus),
                argumentSet("made", NOTHING, false, true, gpus),
                argumentSet("made again", known(DELETED, null), true, true, gpus),
                argumentSet(
                        "there already",
                        known(null, "default"),
                        false,
                        true,
                        new Forward("default", 0)));
    }

    @ParameterizedTest
    @MethodSource
    void queueThatMayBeMadeAnewStaysInThePoolItIsLeaving(
            Sent sent, boolean leaves, Named named, boolean create, SettingsVerdict verdict) {
        var change =
                new ChangeQueue(
                        "team-a",
                        Settings.queue(q -> q.pool = "default"),
                        named,
                        create,
                        false,
                        NOON);
        var shown = new Known(sent, "gpus", leaves, POOLS, null);
        assertThat(SettingsRules.decide(shown, change, NOON)).isEqualTo(verdict);
    }

    static Stream<Arguments> queueThatMayBeMadeAnewStaysInThePoolItIsLeaving() {
        var gpus = new Forward("gpus", 2);
        var leaves =
                new Answer(
                        Outcome.CONFLICT,
                        List.of(),
                        "queue team-a is in pool gpus until its last job has ended; ask again"
                                + " then, or use another name");
        return Stream.of(
                argumentSet(
                        "leaves, to be there in another pool",
                        LEAVING,
                        true,
                        Named.NOTHING,
                        true,
                        leaves),
                argumentSet("leaves, put", LEAVING, true, Named.OTHERS, true, gpus),
                argumentSet("leaves, only changed", LEAVING, true, Named.OTHERS, false, gpus),
                argumentSet("made anew unseen", LEAVING, false, Named.NOTHING, true, gpus),
                argumentSet("its deletion was refused", DELETED, false, Named.NOTHING, true, gpus),
                argumentSet("resumed, and not shown so", TO_GPUS, true, Named.NOTHING, true, gpus));
    }

    @ParameterizedTest
    @MethodSource
    void whatIsRememberedOfAQueueIsWhatItsPoolMakesOfIt(
            Known known, SettingsRequest request, @Nullable Sent remembered) {
        assertThat(SettingsRules.remembered(known, request, "gpus")).isEqualTo(remembered);
    }

    static Stream<Arguments> whatIsRememberedOfAQueueIsWhatItsPoolMakesOfIt() {
        var leaving = new Known(LEAVING, "gpus", true, POOLS, null);
        var notShown = new Known(LEAVING, "gpus", false, POOLS, null);
        var gone = known(LEAVING, null);
        var there = known(TO_GPUS, "gpus");
        var put = put("team-a", "gpus", 1, 10);
        var draining = new PutQueue("team-a", put.settings(), false, NOON);
        var delete = new DeleteQueue("team-a", false, NOON);
        var drain = new DeleteQueue("team-a", true, NOON);
        return Stream.of(
                argumentSet("put", there, put, TO_GPUS),
                argumentSet("put as draining", there, draining, TO_GPUS),
                argumentSet("changed", there, change(false, false), null),
                argumentSet("changed or made", there, change(true, false), TO_GPUS),
                argumentSet("resumed", there, change(false, true), null),
                argumentSet("deleted", there, delete, DELETED),
                argumentSet("deleted with its jobs", there, drain, LEAVING),
                argumentSet("leaves, deleted again", leaving, delete, LEAVING),
                argumentSet("leaves, put", leaving, put, TO_GPUS),
                argumentSet("leaves, put as draining", leaving, draining, null),
                argumentSet("leaves, changed", leaving, change(true, false), null),
                argumentSet("is to leave, changed", notShown, change(true, false), null),
                argumentSet("leaves, resumed", leaving, change(false, true), DELETED),
                argumentSet("leaves, resumed or made", leaving, change(true, true), TO_GPUS),
                argumentSet("gone, put as draining", gone, draining, TO_GPUS),
                argumentSet("gone, resumed", gone, change(false, true), null),
                argumentSet("gone, made", gone, change(true, false), TO_GPUS),
                argumentSet("jobs of it", there, bulk("team-a", false, HOLD), null));
    }

    private static ChangeQueue change(boolean create, boolean reopens) {
        var settings = Settings.queue(q -> q.pool = "gpus");
        return new ChangeQueue("team-a", settings, Named.OTHERS, create, reopens, NOON);
    }

    @Test
    void changeOutsideItsRangeIsRefused() {
        var settings = Settings.queue(q -> q.weight = 0);
        var change = new ChangeQueue("team-a", settings, Named.OTHERS, false, false, NOON);
        var answer = (Answer) SettingsRules.decide(known(null, "gpus"), change, NOON);
        assertThat(answer.problems()).extracting(Problem::path).containsExactly("spec.weight");
    }

    @ParameterizedTest
    @MethodSource
    void poolsNumberIsItsOwnForEver(String name, @Nullable Integer asked, @Nullable Integer gets) {
        var verdict = SettingsRules.decide(NOTHING, pool(name, asked), NOON);
        if (gets == null) {
            assertThat(((Answer) verdict).outcome()).isEqualTo(Outcome.CONFLICT);
        } else {
            assertThat(verdict).isEqualTo(new Forward(name, gets));
        }
    }

    static Stream<Arguments> poolsNumberIsItsOwnForEver() {
        return Stream.of(
                argumentSet("the lowest free one", "tpus", null, 1),
                argumentSet("a free one", "tpus", 63, 63),
                argumentSet("one that is taken", "tpus", 2, null),
                argumentSet("its own again", "gpus", 2, 2),
                argumentSet("its own, not named", "gpus", null, 2),
                argumentSet("another for an old pool", "gpus", 5, null));
    }

    @ParameterizedTest
    @MethodSource
    void changeGoesToThePool(String name, PoolSettings settings, boolean create, Object verdict) {
        var change = new ChangePool(name, settings, true, create);
        assertThat(SettingsRules.decide(NOTHING, change, NOON)).isEqualTo(verdict);
    }

    static Stream<Arguments> changeGoesToThePool() {
        var plain = Settings.pool(_ -> {});
        var delegated = Settings.pool(p -> p.backing = new Backing(false, true, "gangs"));
        var third = Settings.pool(p -> p.number = 3);
        var none = new Answer(Outcome.NOT_FOUND, List.of(), "no pool tpus is known");
        var gpus = new Forward("gpus", 2);
        var number = new Answer(Outcome.CONFLICT, List.of(), "pool gpus has number 2 for ever");
        return Stream.of(
                argumentSet("known", "gpus", plain, false, gpus),
                argumentSet("known, or made", "gpus", plain, true, gpus),
                argumentSet("its backend is the pool's matter", "gpus", delegated, false, gpus),
                argumentSet("another number", "gpus", third, false, number),
                argumentSet("not there", "tpus", plain, false, none),
                argumentSet("made", "tpus", plain, true, new Forward("tpus", 1)),
                argumentSet("made with a number", "tpus", third, true, new Forward("tpus", 3)));
    }

    @Test
    void poolThatIsToStayAsItIsKeepsItsNumberWhateverIsAsked() {
        var third = Settings.pool(p -> p.number = 3);
        var known = new ChangePool("gpus", third, false, true);
        assertThat(SettingsRules.decide(NOTHING, known, NOON)).isEqualTo(new Forward("gpus", 2));
        var made = new ChangePool("tpus", third, false, true);
        assertThat(SettingsRules.decide(NOTHING, made, NOON)).isEqualTo(new Forward("tpus", 3));
    }

    @Test
    void poolIsNotMadeOfFieldsThatDoNotGoTogether() {
        var delegated = Settings.pool(p -> p.backing = new Backing(false, true, "gangs"));
        var change = new ChangePool("tpus", delegated, false, true);
        assertThat(((Answer) SettingsRules.decide(NOTHING, change, NOON)).problems())
                .extracting(Problem::path)
                .containsExactly("spec.capacity", "spec.backendQueue");
    }

    @Test
    void thereAreNoMorePoolsThanInboxPartitions() {
        var all = new TreeMap<String, Integer>();
        IntStream.range(0, 64).forEach(i -> all.put("pool-" + i, i));
        var known = new Known(null, null, false, all, null);
        assertThat(((Answer) SettingsRules.decide(known, pool("tpus", null), NOON)).outcome())
                .isEqualTo(Outcome.CONFLICT);
    }

    @ParameterizedTest
    @MethodSource
    void bulkChangeGoesToThePoolOfWhatItNames(Known known, Bulk bulk, Forward forward) {
        assertThat(SettingsRules.decide(known, bulk, NOON)).isEqualTo(forward);
    }

    static Stream<Arguments> bulkChangeGoesToThePoolOfWhatItNames() {
        var gpus = new Forward("gpus", 2);
        var moving = new Known(null, "gpus", false, POOLS, "gpus");
        return Stream.of(
                argumentSet("queue", known(null, "gpus"), bulk("team-a", false, HOLD), gpus),
                argumentSet("on its way", known(TO_GPUS, null), bulk("a", false, HOLD), gpus),
                argumentSet("deleted", known(DELETED, null), bulk("a", false, HOLD), gpus),
                argumentSet("pool", NOTHING, bulk("gpus", true, HOLD), gpus),
                argumentSet("within", moving, bulk("a", false, MOVE), gpus));
    }

    @ParameterizedTest
    @MethodSource
    void bulkChangeOfWhatIsNotThereWaitsThenIsNotFound(Bulk bulk) {
        assertThat(SettingsRules.decide(NOTHING, bulk, NOON)).isInstanceOf(Wait.class);
        var answer = (Answer) SettingsRules.decide(NOTHING, bulk, NOON.plusSeconds(2));
        assertThat(answer.outcome()).isEqualTo(Outcome.NOT_FOUND);
    }

    static Stream<Bulk> bulkChangeOfWhatIsNotThereWaitsThenIsNotFound() {
        return Stream.of(bulk("team-a", false, HOLD), bulk("tpus", true, HOLD));
    }

    @Test
    void everythingThatIsWrongWithABulkChangeIsTold() {
        var change =
                new JobChange(Kind.SET_PRIORITY, null, "b", Duration.ofSeconds(-1), "", null, null);
        var bulk = new Bulk("No_Name", false, Map.of("a", "b c"), "No_Label", change, NOON);
        var answer = (Answer) SettingsRules.decide(NOTHING, bulk, NOON);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems())
                .extracting(Problem::path)
                .containsExactly(
                        "name",
                        "labels.a",
                        "namespace",
                        "change.priority",
                        "change.queue",
                        "change.gracePeriod",
                        "change.gracePeriod");
    }

    @Test
    void jobsDoNotMoveToAnotherPool() {
        var known = new Known(null, "gpus", false, POOLS, "default");
        var answer = (Answer) SettingsRules.decide(known, bulk("a", false, MOVE), NOON);
        assertThat(answer.problems())
                .containsExactly(
                        new Problem(
                                "change.queue",
                                "b",
                                "must be a queue of pool gpus; this one is of pool default"));
    }

    private static Known known(@Nullable Sent sent, @Nullable String shownPool) {
        return new Known(sent, shownPool, false, POOLS, null);
    }

    private static Bulk bulk(String name, boolean wholePool, JobChange change) {
        return new Bulk(name, wholePool, Map.of(), null, change, NOON.plusSeconds(2));
    }

    private static PutQueue put(String name, String pool, int weight, int maxWaiting) {
        var settings =
                Settings.queue(q -> {
                    q.pool = pool;
                    q.weight = weight;
                    q.maxWaiting = maxWaiting;
                });
        return new PutQueue(name, settings, true, NOON.plusSeconds(2));
    }

    private static PutPool pool(String name, @Nullable Integer number) {
        return new PutPool(name, Settings.pool(p -> p.number = number));
    }
}
