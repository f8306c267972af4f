package dev.muster.sandbox.process;

import java.util.List;
import java.util.Optional;

/** Knows the processes of one place, and sees to it that none is forgotten. */
public interface Keeper {
    /** Remembers a process. It does nothing before this returns, so it cannot be lost. */
    void keep(PartProcess process);

    /** All that were started here and run now, the oldest first. */
    List<PartProcess> running();

    /** The process of this part that runs now. */
    default Optional<PartProcess> running(String part) {
        return running().stream().filter(process -> process.part().equals(part)).findFirst();
    }

    /**
     * The port that the part has for this use, or gets now.
     *
     * @throws PartFailedException when the part does not run and another process has its port
     */
    int port(String part, String use);
}
