import type { App } from '../../../packages/server/src/app.ts'
import { initialDatabaseContent } from '../../../packages/server/src/initial-content.ts'
import type { Config } from '../../../packages/server/src/platform/config.ts'
import { createDatabase } from '../../../packages/server/src/platform/database/connections.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { getDatabaseDriver } from '../../../packages/server/src/platform/database/raw.ts'
import { createTestSandbox } from '../../../packages/server/test/sandbox/sandboxes.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { checkSandbox } from './check-sandbox.ts'
import { killAtSteps, orderSteps, type StepKillMoment, type StepKiller } from './named-steps.ts'
import { checkInterrupted, startRestartedApp } from './restarted-app.ts'

/** A line of the output, in JSON: the violations that were found before it was ready, or the steps that killed it. */
export type StoryProcessLine = { readonly violations: readonly string[] } | { readonly killed: readonly string[] }

/** The results of the calls of the proof beside those of the product. */
export interface StoryProcessResults {
  readonly prepare: { readonly organization: string; readonly email: string }
  readonly arm: true
  readonly forget: true
  readonly check: readonly string[]
}

interface ProofQuery {
  readonly organization?: string
  readonly moment?: StepKillMoment
}

const killer: StepKiller = {
  moment: null,
  passed: new Set(JSON.parse(process.env['PASSED_STEPS'] ?? '[]') as string[]),
}

const openKillableDatabase = async (config: Config): Promise<Database> => {
  const opened = await openDatabase(config, undefined, initialDatabaseContent)
  return createDatabase(killAtSteps(getDatabaseDriver(opened), killer, orderSteps), () => {})
}

type ProofHandlers = {
  readonly [Name in keyof StoryProcessResults]: (app: TestApp, query: ProofQuery) => Promise<StoryProcessResults[Name]>
}

const handlers: ProofHandlers = {
  prepare: async (app) => {
    const { organization, email } = await createTestSandbox(app)
    return { organization, email }
  },
  arm: async (_app, { moment }) => {
    killer.moment = moment ?? null
    return true
  },
  forget: async () => {
    killer.passed.clear()
    return true
  },
  check: ({ database }, { organization = '' }) => checkSandbox(database, organization),
}

function addProofRoutes({ fastify }: App, testApp: () => TestApp): void {
  for (const [name, handle] of Object.entries(handlers))
    fastify.post(`/proof/${name}`, async (request, reply) => {
      const result = await handle(testApp(), request.query as ProofQuery)
      return reply.type('application/json').send(JSON.stringify(result))
    })
}

/** The product with a sandbox whose orders kill it at their steps, on the data that the process before it left. */
async function main(): Promise<void> {
  const app = await startRestartedApp({ openDatabase: openKillableDatabase, addRoutes: addProofRoutes })
  const line: StoryProcessLine = { violations: await checkInterrupted(app) }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  process.once('SIGTERM', () => void app.close())
}

await main()
