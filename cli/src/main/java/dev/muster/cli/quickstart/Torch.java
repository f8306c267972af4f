package dev.muster.cli.quickstart;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Whether the machine's python3, which runs the examples, has torch. */
public final class Torch {
    private Torch() {}

    /** Tries it. */
    public static boolean isThere() {
        try {
            var python =
                    new ProcessBuilder("python3", "-c", "import torch.distributed")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!python.waitFor(60, TimeUnit.SECONDS)) {
                python.destroyForcibly();
                return false;
            }
            return python.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
