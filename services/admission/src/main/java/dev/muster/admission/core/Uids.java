package dev.muster.admission.core;

/** How submissions of one name are compared: by the offset of their request alone. */
final class Uids {
    private Uids() {}

    /** The offset in {@code partition-offset}, or -1 where it is none. */
    static long offset(String uid) {
        var dash = uid.indexOf('-');
        try {
            return dash < 1 ? -1 : Long.parseLong(uid.substring(dash + 1));
        } catch (NumberFormatException noUid) {
            return -1;
        }
    }

    static boolean isOlder(String uid, String than) {
        return offset(uid) >= 0 && offset(uid) < offset(than);
    }
}
