package dev.muster.sandbox.service;

import dev.muster.sandbox.process.Http;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.time.Duration;

/** One of Muster's services, running. */
public record ServiceProcess(ServiceSpec spec, Place place, PartProcess process, int port) {
    private static final Duration GRACE = Duration.ofSeconds(20);

    /**
     * Starts the service; when this returns it says that it is ready. One that runs already goes
     * on, unless it is of another build or has other settings: it is then ended first.
     *
     * @throws dev.muster.sandbox.process.PartFailedException when it ends or is not ready in time
     */
    public static ServiceProcess start(Place place, ServiceSpec spec) {
        return place.progress().during(spec.name(), begin(place, spec)::awaitReady);
    }

    /** Starts the service and does not wait for it. */
    public static ServiceProcess begin(Place place, ServiceSpec spec) {
        return begin(place, spec, prepared(place, spec));
    }

    private static QuickStart prepared(Place place, ServiceSpec spec) {
        return place.progress()
                .during(
                        "taking " + spec.name() + " apart, once",
                        () -> QuickStart.of(spec, MadeOnce.cache()));
    }

    static ServiceProcess begin(Place place, ServiceSpec spec, QuickStart quick) {
        int port = place.port(spec.name(), "http");
        var command = quick.command(spec, place.temporaryFiles(spec.name()), port);
        var log = place.log(spec.name());
        var data = place.data(spec.name());
        var launch = new Launch(spec.name(), command, spec.environment(), data, log);
        var process = place.renew(launch, older -> older.stop(GRACE));
        return new ServiceProcess(spec, place, process, port);
    }

    /**
     * Waits until it says that it is ready.
     *
     * @throws dev.muster.sandbox.process.PartFailedException when it ends or is not ready in time
     */
    public ServiceProcess awaitReady() {
        process.awaitReady(() -> Http.ok(url() + "/actuator/health/readiness"));
        return this;
    }

    /** The root of its HTTP. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Ends it at once, as a crash would. */
    public void kill() {
        process.kill();
    }

    /** Ends it in good order. */
    public void stop() {
        process.stop(GRACE);
    }

    /** Starts it again, on the same port and with the same folder, after killing it if need be. */
    public ServiceProcess restart() {
        process.kill();
        return start(place, spec);
    }
}
