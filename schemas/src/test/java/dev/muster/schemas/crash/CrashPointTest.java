package dev.muster.schemas.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashPointTest {
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger holds = new AtomicInteger();
    private @TempDir Path folder;
    private Path file;
    private Armed armed;

    @BeforeEach
    void nothingIsArmed() {
        file = folder.resolve("arm");
        armed = new Armed(file, ends::incrementAndGet, holds::incrementAndGet);
    }

    @Test
    void everyPointHasAServiceAndANameOfItsOwn() {
        assertThat(Stream.of(CrashPoint.values()).map(CrashPoint::service).distinct())
                .containsExactly("admission", "coordinator", "pod-manager", "watcher");
        assertThat(Stream.of(CrashPoint.values()).map(CrashPoint::id)).doesNotHaveDuplicates();
        assertThat(CrashPoint.POD_MANAGER_CARRIED_OUT.id()).isEqualTo("pod-manager.carried-out");
    }

    @Test
    void nothingHappensWithoutTheFile() {
        armed.passed(CrashPoint.WATCHER_SEEN, "a/b");

        assertThat(ends).hasValue(0);
    }

    @Test
    void processEndsAtTheNamedPassOfTheSubjectOnce() throws IOException {
        Files.writeString(file, "watcher.seen 2 a/b\n");

        armed.passed(CrashPoint.WATCHER_SEEN, "a/b");
        armed.passed(CrashPoint.WATCHER_DECIDED, "a/b");
        armed.passed(CrashPoint.WATCHER_SEEN, "a/c");
        assertThat(ends).hasValue(0);
        armed.passed(CrashPoint.WATCHER_SEEN, "a/b@0-17");
        assertThat(ends).hasValue(1);
        assertThat(file).doesNotExist();
        assertThat(folder.resolve("arm" + Armed.DONE)).hasContent("watcher.seen 2 a/b");
    }

    @Test
    void threadIsHeldWhereThatIsAskedFor() throws IOException {
        Files.writeString(file, "watcher.seen 1 a/b hold");

        armed.passed(CrashPoint.WATCHER_SEEN, "a/b");
        armed.passed(CrashPoint.WATCHER_SEEN, "a/b");

        assertThat(holds).hasValue(1);
        assertThat(ends).hasValue(0);
    }

    @Test
    void countBeginsAnewWithAnotherLine() throws IOException {
        Files.writeString(file, "watcher.seen 2 a/b");
        armed.passed(CrashPoint.WATCHER_SEEN, "a/b");
        Files.writeString(file, "watcher.seen 2 a/c");
        armed.passed(CrashPoint.WATCHER_SEEN, "a/c");

        assertThat(ends).hasValue(0);
    }

    @Test
    void endOfATransactionIsAboutAllThatWasInIt() throws IOException {
        Files.writeString(file, "coordinator.committed 1 a/b");

        armed.passed(CrashPoint.COORDINATOR_TAKEN, "a/b");
        armed.passed(CrashPoint.COORDINATOR_TAKEN, "a/c");
        armed.passed(CrashPoint.COORDINATOR_COMMITTING, "");
        assertThat(ends).hasValue(0);
        armed.passed(CrashPoint.COORDINATOR_COMMITTED, "");
        assertThat(ends).hasValue(1);
    }

    @Test
    void transactionAfterThatIsAboutItsOwn() throws IOException {
        Files.writeString(file, "coordinator.committed 2 a/b");

        armed.passed(CrashPoint.COORDINATOR_TAKEN, "a/b");
        armed.passed(CrashPoint.COORDINATOR_COMMITTED, "");
        armed.passed(CrashPoint.COORDINATOR_TAKEN, "a/c");
        armed.passed(CrashPoint.COORDINATOR_COMMITTED, "");

        assertThat(ends).hasValue(0);
    }

    @Test
    void thereIsNoneWithoutTheFlagAndNoneInAPod() {
        assertThat(Armed.of(null, null)).isNull();
        assertThat(Armed.of("arm", "10.0.0.1")).isNull();
        assertThat(Armed.of("arm", null)).isNotNull();
    }

    @Test
    void testsOfThisModuleAreNotArmed() {
        assertThat(Armed.OF_THIS_JVM).isNull();
        CrashPoint.WATCHER_SEEN.pass("a/b");
    }
}
