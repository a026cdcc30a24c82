/*
 * The record: one line of JSON for the driver, or a few aligned lines for people; and the one line about a wrong result.
 */
package actorbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

final class Report {
    long operations;
    Span span;
    String problem; // what is wrong with the result; null if nothing
    Map<String, Long> measured = Map.of(); // numbers beside the times

    private final Workload workload;
    private final Options options;
    private final int workers;
    private final List<String> notes = new ArrayList<>();

    Report(Workload workload, Options options, int workers) {
        this.workload = workload;
        this.options = options;
        this.workers = workers;
    }

    void note(String note) {
        notes.add(note);
    }

    void print() {
        System.out.println(options.json ? json() : text());
        if (problem != null)
            System.err.println(workload.name + ": wrong result: " + problem);
    }

    private String json() {
        Map<String, String> record = new LinkedHashMap<>();
        record.put("schema", "1");
        record.put("system", quoted(Peer.NAME));
        record.put("version", quoted(Peer.version()));
        record.put("design", quoted("native"));
        record.put("build", quoted("release"));
        Map<String, String> own = values(options.own);
        own.put("runtime", quoted(Peer.runtime()));
        record.put("options", object(own));
        record.put("workload", quoted(workload.name));
        Map<String, String> parameters = values(workload.parameters);
        parameters.putAll(values(List.of(options.scale, options.seed)));
        record.put("parameters", object(parameters));
        record.put("workers", Integer.toString(workers));
        record.put("elapsed_ns", Long.toString(span.elapsedNs()));
        record.put("cpu_ns", Long.toString(span.cpuNs()));
        record.put("operations", Long.toString(operations));
        record.put("unit", quoted(workload.unit));
        record.put("peak_rss_bytes", Long.toString(peakRssBytes()));
        record.put("verified", Boolean.toString(problem == null));
        record.put("notes", notes.stream().map(Report::quoted).collect(Collectors.joining(",", "[", "]")));
        if (!measured.isEmpty())
            record.put("measured", object(numbers()));
        return object(record);
    }

    private Map<String, String> numbers() {
        Map<String, String> numbers = new LinkedHashMap<>();
        measured.forEach((name, value) -> numbers.put(name, value.toString()));
        return numbers;
    }

    private static Map<String, String> values(List<Parameter> parameters) {
        Map<String, String> values = new LinkedHashMap<>();
        parameters.forEach(parameter -> values.put(parameter.name, parameter.json()));
        return values;
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private String text() {
        double ns = span.elapsedNs();
        List<String> lines = new ArrayList<>();
        lines.add(String.format("%s, %s %s, %d worker%s", workload.name, Peer.NAME, Peer.version(), workers, workers == 1 ? "" : "s"));
        lines.add(line("work", "%d %ss", operations, workload.unit));
        lines.add(line("time", "%.3f s (%.2f ns a %s)", ns / 1e9, ns / operations, workload.unit));
        lines.add(line("CPU time", "%.3f s", span.cpuNs() / 1e9));
        lines.add(line("peak memory", "%.1f MiB", peakRssBytes() / (1024.0 * 1024.0)));
        measured.forEach((name, value) -> lines.add(line(name, "%d", value)));
        lines.add(line("result", "%s", problem == null ? "verified" : "WRONG"));
        notes.forEach(note -> lines.add(line("note", "%s", note)));
        return String.join("\n", lines);
    }

    private static String line(String name, String format, Object... values) {
        return String.format("  %-16s ", name) + String.format(format, values);
    }

    /** The peak of the process' resident memory, or 0 if the kernel does not tell. */
    private static long peakRssBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status")))
                if (line.startsWith("VmHWM:"))
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        } catch (IOException unreadable) {
            return 0;
        }
        return 0;
    }
}
