package dev.muster.sandbox.kafka;

import dev.muster.sandbox.process.ClassArchive;
import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.MavenFiles;
import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a program of the broker's is run. */
final class BrokerJava {
    private static final String LOG4J =
            """
            status = error
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %d{HH:mm:ss.SSS} %-5p %c{1.} %m%n
            rootLogger.level = warn
            rootLogger.appenderRef.out.ref = out
            logger.server.name = kafka.server
            logger.server.level = info
            """;

    private BrokerJava() {}

    /**
     * The command line.
     *
     * @param folder takes the configuration of its log
     * @param flags for the JVM, which prevail over the usual ones
     */
    static List<String> command(Path folder, List<String> flags, String main, String... arguments) {
        var log4j = folder.resolve("log4j2.properties");
        try {
            Files.writeString(log4j, LOG4J);
        } catch (IOException e) {
            throw new PartFailedException("cannot write " + log4j + ": " + e.getMessage(), e);
        }
        var command = new ArrayList<String>();
        command.add(Executables.java().toString());
        command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(flags);
        command.addAll(ClassArchive.flags(classes(main), MavenFiles.kafka()));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dlog4j2.configurationFile=" + log4j);
        command.addAll(List.of("-cp", MavenFiles.kafka(), main));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path classes(String main) {
        return MadeOnce.cache().resolve("classes").resolve(main + ".jsa");
    }
}
