/* A message type that does not embed struct message first.
 * expect: parcel must embed `struct message message` as its first member
 */
#include "types.h"

typedef struct {
    int value;
    struct message message;
} parcel;
MESSAGE_TYPE(parcel)

int main(void) {
    return 0;
}
