package dev.muster.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProgressIT {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch reported = new CountDownLatch(1);

    private final Progress progress =
            new Progress() {
                @Override
                public void running(String step, long seconds) {
                    heard.add("running " + step);
                    reported.countDown();
                }

                @Override
                public void ended(String step, long seconds) {
                    heard.add("ended " + step);
                }
            };

    @Test
    void longWorkIsReportedWhileItLastsAndAtItsEnd() {
        var result = progress.during("long", this::waitForTheReport);
        assertThat(result).isEqualTo("done");
        assertThat(heard).startsWith("running long").endsWith("ended long");
    }

    @Test
    void shortWorkIsSilent() {
        assertThat(progress.during("short", () -> "done")).isEqualTo("done");
        assertThat(heard).isEmpty();
    }

    private String waitForTheReport() {
        try {
            reported.await();
            return "done";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
