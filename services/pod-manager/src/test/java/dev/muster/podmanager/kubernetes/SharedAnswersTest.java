package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
    /** Rounds that were asked for; the first waits until it is let go. */
    private final List<List<String>> rounds = new ArrayList<>();

    private final CountDownLatch firstBegan = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final SharedAnswers<String, Integer> together = new SharedAnswers<>(this::lengths, 3);

    private Map<String, Integer> lengths(Set<String> words) throws IOException {
        rounds.add(List.copyOf(words));
        if (rounds.size() == 1) {
            firstBegan.countDown();
            try {
                letGo.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        if (words.contains("bad")) {
            throw new IOException("no answer to bad");
        }
        var lengths = new HashMap<String, Integer>();
        words.forEach(word -> lengths.put(word, word.length()));
        return lengths;
    }

    @Test
    void whoAsksAloneIsAnsweredAtOnce() throws Exception {
        letGo.countDown();

        assertThat(together.ask("one")).isEqualTo(3);
        assertThat(together.ask("three")).isEqualTo(5);
        assertThat(rounds).containsExactly(List.of("one"), List.of("three"));
    }

    @Test
    void whatComesMeanwhileIsAskedTogether() throws Exception {
        var answers = askedWhileTheFirstWaits("b", "cc", "ddd");

        assertThat(answers).extracting(Future::get).containsExactly(1, 1, 2, 3);
        assertThat(rounds).hasSize(2).startsWith(List.of("a"));
        assertThat(rounds.getLast()).containsExactlyInAnyOrder("b", "cc", "ddd");
    }

    @Test
    void noMoreAreAskedAtATimeThanMay() throws Exception {
        var answers = askedWhileTheFirstWaits("b", "cc", "ddd", "eeee", "fffff");

        assertThat(answers).extracting(Future::get).containsExactly(1, 1, 2, 3, 4, 5);
        assertThat(rounds).hasSize(3).allMatch(round -> round.size() <= 3);
    }

    @Test
    void theSameQuestionIsAskedAgainForWhoeverComesAfterItsAnswerBegan() throws Exception {
        var answers = askedWhileTheFirstWaits("a");

        assertThat(answers).extracting(Future::get).containsExactly(1, 1);
        assertThat(rounds).containsExactly(List.of("a"), List.of("a"));
    }

    @Test
    void whatFailsFailsForThoseOfItsRoundAlone() throws Exception {
        var answers = askedWhileTheFirstWaits("bad", "cc");

        assertThat(answers.getFirst().get()).isEqualTo(1);
        for (var failed : answers.subList(1, 3)) {
            assertThatThrownBy(failed::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no answer to bad");
        }
        assertThat(together.ask("eeee")).isEqualTo(4);
    }

    /** The answers to "a", which waits until the others are there, and to them, in their order. */
    private List<Future<Integer>> askedWhileTheFirstWaits(String... others) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Integer>>();
            answers.add(threads.submit(asking("a")));
            firstBegan.await();
            for (var other : others) {
                int before = together.waiting();
                answers.add(threads.submit(asking(other)));
                while (together.waiting() == before) {
                    Thread.onSpinWait();
                }
            }
            letGo.countDown();
            return answers;
        }
    }

    private Callable<Integer> asking(String word) {
        return () -> {
            var answer = together.ask(word);
            return Objects.requireNonNull(answer);
        };
    }
}
