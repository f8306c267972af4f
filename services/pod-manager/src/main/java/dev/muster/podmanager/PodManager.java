package dev.muster.podmanager;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PodManager {
    static void main(String[] args) {
        SpringApplication.run(PodManager.class, args);
    }
}
