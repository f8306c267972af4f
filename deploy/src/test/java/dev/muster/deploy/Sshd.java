package dev.muster.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.server.config.keys.AuthorizedKeysAuthenticator;
import org.apache.sshd.server.shell.ProcessShellFactory;

/**
 * An sshd for machines that have none: it takes OpenSSH's arguments as far as workers use them, and
 * obeys those that say where it listens, what it shows and whom it lets in. Of its settings file it
 * reads nothing.
 */
public final class Sshd {
    private static final String OPTION = "-o";

    private Sshd() {}

    /** Ends with its process. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var given = given(List.of(arguments));
        var server = SshServer.setUpDefaultServer();
        server.setHost(given.get("ListenAddress"));
        server.setPort(Integer.parseInt(given.get("-p")));
        server.setKeyPairProvider(new FileKeyPairProvider(Path.of(given.get("-h"))));
        server.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
        server.setPublickeyAuthenticator(
                new AuthorizedKeysAuthenticator(Path.of(given.get("AuthorizedKeysFile"))));
        server.setCommandFactory((channel, command) ->
                new ProcessShellFactory(command, "sh", "-c", command).createShell(channel));
        server.start();
        new CountDownLatch(1).await();
    }

    /** By flag, and by name where that is {@code -o}. */
    private static Map<String, String> given(List<String> arguments) {
        var given = new HashMap<String, String>();
        for (int i = 0; i + 1 < arguments.size(); i++) {
            var value = arguments.get(i + 1);
            if (arguments.get(i).equals(OPTION)) {
                var named = value.split("=", 2);
                given.put(named[0], named[1]);
            } else {
                given.put(arguments.get(i), value);
            }
        }
        return given;
    }

    /** A program {@code sshd} in this folder, which runs this one. */
    static void install(Path folder) throws IOException {
        var program =
                """
                #!/bin/sh
                exec '%s/bin/java' -XX:TieredStopAtLevel=1 -cp '%s' %s "$@"
                """
                        .formatted(
                                System.getProperty("java.home"),
                                System.getProperty("java.class.path"),
                                Sshd.class.getName());
        var file = Files.writeString(folder.resolve("sshd"), program);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
