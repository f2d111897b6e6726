import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { createRandom } from '../harness/random.ts'
import { checkOrders, checkSandbox } from './check-sandbox.ts'
import { openStage, type SandboxStage } from './stage.ts'
import { chooseStep } from './walk-steps.ts'

/** A sandbox is left after so many steps, and the walk goes on in a new one. */
const steps_per_sandbox = 100
/** A walk that has found so much ends. */
const max_violations = 20

interface WalkOptions {
  readonly seed: number
  readonly steps: number
  /** Where the walk begins; absent: in a new sandbox. */
  readonly first?: SandboxStage | null
  /** Called after each step. */
  readonly onStep?: () => void
  /** Called at once, since a process may be killed before the walk ends. */
  readonly onViolation?: (violation: string) => void
}

interface WalkResult {
  readonly sandboxes: number
  /** How often each step was done, and how often it was refused. */
  readonly counts: Counts
  readonly violations: string[]
}

/** Walks at random through sandbox organizations and checks each of them after every step. */
export async function walk(
  app: TestApp,
  { seed, steps, first = null, onStep, onViolation }: WalkOptions,
): Promise<WalkResult> {
  const random = createRandom(seed)
  const counts: Counts = new Map()
  const violations: string[] = []
  const add = (found: readonly string[]): void => {
    violations.push(...found)
    for (const violation of found) onViolation?.(violation)
  }
  let sandboxes = 0
  let stage = first
  for (let step = 0; step < steps && violations.length < max_violations; step++) {
    if (!stage || (step > 0 && step % steps_per_sandbox === 0)) {
      if (stage) add(await leaveStage(stage))
      stage = await openStage(app, random)
      sandboxes++
    }
    add(await takeStep(stage, counts, step))
    onStep?.()
  }
  if (stage) add(await leaveStage(stage))
  return { sandboxes, counts, violations }
}

/** Walks at the same time: most of the time of one is spent waiting for the database. */
const parallel_walks = 8

interface ParallelWalkOptions extends Omit<WalkOptions, 'first'> {
  /** Where walks begin; the others begin in new sandboxes. */
  readonly firsts?: readonly SandboxStage[]
}

/** Several walks at the same time, each through sandboxes of its own, that take so many steps together. */
export async function walkInParallel(
  app: TestApp,
  { seed, steps, firsts = [], ...options }: ParallelWalkOptions,
): Promise<WalkResult> {
  const walks = Array.from({ length: parallel_walks }, (_, index) =>
    walk(app, {
      seed: seed + index,
      steps: Math.floor((steps + index) / parallel_walks),
      first: firsts[index] ?? null,
      ...options,
    }),
  )
  const results = await Promise.all(walks)
  const counts: Counts = new Map()
  for (const [name, count] of results.flatMap((result) => [...result.counts])) {
    const sum = counts.get(name) ?? { done: 0, refused: 0, ms: 0 }
    counts.set(name, sum)
    for (const key of ['done', 'refused', 'ms'] as const) sum[key] += count[key]
  }
  const sandboxes = results.reduce((sum, result) => sum + result.sandboxes, 0)
  return { sandboxes, counts, violations: results.flatMap(({ violations }) => violations) }
}

type Counts = Map<string, { done: number; refused: number; ms: number }>

async function takeStep(stage: SandboxStage, counts: Counts, number: number): Promise<string[]> {
  const { name, run } = chooseStep(stage.random)
  const count = counts.get(name) ?? { done: 0, refused: 0, ms: 0 }
  counts.set(name, count)
  const started_ms = performance.now()
  const place = `step ${number} (${name})`
  const violations: string[] = []
  try {
    await run(stage)
    count.done++
  } catch (error) {
    const { status } = error as { readonly status?: unknown }
    if (typeof status !== 'number' || status >= 500) violations.push(`${place} failed: ${describeError(error)}`)
    count.refused++
  }
  count.ms += performance.now() - started_ms
  violations.push(...(await checkOrders(stage.app.database, stage.organization)).map((text) => `${place}: ${text}`))
  return violations
}

const describeError = (error: unknown): string => {
  const { problem, message, trace_id } = error as { problem?: string; message?: string; trace_id?: string }
  return `${problem ?? ''} ${message ?? String(error)} ${trace_id ?? ''}`.trim()
}

/** Lets everything of a sandbox end, and checks it with its journal. */
async function leaveStage({ app, client, organization }: SandboxStage): Promise<string[]> {
  const violations = await checkSandbox(app.database, organization)
  const { valid } = await client.call('billing.ledger.verify', {})
  if (!valid) violations.push('the chain of the journal does not verify')
  return violations.map((text) => `the sandbox ${organization}: ${text}`)
}

/** The sandboxes that a kill may have interrupted. */
export const listNewestSandboxes = async ({ database }: TestApp): Promise<string[]> => {
  const rows = await database.unscoped.query<{ organization_id: string }>(sql`
    select organization_id from sandboxes order by organization_id desc limit ${parallel_walks}`)
  return rows.map(({ organization_id }) => organization_id)
}

/** Checks the state that a killed process left. */
export async function checkInterrupted(app: TestApp): Promise<string[]> {
  const violations: string[] = []
  for (const organization of await listNewestSandboxes(app))
    for (const text of await checkSandbox(app.database, organization))
      violations.push(`after a kill, ${organization}: ${text}`)
  return violations
}
