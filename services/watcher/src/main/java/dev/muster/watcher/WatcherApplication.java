package dev.muster.watcher;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The watcher as a process. */
@SpringBootApplication
public class WatcherApplication {
    public static void main(String[] args) {
        SpringApplication.run(WatcherApplication.class, args);
    }
}
