package dev.muster.coordinator.core.model;

/**
 * What is wrong with one field of a request.
 *
 * @param path where, as in {@code spec.limit.cpu}
 * @param given what was given, as users write it; empty where that says nothing
 * @param message what is wrong, one sentence, which follows the path
 */
public record Fault(String path, String given, String message) {
    public String sentence() {
        return path + " " + message;
    }
}
