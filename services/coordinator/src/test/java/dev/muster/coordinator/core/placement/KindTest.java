package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of one core each: how many of them each node takes, and which are nearest to their need. */
class KindTest {
    private static final Shape.Part CORE = part(1);

    private final Rooms rooms = new Rooms();
    private final Kinds kinds = new Kinds(rooms);

    @BeforeEach
    void twoNodesAreThere() {
        rooms.put(node("a", 3));
        rooms.put(node("b", 5));
    }

    @Test
    void nodeWithTheLeastToSpareIsFoundThoughAnotherHadLessBefore() {
        assertThat(kind().leastToSpare(3)).isEqualTo(id("a"));
        rooms.occupy("a", cpu(1));
        assertThat(kind().leastToSpare(2)).isEqualTo(id("a"));
        assertThat(kind().leastToSpare(3)).isEqualTo(id("b"));
        assertThat(kind().leastToSpare(6)).isEqualTo(Kind.NOT_AT_ONCE);
        rooms.release("a", cpu(1));
        assertThat(kind().leastToSpare(3)).isEqualTo(id("a"));
    }

    @Test
    void podsThatKeepApartNeedANodeEach() {
        assertThat(kind().hasRoomFor(8, false)).isTrue();
        assertThat(kind().hasRoomFor(9, false)).isFalse();
        assertThat(kind().hasRoomFor(2, true)).isTrue();
        assertThat(kind().hasRoomFor(3, true)).isFalse();
        rooms.occupy("a", cpu(3));
        assertThat(kind().hasRoomFor(2, true)).isFalse();
    }

    @Test
    void distanceIsWhatIsLackingInThousandthsOfTheNeed() {
        var distances = kinds.distances(View.NOW, part(8));
        assertThat(distances.of(id("a"))).isEqualTo(1L << 48 | 625);
        assertThat(distances.of(id("b"))).isEqualTo(1L << 48 | 375);
        rooms.occupy("b", cpu(5));
        assertThat(kinds.distances(View.NOW, part(8)).of(id("b"))).isEqualTo(1L << 48 | 1000);
    }

    @Test
    void nameOfARoomOfWhichNothingIsSaidIsFreeForAnother() {
        int count = rooms.count();
        rooms.occupy("gone", cpu(1));
        rooms.release("gone", cpu(1));
        rooms.occupy("other", cpu(1));
        rooms.release("other", cpu(1));
        assertThat(rooms.count()).isEqualTo(count + 1);
        rooms.occupy("gone", cpu(1));
        rooms.occupy("other", cpu(1));
        assertThat(rooms.count()).isEqualTo(count + 2);
    }

    @Test
    void whatIsKnownOfKindsIsDroppedOnceItIsTooMuch() {
        var first = kind();
        int kept = 1;
        while (!kinds.areTooMany()) {
            kinds.of(View.NOW, part(++kept));
        }
        assertThat(kept).isEqualTo(8193);
        kinds.drop();
        assertThat(kinds.areTooMany()).isFalse();
        assertThat(kind()).isNotSameAs(first);
    }

    /** Of each distance its kind is kept, too. */
    @Test
    void whatIsKnownOfDistancesCountsThrice() {
        int kept = 0;
        while (!kinds.areTooMany()) {
            kinds.distances(View.NOW, part(++kept));
        }
        assertThat(kept).isEqualTo(2731);
    }

    /** What nodes of a filter have in all is kept of each, whatever pods ask for. */
    @Test
    void whatIsKnownOfStocksCountsTwentyTimes() {
        for (int i = 0; i < 409; i++) {
            stock(i);
        }
        assertThat(kinds.areTooMany()).isFalse();
        stock(409);
        assertThat(kinds.areTooMany()).isTrue();
    }

    private Kind kind() {
        return kinds.of(View.NOW, CORE);
    }

    private int id(String node) {
        for (int id : rooms.nodes()) {
            if (rooms.get(id).name.equals(node)) {
                return id;
            }
        }
        throw new IllegalArgumentException(node);
    }

    private void stock(int rack) {
        var labels = new TreeMap<>(Map.of("rack", "r" + rack));
        kinds.stock(NodeFilter.of(labels, List.of(), List.of()));
    }

    private static Shape.Part part(long cores) {
        return Fixtures.shape(workers(1, cores)).parts().getFirst();
    }
}
