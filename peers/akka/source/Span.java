/*
 * The timed span: wall time by the monotonic clock, and CPU time of the whole process (JIT and GC included).
 */
package actorbench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

final class Span {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private long startedNs, stoppedNs;
    private long cpuStartedNs, cpuStoppedNs;

    void start() {
        cpuStartedNs = PROCESS.getProcessCpuTime();
        startedNs = System.nanoTime();
    }

    void stop() {
        stoppedNs = System.nanoTime();
        cpuStoppedNs = PROCESS.getProcessCpuTime();
    }

    long elapsedNs() {
        return Math.max(1, stoppedNs - startedNs);
    }

    long cpuNs() {
        return Math.max(0, cpuStoppedNs - cpuStartedNs);
    }
}
