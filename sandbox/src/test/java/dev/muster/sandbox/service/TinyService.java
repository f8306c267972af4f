package dev.muster.sandbox.service;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/** A service that has an address and health, and nothing else. */
@SpringBootApplication
public class TinyService {
    /** The sandbox's own libraries are many, and would only take time. */
    private static final Predicate<String> NEEDLESS =
            Pattern.compile("/(io/fabric8|org/apache/kafka|org/junit|org/assertj)/").asPredicate();

    public static void main(String[] arguments) {
        SpringApplication.run(TinyService.class, arguments);
    }

    /** Packs it as the build packs Muster's services, with the libraries of this test run. */
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
                        if (path.endsWith(".jar") && !NEEDLESS.test(path)) {
                            libraries.library(new Library(new File(path), LibraryScope.RUNTIME));
                        }
                    }
                });
        return packed;
    }
}
