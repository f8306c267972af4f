package dev.muster.cli.command;

import dev.muster.cli.http.Admission;
import java.io.PrintWriter;

/** What is said of a job that admission took, or had already. */
final class TakenJob {
    private TakenJob() {}

    static void say(PrintWriter out, String called, Admission.Answer answer) {
        out.println(
                called
                        + (answer.isDuplicate() ? " was submitted already" : " submitted")
                        + " (uid "
                        + answer.uid()
                        + ")");
        answer.warnings().forEach(warning -> out.println("warning: " + warning));
        out.flush();
    }
}
