package dev.muster.watcher;

import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands in front of the API server, and can break every connection that leads through it. */
public final class CuttableApiServer implements AutoCloseable {
    private final URI behind =
            URI.create(Config.fromKubeconfig(TestParts.kubeconfig().toFile()).getMasterUrl());
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isAway;

    public CuttableApiServer() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    /** A kubeconfig that leads here, with the same login. */
    public Path kubeconfig(Path file) throws IOException {
        var here = "server: https://127.0.0.1:" + server.getLocalPort();
        var text = Files.readString(TestParts.kubeconfig()).replaceAll("server: .*", here);
        return Files.writeString(file, text);
    }

    /** Breaks what is open; whoever asks again is heard. */
    public void cut() {
        open.forEach(CuttableApiServer::close);
    }

    /** Breaks what is open, and all that comes until {@link #comesBack}. */
    public void goesAway() {
        isAway = true;
        cut();
    }

    public void comesBack() {
        isAway = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var client = server.accept();
                if (isAway) {
                    client.close();
                } else {
                    join(client, new Socket(behind.getHost(), behind.getPort()));
                }
            } catch (IOException e) {
                // The next one may be luckier.
            }
        }
    }

    private void join(Socket client, Socket api) {
        open.add(client);
        open.add(api);
        Thread.ofVirtual().start(() -> pass(client, api));
        Thread.ofVirtual().start(() -> pass(api, client));
        if (isAway) {
            cut();
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side has closed it, or it was cut.
        } finally {
            open.remove(from);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        goesAway();
    }
}
