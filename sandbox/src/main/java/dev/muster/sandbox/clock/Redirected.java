package dev.muster.sandbox.clock;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A class file some of whose calls go to {@link WallClock}. Only the pool of its constants is
 * touched: a reference to a static method gets another owner, which is added at the pool's end.
 */
final class Redirected {
    private static final String OWNER = WallClock.class.getName().replace('.', '/');

    private static final int COUNT_AT = 8;
    private static final int POOL_AT = 10;

    private static final int TEXT = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;

    private final ByteBuffer bytes;

    /** Where each constant begins; the last one is where the pool ends. */
    private final int[] starts;

    private Redirected(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes.clone());
        starts = new int[size() + 1];
        int at = POOL_AT;
        for (int i = 1; i < size(); i++) {
            starts[i] = at;
            int tag = this.bytes.get(at);
            at += length(tag, at);
            if (tag == 5 || tag == 6) { // A long or a double counts twice.
                starts[++i] = at;
            }
        }
        starts[size()] = at;
    }

    private int length(int tag, int at) {
        return switch (tag) {
            case TEXT -> 3 + unsigned(at + 1);
            case CLASS, 8, 16, 19, 20 -> 3;
            case 15 -> 4;
            case 3, 4, 9, METHOD, 11, NAME_AND_TYPE, 17, 18 -> 5;
            case 5, 6 -> 9;
            default -> throw new IllegalArgumentException("constant of kind " + tag);
        };
    }

    /**
     * The same class with other calls.
     *
     * @param calls each as {@code java/lang/System.currentTimeMillis()J}
     * @return null: it has none of them
     */
    static byte @Nullable [] of(byte[] bytes, Iterable<String> calls) {
        return new Redirected(bytes).redirected(calls);
    }

    private byte @Nullable [] redirected(Iterable<String> calls) {
        boolean any = false;
        for (int i = 1; i < size(); i++) {
            int at = starts[i];
            if (bytes.get(at) == METHOD) {
                var called = called(at);
                for (var call : calls) {
                    if (call.equals(called)) {
                        bytes.putShort(at + 1, (short) (size() + 1));
                        any = true;
                    }
                }
            }
        }
        return any ? withOwner() : null;
    }

    private String called(int method) {
        int owner = starts[unsigned(method + 1)];
        int nameAndType = starts[unsigned(method + 3)];
        return text(unsigned(owner + 1))
                + "."
                + text(unsigned(nameAndType + 1))
                + text(unsigned(nameAndType + 3));
    }

    private String text(int index) {
        int at = starts[index];
        return new String(bytes.array(), at + 3, unsigned(at + 1), UTF_8);
    }

    private byte[] withOwner() {
        int end = starts[size()];
        var all = bytes.array();
        var name = OWNER.getBytes(UTF_8);
        var whole = ByteBuffer.allocate(all.length + 3 + name.length + 3);
        whole.put(all, 0, end).put((byte) TEXT).putShort((short) name.length).put(name);
        whole.put((byte) CLASS).putShort((short) size());
        whole.put(Arrays.copyOfRange(all, end, all.length));
        return whole.putShort(COUNT_AT, (short) (size() + 2)).array();
    }

    /** One more than there are constants. */
    private int size() {
        return unsigned(COUNT_AT);
    }

    private int unsigned(int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }
}
