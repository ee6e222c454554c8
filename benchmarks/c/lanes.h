/* What all tasks share: random numbers, exp, log, cosine and sine, and the ends of episodes, for LANES runs in lock step.
 *
 * Plain loops of constant length over aligned arrays, which the compiler turns into vector code. Fused multiply-adds are
 * allowed here (the compiled Python may not use them, for the sake of equal bits on every processor).
 * Polynomials are written out: with a loop over their coefficients Acrobot took 1.2 times as long.
 */
#ifndef LANES_H
#define LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef LANES
#define LANES 16
#endif

#define CUT 1000 /* steps after which an episode is ended */

#define EACH_LANE for (int i = 0; i < LANES; i++)
#define INLINE static inline __attribute__((always_inline))

typedef double lanes[LANES] __attribute__((aligned(64)));
typedef int32_t ints[LANES] __attribute__((aligned(64)));
typedef uint64_t bits[LANES] __attribute__((aligned(64)));

/* SFC64: a, b, c, counter of every lane. */
typedef struct {
    bits a, b, c, counter;
} stream;

INLINE void load_stream(stream *s, const uint64_t *state)
{
    EACH_LANE {
        s->a[i] = state[i];
        s->b[i] = state[LANES + i];
        s->c[i] = state[2 * LANES + i];
        s->counter[i] = state[3 * LANES + i];
    }
}

INLINE double uniform(stream *s, int i)
{
    uint64_t draw = s->a[i] + s->b[i] + s->counter[i];
    s->counter[i]++;
    s->a[i] = s->b[i] ^ (s->b[i] >> 11);
    s->b[i] = s->c[i] + (s->c[i] << 3);
    s->c[i] = ((s->c[i] << 24) | (s->c[i] >> 40)) + draw;
    return (double)(int64_t)(draw >> 11) * 0x1p-53;
}

INLINE void uniforms(stream *s, double *out)
{
    EACH_LANE out[i] = uniform(s, i);
}

#define SHIFT 6755399441055744.0 /* 1.5 * 2^52: adding it leaves the nearest integer in the low bits */

INLINE int64_t as_bits(double x)
{
    int64_t b;
    memcpy(&b, &x, 8);
    return b;
}

INLINE double as_double(int64_t b)
{
    double x;
    memcpy(&x, &b, 8);
    return x;
}

/* e^x for x <= 0; 0 below -707. */
INLINE double exp_negative(double x)
{
    double shifted = x * 0x1.71547652b82fep+0 + SHIFT;
    double n = shifted - SHIFT;
    double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    double p = 1.0 / 479001600 + r * (1.0 / 6227020800);
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    double y = p * as_double((int64_t)((uint64_t)(as_bits(shifted) + 1023) << 52));
    return x < -707.0 ? 0.0 : y;
}

/* The natural logarithm of a positive normal number. */
INLINE double logarithm(double x)
{
    int64_t b = as_bits(x), k = (b - 0x3FE6A09E667F3BCD) >> 52;
    double f = as_double(b - (int64_t)((uint64_t)k << 52)) - 1.0;
    double s = f / (2.0 + f), z = s * s;
    double p = 2.0 / 21 + z * (2.0 / 23);
    p = p * z + 2.0 / 19;
    p = p * z + 2.0 / 17;
    p = p * z + 2.0 / 15;
    p = p * z + 2.0 / 13;
    p = p * z + 2.0 / 11;
    p = p * z + 2.0 / 9;
    p = p * z + 2.0 / 7;
    p = p * z + 2.0 / 5;
    p = p * z + 2.0 / 3;
    return (double)k * 0x1.62e42fefa39efp-1 + s * (2.0 + z * p);
}

/* sin x for |x| up to a few thousand: to the nearest multiple of pi, then the odd series on [-pi/2, pi/2]. */
INLINE double sine_of_rest(double r, double parity)
{
    double z = r * r;
    double p = -1.0 / 121645100408832000 + z * (1.0 / 51090942171709440000.0);
    p = p * z + 1.0 / 355687428096000;
    p = p * z - 1.0 / 1307674368000;
    p = p * z + 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    double y = r + r * (z * p);
    return as_double(as_bits(y) ^ (int64_t)((uint64_t)as_bits(parity) << 63));
}

INLINE double sine(double x)
{
    double shifted = x * 0.31830988618379067154 + SHIFT;
    double n = shifted - SHIFT;
    return sine_of_rest((x - n * 0x1.921fb54442d18p+1) - n * 0x1.1a62633145c07p-53, shifted);
}

/* cos x = sin(x + pi/2): x is x' + (n - 1/2) pi. */
INLINE double cosine(double x)
{
    double shifted = (x * 0.31830988618379067154 + 0.5) + SHIFT;
    double n = (shifted - SHIFT) - 0.5;
    return sine_of_rest((x - n * 0x1.921fb54442d18p+1) - n * 0x1.1a62633145c07p-53, shifted);
}

/* Lane i's episode is over; it is counted if it is one of the last. */
INLINE void close_episode(int i, int counted, double *gain, int32_t *count, double *returns, double *episodes)
{
    if (counted) {
        returns[i] += gain[i];
        episodes[i]++;
    }
    gain[i] = 0.0;
    count[i] = 0;
}

/* A task's `learn` as a function to call from outside; `given` are its offsets or first uniforms, `learned` its weights. */
#define RUN(name, alternate)                                                                                                    \
    void name(double alpha, double beta, const uint64_t *actions, const uint64_t *resets, const double *given, double *learned, \
              int64_t steps, int64_t last, double *returns, double *episodes, double *entropy)                                  \
    {                                                                                                                           \
        learn(alternate, alpha, beta, actions, resets, given, learned, steps, last, returns, episodes, entropy);                \
    }

#endif
