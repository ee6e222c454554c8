/* Acrobot with the book's dynamics, one step of RK4 over 0.2 s: 3 torques, -1 a step and 0 on the last. */
#include "lanes.h"

#define DIMENSIONS 6
#define STATE 8
#define PER_TILING 4096

#define PI 3.14159265358979323846
#define FASTEST_1 (4.0 * PI)
#define FASTEST_2 (9.0 * PI)

/* state: two angles, two speeds, then the cosines and sines of both angles */
INLINE void turn(double state[][LANES], int i)
{
    state[4][i] = cosine(state[0][i]);
    state[5][i] = sine(state[0][i]);
    state[6][i] = cosine(state[1][i]);
    state[7][i] = sine(state[1][i]);
}

INLINE void begin(stream *s, double state[][LANES], int i)
{
    for (int k = 0; k < 4; k++)
        state[k][i] = -0.1 + 0.2 * uniform(s, i);
    turn(state, i);
}

INLINE void observe(double state[][LANES], double x[][LANES])
{
    EACH_LANE {
        for (int k = 0; k < 4; k++)
            x[k][i] = 0.5 * state[4 + k][i] + 0.5;
        x[4][i] = state[2][i] * (0.5 / FASTEST_1) + 0.5;
        x[5][i] = state[3][i] * (0.5 / FASTEST_2) + 0.5;
    }
}

INLINE void accelerate(double torque, double w1, double w2, double s1, double s12, double c2, double s2, double *a1, double *a2)
{
    double d1 = 3.5 + c2, d2 = 1.25 + 0.5 * c2;
    double phi2 = 4.9 * s12;
    double phi1 = 14.7 * s1 + phi2 - (0.5 * w2 + w1) * (w2 * s2);
    double ratio = d2 / d1;
    *a2 = (torque + ratio * phi1 - 0.5 * w1 * w1 * s2 - phi2) / (1.25 - d2 * ratio);
    *a1 = -(ratio * *a2 + phi1 / d1);
}

INLINE double wrap(double x)
{
    double shifted = x * (0.5 / PI) + SHIFT;
    return x - (shifted - SHIFT) * (2.0 * PI);
}

INLINE void move(double state[][LANES], const int32_t *action, double *reward, int32_t *done)
{
    const double h = 0.2;
    EACH_LANE {
        double t1 = state[0][i], t2 = state[1][i], w1 = state[2][i], w2 = state[3][i], torque = action[i] - 1;
        double a1, a2, b1, b2, c1, c2, d1, d2, x, y, v, w;
        accelerate(torque, w1, w2, state[5][i], state[5][i] * state[6][i] + state[4][i] * state[7][i], state[6][i], state[7][i], &a1, &a2);
        x = t1 + 0.5 * h * w1, y = t2 + 0.5 * h * w2, v = w1 + 0.5 * h * a1, w = w2 + 0.5 * h * a2;
        accelerate(torque, v, w, sine(x), sine(x + y), cosine(y), sine(y), &b1, &b2);
        double v2 = v, w22 = w;
        x = t1 + 0.5 * h * v, y = t2 + 0.5 * h * w, v = w1 + 0.5 * h * b1, w = w2 + 0.5 * h * b2;
        accelerate(torque, v, w, sine(x), sine(x + y), cosine(y), sine(y), &c1, &c2);
        double v3 = v, w3 = w;
        x = t1 + h * v, y = t2 + h * w, v = w1 + h * c1, w = w2 + h * c2;
        accelerate(torque, v, w, sine(x), sine(x + y), cosine(y), sine(y), &d1, &d2);
        t1 = wrap(t1 + h / 6.0 * (w1 + 2.0 * (v2 + v3) + v));
        t2 = wrap(t2 + h / 6.0 * (w2 + 2.0 * (w22 + w3) + w));
        w1 += h / 6.0 * (a1 + 2.0 * (b1 + c1) + d1);
        w2 += h / 6.0 * (a2 + 2.0 * (b2 + c2) + d2);
        w1 = w1 < -FASTEST_1 ? -FASTEST_1 : w1;
        w1 = w1 > FASTEST_1 ? FASTEST_1 : w1;
        w2 = w2 < -FASTEST_2 ? -FASTEST_2 : w2;
        w2 = w2 > FASTEST_2 ? FASTEST_2 : w2;
        state[0][i] = t1, state[1][i] = t2, state[2][i] = w1, state[3][i] = w2;
    }
    EACH_LANE turn(state, i);
    EACH_LANE {
        double height = -state[4][i] - (state[4][i] * state[6][i] - state[5][i] * state[7][i]);
        done[i] = height > 1.0;
        reward[i] = done[i] ? 0.0 : -1.0;
    }
}

#include "linear.h"
