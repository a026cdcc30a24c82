package actorbench;

import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** plaintext by Pekko HTTP. Usage: Server PORT WORKERS CONNECTIONS. It serves until it gets a signal. */
public final class Server {
    private static final HttpEntity.Strict TEXT =
        HttpEntities.create(ContentTypes.TEXT_PLAIN_UTF8, "Hello, World!".getBytes(StandardCharsets.US_ASCII));
    private static final HttpResponse HELLO = HttpResponse.create().withEntity(TEXT);
    private static final HttpResponse NOTHING = HttpResponse.create().withStatus(StatusCodes.NOT_FOUND);

    private Server() {
    }

    private static HttpResponse answer(HttpRequest request) {
        return request.getUri().path().equals("/plaintext") ? HELLO : NOTHING;
    }

    /** Serves on all threads of the default dispatcher. */
    public static void main(String[] arguments) {
        Map<String, Object> asked = Map.of("actorbench.workers", Integer.parseInt(arguments[1]),
            "actorbench.connections", Integer.parseInt(arguments[2]) + 256);
        ActorSystem system = ActorSystem.create("plaintext",
            ConfigFactory.load(ConfigFactory.parseMap(asked).withFallback(ConfigFactory.parseResources("application.conf"))));
        Http.get(system).newServerAt("127.0.0.1", Integer.parseInt(arguments[0])).bindSync(Server::answer)
            .exceptionally(problem -> {
                System.err.println("server: " + problem.getMessage());
                System.exit(1);
                return null;
            });
    }
}
