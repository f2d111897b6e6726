import { startTestApp } from '../../../packages/server/test/test-app.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { proveKilledStories } from './killed-stories.ts'
import { walkWithKills } from './killed-walks.ts'
import { walkInParallel } from './walk.ts'

const short_steps = 500
const long_steps = 100_000
const steps_per_line = 200

/**
 * No sequence of calls, responses of hosts, kills and moves of the clock reaches a state, a sum or an event outside of the
 * tables: a random walk through sandbox organizations, checked after every step. Kills are part of its long form. Then the
 * stories of tasking orders, killed at each of their steps; `only` is `walk`, or a part of the name of a story.
 */
export async function proveOrders(options: ProofOptions): Promise<ProofResult> {
  const { only } = options
  const walked = only === undefined || only === 'walk' ? [await proveWalk(options)] : []
  const told = only === 'walk' ? [] : [await proveKilledStories(options)]
  const results = [...walked, ...told]
  return {
    tried: results.map(({ tried }) => tried).join('; '),
    violations: results.flatMap(({ violations }) => violations),
  }
}

async function proveWalk({ short, seed, steps }: ProofOptions): Promise<ProofResult> {
  if (short) return proveShortWalk(seed, steps ?? short_steps)
  const result = await walkWithKills({ seed, steps: steps ?? long_steps })
  return { tried: `${result.steps} steps and ${result.kills} kills`, violations: result.violations }
}

async function proveShortWalk(seed: number, steps: number): Promise<ProofResult> {
  const app = await startTestApp()
  const started_ms = performance.now()
  let taken = 0
  const onStep = (): void => {
    taken++
    if (taken % steps_per_line !== 0) return
    console.log(`${taken} of ${steps} steps, ${((performance.now() - started_ms) / taken).toFixed(0)} ms each`)
  }
  try {
    const { sandboxes, counts, violations } = await walkInParallel(app, { seed, steps, onStep })
    for (const [name, { done, refused, ms }] of counts)
      console.log(`${name}: ${done} done, ${refused} refused, ${(ms / (done + refused)).toFixed(1)} ms each`)
    return { tried: `${steps} steps in ${sandboxes} sandboxes`, violations }
  } finally {
    await app.close()
  }
}
