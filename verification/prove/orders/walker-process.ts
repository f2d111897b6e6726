import { mkdir } from 'node:fs/promises'
import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createApp } from '../../../packages/server/src/app.ts'
import { createLogger } from '../../../packages/server/src/platform/log.ts'
import { readServerConfig } from '../../../packages/server/src/platform/config.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { createTestCrypto } from '../../../packages/server/test/test-crypto.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { createRandom } from '../random.ts'
import { checkSandbox } from './check-sandbox.ts'
import { resumeStage, type SandboxStage } from './stage.ts'
import { walk } from './walk.ts'

/** What the process writes to its output, one line of JSON each. */
export type WalkerLine = { readonly step: number } | { readonly violation: string } | { readonly done: true }

const say = (line: WalkerLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** Sandboxes that a kill may have interrupted. */
const max_checked_sandboxes = 3

/**
 * Walks with an application of its own, on the data of the processes that were killed before it: first it checks what they
 * left, then it goes on where the last one was.
 */
async function main(): Promise<void> {
  const config = readServerConfig()
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const app = await createApp({ config, log: createLogger({ level: config.log_level }), ...createTestCrypto() })
  const url = await app.start()
  const createClientFor: TestApp['createClientFor'] = (username, password) =>
    createClient({ baseUrl: url, token: createTokenSource(url, { username, password }) })
  const admin = createClientFor(config.admin_email, config.admin_password ?? '')
  const testApp: TestApp = { ...app, url, admin, createClientFor, close: () => app.stop() }
  const seed = Number(process.env['WALK_SEED'])
  await checkInterrupted(testApp)
  const first = await findInterruptedStage(testApp, seed)
  const result = await walk(testApp, {
    seed,
    steps: Number(process.env['WALK_STEPS']),
    first,
    onStep: (step) => say({ step }),
  })
  for (const violation of result.violations) say({ violation })
  say({ done: true })
  await app.stop()
}

const listNewestSandboxes = async ({ database }: TestApp): Promise<string[]> => {
  const rows = await database.unscoped.query<{ organization_id: string }>(sql`
    select organization_id from sandboxes order by organization_id desc limit ${max_checked_sandboxes}`)
  return rows.map(({ organization_id }) => organization_id)
}

/** Checks what a killed process left, and takes its lease away without waiting for it. */
async function checkInterrupted(app: TestApp): Promise<void> {
  await app.database.unscoped.query(sql`update sandboxes set lease_id = null, lease_until = null`)
  for (const organization of await listNewestSandboxes(app))
    for (const text of await checkSandbox(app.database, organization))
      say({ violation: `after a kill, ${organization}: ${text}` })
}

async function findInterruptedStage(app: TestApp, seed: number): Promise<SandboxStage | null> {
  const [organization] = await listNewestSandboxes(app)
  return organization === undefined ? null : resumeStage(app, createRandom(seed), organization)
}

await main()
