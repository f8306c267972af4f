package dev.muster.admission;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The admission service as a process. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class AdmissionApp {
    public static void main(String[] args) {
        SpringApplication.run(AdmissionApp.class, args);
    }
}
