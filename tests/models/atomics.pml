/* The atomic operations of core/platform/atomic.h that do more than load or store. Each is one step, and so is a load or
 * a store: the models are of sequential consistency. */

inline cas(object, expected, desired, succeeded) {
    d_step {
        succeeded = (object == expected);
        if
        :: succeeded -> object = desired
        :: else
        fi
    }
}

inline exchange(object, desired, before) {
    d_step {
        before = object;
        object = desired
    }
}
