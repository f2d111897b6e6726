import { startTestApp } from '../../../packages/server/test/test-app.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { walkWithKills } from './killed-walks.ts'
import { walk } from './walk.ts'

const short_steps = 2000
const long_steps = 100_000

/**
 * No sequence of calls, responses of hosts, kills and moves of the clock reaches a state, a sum or an event outside of the
 * tables: a random walk through sandbox organizations, checked after every step. Kills are part of the long form.
 */
export async function proveOrders({ short, seed }: ProofOptions): Promise<ProofResult> {
  if (short) return proveShortWalk(seed)
  const { steps, kills, violations } = await walkWithKills({ seed, steps: long_steps })
  return { tried: `${steps} steps and ${kills} kills`, violations }
}

async function proveShortWalk(seed: number): Promise<ProofResult> {
  const app = await startTestApp()
  try {
    const { steps, sandboxes, counts, violations } = await walk(app, { seed, steps: short_steps })
    for (const [name, { done, refused, ms }] of counts)
      console.log(`${name}: ${done} done, ${refused} refused, ${(ms / (done + refused)).toFixed(1)} ms each`)
    return { tried: `${steps} steps in ${sandboxes} sandboxes`, violations }
  } finally {
    await app.close()
  }
}
