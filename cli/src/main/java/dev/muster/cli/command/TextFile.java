package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that a user names. */
final class TextFile {
    private TextFile() {}

    /**
     * @param name of the file; {@code -} is the standard input
     */
    static String read(String name) {
        try {
            if (name.equals("-")) {
                return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
            }
            return Files.readString(Path.of(name));
        } catch (NoSuchFileException e) {
            throw CommandFailedException.failed("there is no file " + name, e);
        } catch (CharacterCodingException e) {
            throw CommandFailedException.failed(name + " is not UTF-8 text", e);
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read " + name + ": " + e.getMessage(), e);
        }
    }
}
