/**
 * A node of a Kubernetes cluster whose containers are processes of this machine: a small kubelet, a
 * process of its own.
 *
 * <p>It is a sandbox and no isolation. What a container finds other than on a real node:
 *
 * <ul>
 *   <li><b>No image.</b> The image's name is ignored; the command is looked for on this machine, in
 *       the container's {@code PATH} (the node's own, unless the spec sets one). A container must
 *       state its command. Of the node's environment it gets {@code PATH}, {@code HOME}, the locale
 *       and the like, nothing else.
 *   <li><b>No mount namespace.</b> {@code MUSTER_SANDBOX_ROOT} names the folder that stands for the
 *       container's {@code /}; a volume mounted at {@code /data} is {@code
 *       $MUSTER_SANDBOX_ROOT/data}. Where the spec's command, arguments, working folder and
 *       environment name a mount path, or a path below one, the text is replaced so. A program that
 *       has {@code /data} in its own code finds the machine's.
 *   <li><b>No network namespace.</b> A pod's address is in 127.0.0.0/8, derived from its namespace
 *       and name; programs that bind every address share the machine's ports. Cluster DNS names of
 *       pods in command, arguments, environment and config maps are replaced by addresses ({@link
 *       dev.muster.sandbox.node.core.ClusterNames}). Services have no address of their own; those
 *       that the node is told of are replaced by where they answer here ({@link
 *       dev.muster.sandbox.node.core.ServiceNames}).
 *   <li><b>Rendezvous ports.</b> In pods that have a label {@code muster.dev/uid}, the port in
 *       {@code MASTER_PORT} and {@code PET_RDZV_ENDPOINT} is another one, free on this machine and
 *       the same in all pods of that uid; also where the text goes on {@code host:port} after the
 *       DNS name of a pod.
 *   <li><b>No limits.</b> CPU, memory and devices are counted by the scheduler and limited by
 *       nobody.
 *   <li><b>Stopping</b> sends SIGTERM to the container's whole process group, not to its first
 *       process only.
 *   <li>Not there: exec, attach, port-forward; hooks; liveness and startup probes; ephemeral
 *       containers; persistent volumes; service account tokens; rotation of logs; times in logs.
 * </ul>
 *
 * <p>Containers outlive a node that is killed; the next one with the same folder goes on with them
 * and knows their exit codes. A node that is asked to stop (SIGTERM) stops its containers first.
 */
@NullMarked
package dev.muster.sandbox.node;

import org.jspecify.annotations.NullMarked;
