package dev.muster.sandbox.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Scripts that stand where Go is looked for. */
final class StubGo {
    private StubGo() {}

    /** Writes what it was asked for into each program that it was asked for. */
    static Path thatBuilds(Path folder) throws IOException {
        return script(
                folder,
                """
                #!/bin/sh
                for word; do
                  case $word in
                    */unfinished/) target=$word ;;
                    k8s.io/*) echo "$*" >"$target${word##*/}" ;;
                  esac
                done
                """);
    }

    /**
     * Writes the process of its compiler into the file {@code compiler.pid} beside it, and works
     * for a minute.
     */
    static Path thatTakesLong(Path folder) throws IOException {
        return script(
                folder,
                """
                #!/bin/sh
                sleep 60 &
                echo $! >"${0%/*}/compiler.pid"
                wait
                """);
    }

    private static Path script(Path folder, String text) throws IOException {
        var go = Files.writeString(folder.resolve("go"), text);
        if (!go.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + go + " executable");
        }
        return go;
    }
}
