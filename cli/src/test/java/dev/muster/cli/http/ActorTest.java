package dev.muster.cli.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActorTest {
    @Test
    void isWhatAdmissionTakes() {
        assertThat(Actor.of("alice", "desk-7")).isEqualTo("alice@desk-7");
        assertThat(Actor.of("ren\u00e9", "desk\t7")).isEqualTo("ren?@desk?7");
        assertThat(Actor.of("a".repeat(300), "desk")).hasSize(253);
        assertThat(Actor.HERE).contains("@").matches("[ -~]+");
    }
}
