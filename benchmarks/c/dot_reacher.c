/* Online actor-critic on DotReacher with two small networks (2x10x10x9 and 2x10x10x1, ReLU) and Adam.
 *
 * Every parameter is an array over the lanes, so matrices times vectors, back-propagation and Adam are all vector code.
 * Numbers too small to be normal are flushed to zero: the moments of units that are off decay into them, and they are slow.
 */
#include "lanes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define HIDDEN 10
#define ACTIONS 9

/* weights (outputs x inputs), then biases, layer after layer */
#define W1 0
#define B1 (W1 + HIDDEN * 2)
#define W2 (B1 + HIDDEN)
#define B2 (W2 + HIDDEN * HIDDEN)
#define W3 (B2 + HIDDEN)
#define BODY W3
#define ACTOR (BODY + HIDDEN * ACTIONS + ACTIONS)
#define CRITIC (BODY + HIDDEN + 1)

/* Blocks of 8 lanes as explicit vectors: the compiler splits them where the processor's are shorter. */
typedef double block __attribute__((vector_size(64)));
typedef int64_t mask __attribute__((vector_size(64)));
typedef double (*units)[LANES];

#define BLOCKS (LANES / 8)
#define EACH_BLOCK for (int i = 0; i < BLOCKS; i++)
#define AT(unit) ((block *)(unit))[i]

INLINE block where(mask m, block x)
{
    return (block)(m & (mask)x);
}

INLINE void layer(units w, units b, units in, units out, int inputs, int outputs, int rectify)
{
    for (int o = 0; o < outputs; o++) {
        block sum[BLOCKS];
        EACH_BLOCK sum[i] = AT(b[o]);
        for (int k = 0; k < inputs; k++)
            EACH_BLOCK sum[i] += AT(w[o * inputs + k]) * AT(in[k]);
        EACH_BLOCK AT(out[o]) = rectify ? where(sum[i] > 0.0, sum[i]) : sum[i];
    }
}

INLINE void forward(units p, units in, units first, units second, units out, int outputs)
{
    layer(p + W1, p + B1, in, first, 2, HIDDEN, 1);
    layer(p + W2, p + B2, first, second, HIDDEN, HIDDEN, 1);
    layer(p + W3, p + W3 + HIDDEN * outputs, second, out, HIDDEN, outputs, 0);
}

/* what the error of a layer's outputs means for its inputs, where these are on */
INLINE void backward(units w, units error, units in, units back, int inputs, int outputs)
{
    for (int k = 0; k < inputs; k++) {
        block sum[BLOCKS];
        EACH_BLOCK sum[i] = AT(w[k]) * AT(error[0]);
        for (int o = 1; o < outputs; o++)
            EACH_BLOCK sum[i] += AT(w[o * inputs + k]) * AT(error[o]);
        EACH_BLOCK AT(back[k]) = where(AT(in[k]) > 0.0, sum[i]);
    }
}

/* Where there is an approximate 1/sqrt(v) of 14 bits, two Newton steps on it are faster than the divider. */
INLINE block root(block v)
{
#if defined(__AVX512F__)
    v = (block)_mm512_max_pd((__m512d)v, _mm512_set1_pd(0x1p-1020));
    block y = (block)_mm512_rsqrt14_pd((__m512d)v);
    y = y * (1.5 - 0.5 * v * y * y);
    block x = v * y;
    return x + 0.5 * y * (v - x * x);
#else
    for (int k = 0; k < 8; k++)
        v[k] = sqrt(v[k]);
    return v;
#endif
}

/* One parameter's step: p += rate m / (sqrt(v) + small), where bias corrections are in rate and small. */
INLINE void adam(double *p, double *m, double *v, int i, block g, double rate, double small)
{
    block first = AT(m) + 0.1 * (g - AT(m)), second = AT(v) + 0.001 * (g * g - AT(v));
    AT(m) = first;
    AT(v) = second;
    AT(p) += rate * first / (root(second) + small);
}

INLINE void update(units p, units m, units v, units error, units in, int inputs, int outputs, double rate, double small)
{
    for (int o = 0; o < outputs; o++) {
        for (int k = 0; k < inputs; k++) {
            int at = o * inputs + k;
            EACH_BLOCK adam(p[at], m[at], v[at], i, AT(error[o]) * AT(in[k]), rate, small);
        }
        int at = inputs * outputs + o;
        EACH_BLOCK adam(p[at], m[at], v[at], i, AT(error[o]), rate, small);
    }
}

INLINE void learn_net(
    units p, units m, units v, units in, units first, units second, units error, int outputs, double rate, double small)
{
    double back2[HIDDEN][LANES] __attribute__((aligned(64))), back1[HIDDEN][LANES] __attribute__((aligned(64)));
    backward(p + W3, error, second, back2, HIDDEN, outputs);
    backward(p + W2, back2, first, back1, HIDDEN, HIDDEN);
    update(p + W3, m + W3, v + W3, error, second, HIDDEN, outputs, rate, small);
    update(p + W2, m + W2, v + W2, back2, first, HIDDEN, HIDDEN, rate, small);
    update(p + W1, m + W1, v + W1, back1, in, 2, HIDDEN, rate, small);
}

/* PyTorch's start for a linear layer, uniform in +-1/sqrt(inputs); the last layer is zero. */
static void start(units p, const double *uniform)
{
    for (int k = 0; k < BODY; k++)
        EACH_LANE p[k][i] = uniform[k * LANES + i] / sqrt(k < W2 ? 2.0 : HIDDEN);
}

INLINE void begin(stream *s, units state, int i)
{
    state[0][i] = 2.0 * uniform(s, i) - 1.0;
    state[1][i] = 2.0 * uniform(s, i) - 1.0;
}

/* Until `restore`, numbers too small to be normal are zero. */
INLINE unsigned flush(void)
{
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    return before;
#else
    return 0;
#endif
}

INLINE void restore(unsigned before)
{
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

INLINE void learn(
    int alternate, double alpha, double beta, const uint64_t *action_state, const uint64_t *reset_state, const double *uniform_start,
    double *parameters, int64_t steps, int64_t last, double *returns, double *episodes, double *entropy)
{
    static const double move_x[ACTIONS] = {0.0, 0.03, 0.03, 0.0, -0.03, -0.03, -0.03, 0.0, 0.03};
    static const double move_y[ACTIONS] = {0.0, 0.0, 0.03, 0.03, 0.03, 0.0, -0.03, -0.03, -0.03};
    const int all = ACTOR + CRITIC;
    units p = (units)parameters, m = p + all, v = m + all, cp = p + ACTOR, cm = m + ACTOR, cv = v + ACTOR;
    stream actions, resets;
#define UNITS(name, n) double name[n][LANES] __attribute__((aligned(64)))
    UNITS(here, 2);
    UNITS(there, 2);
    UNITS(actor_first, HIDDEN);
    UNITS(actor_second, HIDDEN);
    UNITS(critic_first, HIDDEN);
    UNITS(critic_second, HIDDEN);
    UNITS(other_first, HIDDEN);
    UNITS(other_second, HIDDEN);
    UNITS(pi, ACTIONS);
    UNITS(error, ACTIONS);
    UNITS(value, 1);
    UNITS(after, 1);
    UNITS(delta, 1);
    lanes u, gain, mixed, most, total, weighted, below;
    ints action, done, count;
    double power1 = 1.0, power2 = 1.0;
    const unsigned before = flush();

    load_stream(&actions, action_state);
    load_stream(&resets, reset_state);
    start(p, uniform_start);
    start(cp, uniform_start + ACTOR * LANES);
    EACH_LANE {
        gain[i] = mixed[i] = 0.0;
        count[i] = 0;
        begin(&resets, here, i);
    }
    for (int64_t t = 0; t < steps; t++) {
        forward(p, here, actor_first, actor_second, pi, ACTIONS);
        forward(cp, here, critic_first, critic_second, value, 1);
        EACH_LANE most[i] = pi[0][i];
        for (int a = 1; a < ACTIONS; a++)
            EACH_LANE most[i] = pi[a][i] > most[i] ? pi[a][i] : most[i];
        EACH_LANE total[i] = weighted[i] = 0.0;
        for (int a = 0; a < ACTIONS; a++)
            EACH_LANE {
                double logit = pi[a][i] - most[i], e = exp_negative(logit);
                pi[a][i] = e;
                total[i] += e;
                weighted[i] += e * logit;
            }
        uniforms(&actions, u);
        EACH_LANE {
            double scale = 1.0 / total[i];
            mixed[i] += logarithm(total[i]) - weighted[i] * scale;
            total[i] = scale;
            below[i] = 0.0;
            action[i] = -1;
        }
        for (int a = 0; a < ACTIONS; a++)
            EACH_LANE {
                pi[a][i] *= total[i];
                action[i] += u[i] >= below[i];
                below[i] += pi[a][i];
            }
        int32_t over = 0;
        EACH_LANE {
            double x = here[0][i] + move_x[action[i]], y = here[1][i] + move_y[action[i]];
            x = x < -1.0 ? -1.0 : x;
            x = x > 1.0 ? 1.0 : x;
            y = y < -1.0 ? -1.0 : y;
            y = y > 1.0 ? 1.0 : y;
            there[0][i] = x;
            there[1][i] = y;
            done[i] = (fabs(x) < 0.1) & (fabs(y) < 0.1);
        }
        forward(cp, there, other_first, other_second, after, 1);
        EACH_LANE {
            delta[0][i] = -0.01 + (done[i] ? 0.0 : after[0][i]) - value[0][i];
            gain[i] -= 0.01;
            count[i]++;
            done[i] |= count[i] == CUT;
            over |= done[i];
        }
        for (int a = 0; a < ACTIONS; a++)
            EACH_LANE error[a][i] = delta[0][i] * ((action[i] == a ? 1.0 : 0.0) - (alternate ? 0.0 : pi[a][i]));
        power1 *= 0.9;
        power2 *= 0.999;
        double root = sqrt(1.0 - power2), gather = root / (1.0 - power1), small = 1e-8 * root;
        learn_net(p, m, v, here, actor_first, actor_second, error, ACTIONS, alpha * gather, small);
        learn_net(cp, cm, cv, here, critic_first, critic_second, delta, 1, beta * gather, small);
        memcpy(here, there, sizeof here);
        if (over)
            EACH_LANE if (done[i]) {
                close_episode(i, t >= steps - last, gain, count, returns, episodes);
                begin(&resets, here, i);
            }
    }
    EACH_LANE entropy[i] = mixed[i] / (double)steps;
    restore(before);
}

int64_t parameter_count(void) { return ACTOR + CRITIC; }
RUN(run_regular, 0)
RUN(run_alternate, 1)
