package dev.muster.podmanager.kubernetes;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Questions that cost about the same whether one is asked or many: what comes while others are
 * being answered is asked together afterwards. A question that comes alone is asked at once.
 *
 * @param <Q> a question
 * @param <A> what is answered
 */
final class SharedAnswers<Q, A> {
    /** Answers some questions; one that is not answered is answered by null. */
    @FunctionalInterface
    interface Asking<Q, A> {
        Map<Q, A> ask(Set<Q> questions) throws IOException;
    }

    private final Asking<Q, A> asking;
    private final int most;

    /** Held by whoever asks for a round. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private @Nullable Round<Q, A> open;

    /** What is asked together; read and written by whose turn it is, but for the questions. */
    private static final class Round<Q, A> {
        private final Set<Q> questions = new LinkedHashSet<>();
        private @Nullable Map<Q, A> answers;
        private @Nullable IOException failed;
    }

    /**
     * @param most that are asked at a time
     */
    SharedAnswers(Asking<Q, A> asking, int most) {
        this.asking = asking;
        this.most = most;
    }

    /**
     * The answer, which was begun after this call; may be called from many threads.
     *
     * @throws IOException when the question could not be answered; those that were asked with it
     *     fail alike
     */
    @Nullable A ask(Q question) throws IOException {
        var round = join(question);
        turn.lock();
        try {
            if (round.answers == null && round.failed == null) {
                answer(round);
            }
        } finally {
            turn.unlock();
        }
        if (round.failed != null) {
            throw round.failed;
        }
        return round.answers == null ? null : round.answers.get(question);
    }

    private void answer(Round<Q, A> round) {
        try {
            round.answers = asking.ask(close(round));
        } catch (IOException e) {
            round.failed = e;
        }
    }

    private synchronized Round<Q, A> join(Q question) {
        if (open == null || open.questions.size() >= most) {
            open = new Round<>();
        }
        open.questions.add(question);
        return open;
    }

    /** Nobody joins it any more. */
    private synchronized Set<Q> close(Round<Q, A> round) {
        if (open == round) {
            open = null;
        }
        return round.questions;
    }

    /** For tests: how many wait for an answer, besides the one that asks. */
    int waiting() {
        return turn.getQueueLength();
    }
}
