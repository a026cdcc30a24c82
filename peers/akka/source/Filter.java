/*
 * Rings of samples that delay and filter, and the same computed in another way: the arithmetic of filter-bank.
 *
 * A filter gives nothing before its ring is full. Then it multiplies the ring, from its first place, by its coefficients.
 */
package actorbench;

final class Filter {
    private final double[] places;
    private final double[] coefficients;
    private int at; // the next place
    private boolean full;

    private Filter(int size, double[] coefficients) {
        this.places = new double[size];
        this.coefficients = coefficients;
    }

    static Filter delay(int size) {
        return new Filter(size, new double[0]);
    }

    /** A channel's first filter. */
    static Filter first(int size, double channels, double channel) {
        double[] coefficients = new double[size];
        for (int i = 0; i < size; i++)
            coefficients[i] = (double) i * size + channel * channels + channel + i + channel + 1;
        return new Filter(size, coefficients);
    }

    /** A channel's second filter. */
    static Filter second(int size, double channel) {
        double[] coefficients = new double[size];
        for (int i = 0; i < size; i++)
            coefficients[i] = i * channel + channel * channel + channel + i;
        return new Filter(size, coefficients);
    }

    /** Keeps a value, and gives the one that came as many values before as there are places; at first zeros. */
    double replace(double value) {
        double old = places[at];
        places[at] = value;
        if (++at == places.length) {
            at = 0;
            full = true;
        }
        return old;
    }

    boolean isFull() {
        return full;
    }

    double product() {
        double[] places = this.places, coefficients = this.coefficients;
        int size = places.length;
        double sum = 0;
        for (int i = 0; i < size; i++)
            sum += places[i] * coefficients[size - 1 - i];
        return sum;
    }

    /** What this gives of values: each product from the one before, in place of from all of a ring. */
    double[] again(double[] values) {
        int size = coefficients.length;
        double[] given = new double[Math.max(0, values.length - size + 1)];
        double sum = 0, leaving = 0;
        for (int i = 0; i < values.length; i++) {
            sum += (values[i] - leaving) * coefficients[size - 1 - i % size];
            if (i + 1 < size)
                continue;
            leaving = values[i + 1 - size];
            given[i + 1 - size] = sum;
        }
        return given;
    }
}
