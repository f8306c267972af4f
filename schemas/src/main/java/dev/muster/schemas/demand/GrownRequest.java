package dev.muster.schemas.demand;

import java.math.BigInteger;

/** What a container asks for whose limit has grown: as much of it as its template does. */
public final class GrownRequest {
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private GrownRequest() {}

    /**
     * The request beside a limit, rounded up.
     *
     * @param request of the template
     * @param limit of the template, more than 0
     * @param grown the limit now
     */
    public static long of(long request, long limit, long grown) {
        var product = BigInteger.valueOf(request).multiply(BigInteger.valueOf(grown));
        var rounded = product.add(BigInteger.valueOf(limit - 1)).divide(BigInteger.valueOf(limit));
        return rounded.min(LARGEST).longValueExact();
    }

    /**
     * The largest limit beside which the request is at most {@code room}.
     *
     * @param room at least 0
     */
    public static long limitWithin(long room, long request, long limit) {
        if (request == 0) {
            return Long.MAX_VALUE;
        }
        var product = BigInteger.valueOf(room).multiply(BigInteger.valueOf(limit));
        return product.divide(BigInteger.valueOf(request)).min(LARGEST).longValueExact();
    }
}
