package dev.muster.sandbox.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Keeps processes that end with this JVM, however that ends, on ports that happen to be free. */
public final class UntilJvmEnds implements Keeper {
    private final ConcurrentLinkedDeque<PartProcess> processes = new ConcurrentLinkedDeque<>();
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();

    @Override
    public void keep(PartProcess process) {
        Watchdog.get().killAfterwards(process.pid());
        processes.add(process);
        var _ =
                ProcessHandle.of(process.pid())
                        .map(handle -> handle.onExit().thenRun(() -> forget(process)));
    }

    private void forget(PartProcess process) {
        Watchdog.get().forget(process.pid());
        processes.remove(process);
    }

    @Override
    public List<PartProcess> running() {
        return processes.stream().filter(PartProcess::alive).toList();
    }

    @Override
    public int port(String part, String use) {
        return ports.computeIfAbsent(part + "." + use, _ -> Ports.free());
    }
}
