package dev.muster.podmanager.core;

/**
 * One submission of a job.
 *
 * @param uid partition and offset of its request, as in {@code 3-4711}
 */
public record Submission(JobName job, String uid) {
    public Submission {
        offsetOf(uid);
    }

    /** Of one name only this is compared: larger is newer. */
    public long offset() {
        return offsetOf(uid);
    }

    /**
     * @throws IllegalArgumentException when {@code uid} is no uid
     */
    static long offsetOf(String uid) {
        int dash = uid.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("not a uid: " + uid);
        }
        try {
            return Long.parseLong(uid, dash + 1, uid.length(), 10);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a uid: " + uid, e);
        }
    }

    /** As the key of the topics: {@code namespace/name@uid}. */
    @Override
    public String toString() {
        return job + "@" + uid;
    }
}
