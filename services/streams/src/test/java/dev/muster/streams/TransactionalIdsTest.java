package dev.muster.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransactionalIdsTest {
    private static final String TAKER = "app-00000000-0000-4000-8000-00000000000a-1";
    private static final String OTHER = "app-00000000-0000-4000-8000-00000000000b-1";
    private static final String ITS_NEXT = "app-00000000-0000-4000-8000-00000000000b-2";
    private static final String DEAD = "app-00000000-0000-4000-8000-0000000000dd-1";

    private final TransactionalIds ids = new TransactionalIds("app");

    @Test
    void idsOfThreadsOfTheApplicationAreItsOwn() {
        assertThat(ids.contain(DEAD)).isTrue();
        assertThat(ids.contain("app-of-others-00000000-0000-4000-8000-0000000000dd-1")).isFalse();
        assertThat(ids.contain("app-0_1")).isFalse();
        assertThat(ids.contain("other-00000000-0000-4000-8000-0000000000dd-1")).isFalse();
    }

    @ParameterizedTest
    @MethodSource
    void leftIsWhatNoMemberWorksOn(Set<String> open, List<MemberDescription> members, Left left) {
        assertThat(ids.left(open, members, TAKER)).isEqualTo(left);
    }

    static Stream<Arguments> leftIsWhatNoMemberWorksOn() {
        var taker = member(TransactionalIds.told("app-consumer", TAKER));
        var other = member(TransactionalIds.told("named/by-its-operator", OTHER));
        var silent = member("app-consumer");
        var back = returned(TransactionalIds.told("app-consumer", OTHER));
        return Stream.of(
                argumentSet("a dead one's", Set.of(DEAD), List.of(taker, other), these(DEAD)),
                argumentSet("a living one's", Set.of(OTHER), List.of(taker, other), these()),
                argumentSet(
                        "of a living one's other thread",
                        Set.of(ITS_NEXT, DEAD, OTHER),
                        List.of(taker, other),
                        these(ITS_NEXT, DEAD)),
                argumentSet("the taker is gone itself", Set.of(DEAD), List.of(other), these()),
                argumentSet("nobody is there", Set.of(DEAD), List.of(), these()),
                argumentSet(
                        "somebody tells nothing",
                        Set.of(DEAD, OTHER),
                        List.of(taker, silent),
                        new Left.Unknown("app-consumer")),
                argumentSet(
                        "somebody tells nothing, and nothing is left",
                        Set.of(TAKER),
                        List.of(taker, silent),
                        these()),
                argumentSet(
                        "somebody may tell what it was before",
                        Set.of(DEAD),
                        List.of(taker, back),
                        new Left.Unknown(back.clientId())));
    }

    private static Left these(String... ids) {
        return new Left.These(List.of(ids));
    }

    private static MemberDescription member(String clientId) {
        return member(clientId, Optional.empty());
    }

    private static MemberDescription returned(String clientId) {
        return member(clientId, Optional.of("its-place"));
    }

    private static MemberDescription member(String clientId, Optional<String> instance) {
        return new MemberDescription(
                clientId + "-0", instance, clientId, "host", new MemberAssignment(Set.of()));
    }
}
