package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorldTest {
    @Test
    void whatIsRareComesAlsoByItself() {
        var kinds = LongStream.range(0, 128).mapToObj(seed -> World.of(seed).kinds()).toList();

        assertThat(kinds)
                .contains(Set.of("StrangerChance"), Set.of("ClassChance"), Set.of("SpotChance"))
                .contains(Set.of("ReplacedChance"), Set.of("QuotaChance"), Set.of("ShardChance"))
                .contains(Set.of("HinderedChance"), Set.of("SacrificeChance"), Set.of());
    }
}
