import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { startProofApp } from '../harness/proof-app.ts'
import { createRandom } from '../harness/random.ts'
import { resumeStage, type SandboxStage } from './stage.ts'
import { checkInterrupted, listNewestSandboxes, walkInParallel } from './walk.ts'

/** A line of the output of the process, in JSON. */
export type WalkerLine =
  | { readonly started: true }
  | { readonly step: true }
  | { readonly violation: string }
  | { readonly done: true }

const say = (line: WalkerLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

async function findInterruptedStages(app: TestApp, seed: number): Promise<SandboxStage[]> {
  const organizations = await listNewestSandboxes(app)
  const stages = organizations.map((organization, index) => resumeStage(app, createRandom(seed + index), organization))
  return (await Promise.all(stages)).filter((stage) => stage !== null)
}

// Walks on the data of the processes that were killed before it: first it checks the state that they left, then it goes on
// where the last one was.
const app = await startProofApp()
const seed = Number(process.env['WALK_SEED'])
for (const violation of await checkInterrupted(app)) say({ violation })
const firsts = await findInterruptedStages(app, seed)
say({ started: true })
await walkInParallel(app, {
  seed,
  steps: Number(process.env['WALK_STEPS']),
  firsts,
  onStep: () => say({ step: true }),
  onViolation: (violation) => say({ violation }),
})
say({ done: true })
await app.close()
