module actorbench/go-common

go 1.24
