/* Online actor-critic with tile coding, LANES runs in lock step, for a task that defines
 *
 *     DIMENSIONS, STATE      sizes of the observation and of the state
 *     observe(state, x)      the observation, scaled to [0, 1]
 *     begin(stream, state, i)    a start state for lane i
 *     move(state, action, reward, done)
 *
 * Weights are rows of 4 (three preferences and the value), one row a tile and the bias last. One pass over the rows of the
 * next state is enough: what the update adds to their sum is known, namely once for each row in both states.
 */
#include "lanes.h"

#define TILINGS 8
#define TILES 4
#define ROWS (TILINGS * PER_TILING + 1)

typedef double row __attribute__((vector_size(32)));
typedef uint32_t tiles[TILINGS][LANES] __attribute__((aligned(64)));

/* offsets[tiling][dimension][lane], in widths of the whole range; what leaves a dimension is carried into the next */
INLINE uint32_t tile_in(int k, double x[][LANES], const double *offsets, int i)
{
    int32_t at = 0;
    for (int d = DIMENSIONS - 1; d >= 0; d--) {
        int32_t part = (int32_t)((x[d][i] + offsets[(k * DIMENSIONS + d) * LANES + i]) * TILES);
        at = at * TILES + part;
    }
    return (uint32_t)((at & (PER_TILING - 1)) + k * PER_TILING);
}

INLINE void tile(double x[][LANES], const double *offsets, tiles index)
{
    for (int k = 0; k < TILINGS; k++)
        EACH_LANE index[k][i] = tile_in(k, x, offsets, i);
}

INLINE row total(const double *weights, tiles index, int i)
{
    const row *rows = (const row *)weights + (uint64_t)i * ROWS;
    row even = rows[ROWS - 1], odd = rows[index[0][i]];
    for (int k = 1; k < TILINGS; k += 2)
        even += rows[index[k][i]];
    for (int k = 2; k < TILINGS; k += 2)
        odd += rows[index[k][i]];
    return even + odd;
}

static __attribute__((noinline)) void restart(
    double state[][LANES], double x[][LANES], stream *s, int i, const double *offsets, tiles index)
{
    begin(s, state, i);
    observe(state, x);
    for (int k = 0; k < TILINGS; k++)
        index[k][i] = tile_in(k, x, offsets, i);
}

INLINE void learn(
    int alternate, double alpha, double beta, const uint64_t *action_state, const uint64_t *reset_state, const double *offsets,
    double *weights, int64_t steps, int64_t last, double *returns, double *episodes, double *entropy)
{
    const double share = 1.0 / (TILINGS + 1);
    stream actions, resets;
    double state[STATE][LANES] __attribute__((aligned(64))), x[DIMENSIONS][LANES] __attribute__((aligned(64)));
    double sums[LANES][4] __attribute__((aligned(64))), after[LANES][4] __attribute__((aligned(64)));
    double change[LANES][4] __attribute__((aligned(64)));
    tiles here, there;
    lanes u, reward, gain, keep, mixed;
    ints action, done, count;

    load_stream(&actions, action_state);
    load_stream(&resets, reset_state);
    EACH_LANE {
        restart(state, x, &resets, i, offsets, here);
        *(row *)sums[i] = total(weights, here, i);
        gain[i] = 0.0;
        mixed[i] = 0.0;
        count[i] = 0;
    }
    for (int64_t t = 0; t < steps; t++) {
        lanes p0, p1, p2;
        uniforms(&actions, u);
        EACH_LANE {
            double a = sums[i][0] * share, b = sums[i][1] * share, c = sums[i][2] * share;
            double most = a > b ? a : b;
            most = most > c ? most : c;
            double la = a - most, lb = b - most, lc = c - most;
            a = exp_negative(la);
            b = exp_negative(lb);
            c = exp_negative(lc);
            double z = a + b + c, scale = 1.0 / z;
            p0[i] = a * scale;
            p1[i] = b * scale;
            p2[i] = c * scale;
            mixed[i] += logarithm(z) - (p0[i] * la + p1[i] * lb + p2[i] * lc);
            action[i] = (u[i] >= p0[i]) + (u[i] >= p0[i] + p1[i]);
        }
        move(state, action, reward, done);
        observe(state, x);
        tile(x, offsets, there);
        EACH_LANE *(row *)after[i] = total(weights, there, i);
        int32_t over = 0;
        EACH_LANE {
            double delta = reward[i] + ((done[i] ? 0.0 : after[i][3]) - sums[i][3]) * share;
            double rate = alpha * share * delta;
            change[i][0] = rate * ((action[i] == 0 ? 1.0 : 0.0) - (alternate ? 0.0 : p0[i]));
            change[i][1] = rate * ((action[i] == 1 ? 1.0 : 0.0) - (alternate ? 0.0 : p1[i]));
            change[i][2] = rate * ((action[i] == 2 ? 1.0 : 0.0) - (alternate ? 0.0 : p2[i]));
            change[i][3] = beta * share * delta;
            gain[i] += reward[i];
            count[i]++;
            done[i] |= count[i] == CUT;
            over |= done[i];
        }
        EACH_LANE {
            int32_t common = 1;
            for (int k = 0; k < TILINGS; k++)
                common += here[k][i] == there[k][i];
            keep[i] = common;
        }
        EACH_LANE {
            row step = *(row *)change[i], *rows = (row *)weights + (uint64_t)i * ROWS;
            for (int k = 0; k < TILINGS; k++)
                rows[here[k][i]] += step;
            rows[ROWS - 1] += step;
            *(row *)sums[i] = *(row *)after[i] + keep[i] * step;
        }
        memcpy(here, there, sizeof here);
        if (over)
            EACH_LANE if (done[i]) {
                close_episode(i, t >= steps - last, gain, count, returns, episodes);
                restart(state, x, &resets, i, offsets, here);
                *(row *)sums[i] = total(weights, here, i);
            }
    }
    EACH_LANE entropy[i] = mixed[i] / (double)steps;
}

int64_t row_count(void) { return ROWS; }
RUN(run_regular, 0)
RUN(run_alternate, 1)
