package dev.muster.sandbox.service;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/**
 * A service that has an address and health, and nothing else: no Spring, which takes seconds to
 * start. It needs a library, which its jar must bring, beside those that take such a jar apart.
 */
public final class TinyService {
    private static final String PORT = "--server.port=";
    private static final Predicate<String> LIBRARY =
            Pattern.compile("/(slf4j|spring-core|commons-logging)-[^/]*[.]jar$").asPredicate();

    private TinyService() {}

    public static void main(String[] arguments) throws IOException {
        var port =
                Stream.of(arguments)
                        .filter(argument -> argument.startsWith(PORT))
                        .map(argument -> Integer.parseInt(argument.substring(PORT.length())))
                        .findFirst()
                        .orElseThrow();
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var server = HttpServer.create(address, 0);
        server.createContext(
                "/actuator/health",
                exchange -> {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        server.start();
        LoggerFactory.getLogger(TinyService.class).info("it serves");
    }

    /** Packs it as the build packs Muster's services. */
    static Path pack(Path folder, String build) throws IOException {
        var plain = folder.resolve("tiny.jar");
        var name = TinyService.class.getName().replace('.', '/') + ".class";
        try (var jar = new JarOutputStream(Files.newOutputStream(plain));
                var bytes = TinyService.class.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new JarEntry(name));
            bytes.transferTo(jar);
            jar.closeEntry();
            jar.putNextEntry(new JarEntry("build"));
            jar.write(build.getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }
        var packed = folder.resolve("tiny-exec.jar");
        var repackager = new Repackager(plain.toFile());
        repackager.setMainClass(TinyService.class.getName());
        repackager.repackage(
                packed.toFile(),
                libraries -> {
                    var all = System.getProperty("java.class.path").split(File.pathSeparator);
                    for (var path : all) {
                        if (LIBRARY.test(path)) {
                            libraries.library(new Library(new File(path), LibraryScope.RUNTIME));
                        }
                    }
                });
        return packed;
    }
}
