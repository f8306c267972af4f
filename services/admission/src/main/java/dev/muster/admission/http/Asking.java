package dev.muster.admission.http;

import dev.muster.admission.AdmissionConfig;
import dev.muster.admission.core.Problem;
import dev.muster.admission.core.Validation;
import dev.muster.schemas.Topic;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.v1.Envelope;
import dev.muster.v1.RequestResult;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.HashMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/** Puts a question on its topic and waits for the answer. */
@Component
final class Asking implements DisposableBean {
    /** How long a question may take to be written down, in milliseconds. */
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Producer<String, byte[]> producer;
    private final AvroSerializer<SpecificRecord> writer = new AvroSerializer<>();
    private final ExistingTopics topics;
    private final Answers answers;
    private final AdmissionConfig config;
    private final Actors actors;
    private final HttpServletRequest http;
    private final Clock clock = Clock.systemUTC();

    /**
     * @param http whichever request the calling thread answers
     */
    Asking(
            KafkaProperties kafka,
            Answers answers,
            AdmissionConfig config,
            Actors actors,
            HttpServletRequest http) {
        this.answers = answers;
        this.config = config;
        this.actors = actors;
        this.http = http;
        var settings = new HashMap<String, Object>(kafka.buildProducerProperties());
        settings.putIfAbsent(RegistryConfig.WAIT, TIMEOUT_MILLIS);
        writer.configure(settings, false);
        topics = new ExistingTopics(kafka.buildAdminProperties(), TIMEOUT_MILLIS);
        producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }

    /**
     * @throws Actors.UnusableException when it is said by whom, and that is no name
     */
    Envelope envelope(String requestId) {
        return Envelope.newBuilder()
                .setId(UUID.randomUUID().toString())
                .setAt(clock.instant())
                .setActor(actors.of(http))
                .setRequestId(requestId)
                .build();
    }

    /**
     * The question as it will stand in the log.
     *
     * @throws UnavailableException when the registry does not answer
     */
    byte[] written(Topic<?> topic, SpecificRecord question) {
        try {
            return writer.serialize(topic.name(), question);
        } catch (KafkaException e) {
            throw new UnavailableException("the schema registry does not take the request", e);
        }
    }

    /**
     * @return null: no answer in time; there will be one
     * @throws TooLargeException when nobody would take it in
     * @throws UnavailableException when the question could not be written down
     */
    @Nullable RequestResult ask(Topic<?> topic, String key, String requestId, byte[] question) {
        TooLargeException.check(question, requestId);
        requireThere(topic);
        CrashPoint.ADMISSION_ASKED.pass(key);
        try (var ticket = answers.expect(key, requestId)) {
            producer.send(new ProducerRecord<>(topic.name(), key, question))
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            CrashPoint.ADMISSION_WRITTEN.pass(key);
            return ticket.await(config.answerTimeout());
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new UnavailableException("Kafka does not take the request", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("admission is stopping", e);
        }
    }

    /**
     * Puts down what nobody answers.
     *
     * @throws TooLargeException when nobody would take it in
     * @throws UnavailableException when it could not be written down
     */
    void tell(Topic<?> topic, String key, String requestId, SpecificRecord said) {
        var written = written(topic, said);
        TooLargeException.check(written, requestId);
        requireThere(topic);
        try {
            producer.send(new ProducerRecord<>(topic.name(), key, written))
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new UnavailableException("Kafka does not take it", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("admission is stopping", e);
        }
    }

    private void requireThere(Topic<?> topic) {
        try {
            topics.require(topic);
        } catch (ExecutionException | KafkaException e) {
            throw new UnavailableException("topic " + topic.name() + " is not there", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("admission is stopping", e);
        }
    }

    @Override
    public void destroy() {
        producer.close();
        writer.close();
    }

    /** Larger than what admission takes in. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Problem problem;
        private final String requestId;

        private TooLargeException(Problem problem, String requestId) {
            super(problem.message());
            this.problem = problem;
            this.requestId = requestId;
        }

        private static void check(byte[] written, String requestId) {
            var problem = Validation.sizeProblem(written.length);
            if (problem != null) {
                throw new TooLargeException(problem, requestId);
            }
        }

        Problem problem() {
            return problem;
        }

        String requestId() {
            return requestId;
        }
    }

    /** What admission itself needs is not there; trying again with the same key is safe. */
    static final class UnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnavailableException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
