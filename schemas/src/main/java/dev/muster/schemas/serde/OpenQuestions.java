package dev.muster.schemas.serde;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * The registry for callers in a hurry: a question goes on after its caller has given up, and who
 * asks it again finds the answer. However many questions are open, their callers wait once.
 */
final class OpenQuestions implements AutoCloseable {
    /** Once the hurry is used up a caller now and then waits for this part of it: nobody spins. */
    private static final int RESTS = 30;

    /**
     * A refusal for which records wait holds for so long for all that ask the same: many may, each
     * anew.
     */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final RegistryEndpoints endpoints;
    private final Duration hurry;
    private final LongSupplier nanoTime;
    private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();

    /** The oldest first. */
    private final Map<Question, Asked> open = new LinkedHashMap<>();

    private final Map<Question, Refusal> refusals = new LinkedHashMap<>();

    /** Until when the last caller waits that does. */
    private long waited;

    private record Question(String path, @Nullable String body) {}

    private record Asked(Future<HttpResponse<String>> answer, long since) {}

    private record Refusal(HttpResponse<String> answer, long since) {}

    /**
     * @param hurry how long the oldest open question is waited for
     * @param nanoTime of the monotonic clock
     */
    OpenQuestions(RegistryEndpoints endpoints, Duration hurry, LongSupplier nanoTime) {
        this.endpoints = endpoints;
        this.hurry = hurry;
        this.nanoTime = nanoTime;
        waited = nanoTime.getAsLong();
    }

    /**
     * Asks, or asks no more than is asked already.
     *
     * @throws RegistryUnavailableException when there is no answer yet, or none at all
     */
    HttpResponse<String> ask(String path, @Nullable String body) {
        var question = new Question(path, body);
        var refusal = refusal(question);
        if (refusal != null) {
            return refusal.answer();
        }
        var asked = asked(question);
        try {
            var answer = asked.answer().get(patience().toNanos(), TimeUnit.NANOSECONDS);
            forget(question, asked);
            if (!RegistryClient.isNotAskedAgain(answer)) {
                remember(question, answer);
            }
            return answer;
        } catch (TimeoutException e) {
            throw endpoints.unavailable("no answer yet to " + path, null);
        } catch (ExecutionException e) {
            forget(question, asked);
            throw e.getCause() instanceof RuntimeException why
                    ? why
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private synchronized @Nullable Refusal refusal(Question question) {
        long now = nanoTime.getAsLong();
        refusals.values().removeIf(refusal -> now - refusal.since() >= REFUSED.toNanos());
        return refusals.get(question);
    }

    private synchronized void remember(Question question, HttpResponse<String> answer) {
        refusals.put(question, new Refusal(answer, nanoTime.getAsLong()));
    }

    private synchronized Asked asked(Question question) {
        return open.computeIfAbsent(
                question,
                _ -> {
                    var answer =
                            asking.submit(() -> endpoints.ask(question.path(), question.body()));
                    return new Asked(answer, nanoTime.getAsLong());
                });
    }

    /** How long the caller waits that asks now; the next ones may wait less for that. */
    synchronized Duration patience() {
        long now = nanoTime.getAsLong();
        long oldest =
                open.values().stream()
                        .filter(asked -> !asked.answer().isDone())
                        .mapToLong(Asked::since)
                        .findFirst()
                        .orElse(now);
        var left = hurry.minusNanos(now - oldest);
        var rest = hurry.dividedBy(RESTS);
        if (left.compareTo(rest) < 0) {
            if (now - waited < rest.toNanos()) {
                return Duration.ZERO;
            }
            left = rest;
        }
        waited = now + left.toNanos();
        return left;
    }

    private synchronized void forget(Question question, Asked asked) {
        open.remove(question, asked);
    }

    /** After its endpoints, so that no question goes on. */
    @Override
    public void close() {
        asking.shutdownNow();
    }
}
