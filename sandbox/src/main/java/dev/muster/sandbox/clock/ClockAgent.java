package dev.muster.sandbox.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sets the clock of its JVM, and of nobody else, by so many milliseconds as stand in a file, at any
 * moment: all classes that read the wall clock read {@link WallClock} instead.
 */
public final class ClockAgent {
    private static final List<String> CALLS = List.of("java/lang/System.currentTimeMillis()J");

    /** Of the class in which the JDK makes the current instant. */
    private static final List<String> MAKING =
            List.of("java/time/Instant.ofEpochSecond(JJ)Ljava/time/Instant;");

    private static final long LOOK_MILLIS = 20;

    private ClockAgent() {}

    /**
     * Called by the JVM before its main method.
     *
     * @param file whose content is read again and again; where it is not there, the clock is right
     */
    public static void premain(String file, Instrumentation jvm)
            throws ReflectiveOperationException, UnmodifiableClassException {
        jvm.addTransformer(new Redirecting(), true);
        jvm.retransformClasses(
                Clock.class, Class.forName("java.time.Clock$SystemClock"), Date.class);
        var thread = new Thread(() -> follow(Path.of(file)), "clock");
        thread.setDaemon(true);
        thread.start();
    }

    private static void follow(Path file) {
        var never = new CountDownLatch(1);
        try {
            do {
                WallClock.set(read(file));
            } while (!never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long read(Path file) {
        try {
            return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Redirecting implements ClassFileTransformer {
        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (name == null || name.startsWith("dev/muster/sandbox/clock/")) {
                return null;
            }
            return Redirected.of(bytes, name.equals("java/time/Clock") ? MAKING : CALLS);
        }
    }
}
