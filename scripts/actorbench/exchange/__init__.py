"""Exchange with other tools: runs as pyperf's and Google Benchmark's JSON and as CSV, a file a format."""
