module actorbench/net-http

go 1.24
