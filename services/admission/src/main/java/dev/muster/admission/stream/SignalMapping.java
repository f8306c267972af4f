package dev.muster.admission.stream;

import dev.muster.admission.core.Signal;
import dev.muster.v1.JobSignal;
import dev.muster.v1.SignalHeard;

/** What a job says of itself, between contract and core. */
public final class SignalMapping {
    /** What people may read of it. */
    private static final int LONGEST_MESSAGE = 1024;

    private SignalMapping() {}

    /** Takes over everything; what is wrong with it the core says. */
    public static Signal toCore(JobSignal said) {
        return new Signal(
                Signal.Kind.valueOf(said.getKind().name()),
                said.getAnswers(),
                said.getRole(),
                said.getIndex());
    }

    static SignalHeard heard(JobSignal said) {
        var message = said.getMessage();
        return SignalHeard.newBuilder()
                .setKind(said.getKind())
                .setRole(said.getRole())
                .setIndex(said.getIndex())
                .setIncarnation(said.getIncarnation())
                .setAnswers(said.getAnswers())
                .setMessage(message.substring(0, Math.min(LONGEST_MESSAGE, message.length())))
                .build();
    }
}
