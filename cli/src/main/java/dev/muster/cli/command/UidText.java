package dev.muster.cli.command;

import dev.muster.schemas.Uid;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The uid of a submission, as answers and statuses have it. */
final class UidText implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
        try {
            return Uid.parse(text).toString();
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is no uid, as in 3-4711".formatted(text));
        }
    }
}
