package dev.muster.cli.command;

import static java.util.stream.Collectors.joining;

import dev.muster.cli.text.Words;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A policy by the name that pools give it. */
final class PolicyName implements ITypeConverter<QueuePolicy> {
    @Override
    public QueuePolicy convert(String text) {
        return Arrays.stream(QueuePolicy.values())
                .filter(policy -> Words.constant(policy).equalsIgnoreCase(text.replace("_", "")))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException(
                                "'%s' is no policy: known are %s".formatted(text, all())));
    }

    private static String all() {
        return Arrays.stream(QueuePolicy.values()).map(Words::constant).collect(joining(", "));
    }
}
