package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static final List<Set<String>> KINDS =
            LongStream.range(0, World.PERIOD).mapToObj(seed -> World.of(seed).kinds()).toList();

    private static final TreeSet<String> PIECES =
            KINDS.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));

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
}
