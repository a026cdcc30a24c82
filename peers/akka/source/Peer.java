/*
 * Which actor system this is: Akka as it stands here; the build makes a copy for Pekko (see the Makefile).
 */
package actorbench;

import akka.actor.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;

final class Peer {
    static final String NAME = "akka";

    private Peer() {}

    static String version() {
        return ActorSystem.Version();
    }

    /** The language runtime: "OpenJDK 17.0.15". */
    static String runtime() {
        String name = System.getProperty("java.runtime.name").replace(" Runtime Environment", "");
        return name + " " + System.getProperty("java.version");
    }

    /** application.conf with its open places filled, over the library's defaults. */
    static Config config(int workers, long throughput) {
        Config values = ConfigFactory.parseMap(
                Map.of("actorbench.workers", workers, "actorbench.throughput", throughput));
        return ConfigFactory.load(values.withFallback(ConfigFactory.parseResources("application.conf")));
    }
}
