#!/bin/sh
# Becomes nginx, as peers/web-common/served.h asks. usage: PORT WORKERS CONNECTIONS FOLDER
port=$1 workers=$2 connections=$3 folder=$4

# Connections beside those of clients: listening sockets, channels between its processes, and the sixteenth of all that it keeps free, by
# closing connections that wait for a request.
cat >"$folder/nginx.conf" <<END
daemon off;
worker_processes $workers;
pid $folder/pid;
error_log stderr crit;
events { worker_connections $((connections + connections / 8 + 256)); }
http {
    access_log off;
    server_tokens off;
    default_type text/plain;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    server {
        listen 127.0.0.1:$port reuseport backlog=65535;
        location = /plaintext { return 200 "Hello, World!"; }
    }
}
END
exec nginx -p "$folder" -c "$folder/nginx.conf" -e stderr
