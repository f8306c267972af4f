package dev.muster.admission.http;

import dev.muster.v1.Envelope;
import dev.muster.v1.TrainingMetrics;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One sample of how fast a job trains, as a script writes it: a JSON object of numbers. */
final class SpeedForm {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<String> FIELDS =
            new TreeSet<>(
                    List.of(
                            "step",
                            "epoch",
                            "attempt",
                            "incarnation",
                            "workers",
                            "secondsPerStep",
                            "samplesPerSecond",
                            "secondsPerBatch"));
    private static final BigDecimal MILLION = new BigDecimal(1_000_000);
    private static final BigDecimal THOUSAND = new BigDecimal(1_000);

    private final JsonNode said;
    private final List<Replies.Said> problems = new ArrayList<>();

    private SpeedForm(JsonNode said) {
        this.said = said;
    }

    /** One of both is empty. */
    record Result(@Nullable TrainingMetrics metrics, List<Replies.Said> problems) {}

    static Result read(String body, String namespace, String name, Envelope.Builder envelope) {
        try {
            var form = new SpeedForm(JSON.readTree(body));
            return form.read(namespace, name, envelope);
        } catch (JacksonException e) {
            return new Result(
                    null, List.of(new Replies.Said("", "", "must be a JSON object of numbers")));
        }
    }

    private Result read(String namespace, String name, Envelope.Builder envelope) {
        if (!said.isObject()) {
            problems.add(new Replies.Said("", "", "must be a JSON object of numbers"));
            return new Result(null, problems);
        }
        for (var field : said.propertyNames()) {
            if (!FIELDS.contains(field)) {
                problems.add(
                        new Replies.Said(
                                field, "", "is not known; known are " + String.join(", ", FIELDS)));
            }
        }
        var step = number("step", BigDecimal.ONE);
        if (step == null && !said.has("step")) {
            problems.add(new Replies.Said("step", "", "must be set"));
        }
        var metrics =
                TrainingMetrics.newBuilder()
                        .setEnvelope(envelope.setAttempt(small("attempt")).build())
                        .setNamespace(namespace)
                        .setName(name)
                        .setStep(step == null ? 0 : step)
                        .setEpoch(number("epoch", BigDecimal.ONE))
                        .setIncarnation(small("incarnation"))
                        .setWorkers(small("workers"))
                        .setStepMicros(number("secondsPerStep", MILLION))
                        .setSamplesPerSecondThousandths(number("samplesPerSecond", THOUSAND))
                        .setBatchMicros(number("secondsPerBatch", MILLION))
                        .build();
        return problems.isEmpty()
                ? new Result(metrics, List.of())
                : new Result(null, List.copyOf(problems));
    }

    private @Nullable Integer small(String field) {
        var number = number(field, BigDecimal.ONE);
        if (number != null && number != number.intValue()) {
            problems.add(new Replies.Said(field, number.toString(), "is too large"));
            return null;
        }
        return number == null ? null : number.intValue();
    }

    private @Nullable Long number(String field, BigDecimal unit) {
        var value = said.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isNumber()) {
            problems.add(new Replies.Said(field, value.toString(), "must be a number"));
            return null;
        }
        var exact = value.decimalValue().multiply(unit);
        if (exact.abs().compareTo(new BigDecimal(Long.MAX_VALUE)) > 0) {
            problems.add(new Replies.Said(field, value.toString(), "is too large"));
            return null;
        }
        return exact.longValue();
    }
}
