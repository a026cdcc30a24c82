/* A message type that does not embed struct actorbench_message first.
 * expect: parcel must embed `struct actorbench_message message` as its first member
 */
#include "types.h"

typedef struct {
    int value;
    struct actorbench_message message;
} parcel;
ACTORBENCH_MESSAGE_TYPE(parcel)

int main(void) {
    return 0;
}
