/* MountainCar in gymnasium's form: 3 actions, -1 a step, done at 0.5. */
#include "lanes.h"

#define DIMENSIONS 2
#define STATE 2
#define PER_TILING 16

INLINE void begin(stream *s, double state[][LANES], int i)
{
    state[0][i] = -0.6 + 0.2 * uniform(s, i);
    state[1][i] = 0.0;
}

INLINE void observe(double state[][LANES], double x[][LANES])
{
    EACH_LANE {
        x[0][i] = (state[0][i] + 1.2) * (1.0 / 1.7);
        x[1][i] = (state[1][i] + 0.07) * (1.0 / 0.14);
    }
}

INLINE void move(double state[][LANES], const int32_t *action, double *reward, int32_t *done)
{
    EACH_LANE {
        double v = state[1][i] + 0.001 * (action[i] - 1) - 0.0025 * cosine(3.0 * state[0][i]);
        v = v < -0.07 ? -0.07 : v;
        v = v > 0.07 ? 0.07 : v;
        double p = state[0][i] + v;
        v = p < -1.2 ? 0.0 : v;
        p = p < -1.2 ? -1.2 : p;
        state[0][i] = p;
        state[1][i] = v;
        reward[i] = -1.0;
        done[i] = p >= 0.5;
    }
}

#include "linear.h"
