module actorbench/protoactor

go 1.24

require actorbench/go-common v0.0.0

replace actorbench/go-common => ../go-common
