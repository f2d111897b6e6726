import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { createDatabaseIfServer } from '../../../packages/server/test/database.ts'
import { listSandboxEvents, numberIds } from '../../../packages/server/test/sandbox/sandboxes.ts'
import {
  createStoryStage,
  listStories,
  readStory,
  runStoryStep,
} from '../../../packages/server/test/sandbox/story-runner.ts'
import { testPassword } from '../../../packages/server/test/test-organizations.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import type { StepKillMoment } from './named-steps.ts'
import { login, StoryServer } from './story-server.ts'

const moments: readonly StepKillMoment[] = ['before', 'after']
/** The stories of the short form, with the moments of their kills. */
const short_stories: Readonly<Record<string, readonly StepKillMoment[]>> = {
  'tasking-study': ['before'],
  'tasking-cancelled-with-fee': ['after'],
}
const max_kills_per_call = 40

/**
 * Plays the stories of tasking orders while the server is killed at each named step of their way, once before the step
 * is durable and once right after it: a status, a sub-status, a decision, a hold and its resolution, a task of a host.
 * Each killed call is repeated. Every story ends as defined, with the events of a run without kills, and every hold is
 * right after every kill.
 */
export async function proveKilledStories({ short, only = '' }: ProofOptions): Promise<ProofResult> {
  const names = listStories().filter(
    (name) => name.startsWith('tasking-') && name.includes(only) && (!short || Object.hasOwn(short_stories, name)),
  )
  const folder = await mkdtemp(join(tmpdir(), 'swath-stories-'))
  const database = await createDatabaseIfServer()
  const server = await StoryServer.open(folder, database?.url ?? null)
  // One for all stories, because the number of sign-ins of an account is limited.
  const admin = createClient({ baseUrl: server.url, token: createTokenSource(server.url, login) })
  const violations: string[] = []
  try {
    for (const name of names) {
      const expected = await playStory(server, admin, name, null)
      violations.push(...expected.violations)
      for (const moment of short ? short_stories[name]! : moments) {
        const kills = server.kills
        const played = await playStory(server, admin, name, moment)
        violations.push(...played.violations)
        if (played.events !== expected.events)
          violations.push(`${name}: ${describeDifference(expected.events, played.events)}`)
        console.log(`${name}: ${server.kills - kills} kills ${moment} a step, ${violations.length} violations`)
      }
    }
    const tried = `${server.kills} kills at steps of ${names.length} stories of tasking orders`
    return { tried, violations: [...violations, ...server.violations] }
  } finally {
    await server.close()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface PlayedStory {
  readonly events: string
  readonly violations: readonly string[]
}

/** Plays a story in a new sandbox; null kills nothing. */
async function playStory(
  server: StoryServer,
  admin: Client,
  name: string,
  moment: StepKillMoment | null,
): Promise<PlayedStory> {
  await server.forgetSteps()
  const { organization, email } = await server.ask('prepare')
  const createClientFor = (username: string, password: string): Client =>
    createClient({ baseUrl: server.url, token: createTokenSource(server.url, { username, password }) })
  const app = { admin, createClientFor }
  const owner = createClientFor(email, testPassword)
  const caller = createRepeatingCaller(server, organization, moment)
  const violations: string[] = []
  try {
    const stage = { ...createStoryStage(app, owner, organization), call: caller }
    for (const step of readStory(name)) await runStoryStep(stage, step)
  } catch (error) {
    violations.push(`${name}, killed ${moment} its steps: ${(error as Error).message}`)
  }
  await server.arm(null)
  const found = await server.ask('check', { organization })
  violations.push(...found.map((text) => `${name}, killed ${moment} its steps: ${text}`))
  return { events: numberIds(await listSandboxEvents(owner)), violations }
}

type StoryCall = (client: Client, operation: string, input: object) => Promise<unknown>

/**
 * Calls until there is a response; calls that may be repeated are killed at their steps.
 *
 * @param sandbox in the keys of the calls, because those of the administrator belong to one organization in all stories.
 */
function createRepeatingCaller(server: StoryServer, sandbox: string, moment: StepKillMoment | null): StoryCall {
  let calls = 0
  const repeat = async (client: Client, operation: string, input: object): Promise<unknown> => {
    const isIdempotent = findOperation(operation)?.idempotent === true
    const options = isIdempotent ? { idempotencyKey: `${sandbox} call ${calls++}` } : {}
    const isRepeatable = isIdempotent || operation === 'sandbox.clock.advance'
    for (let kills = 0; kills < max_kills_per_call; kills++) {
      await server.arm(isRepeatable ? moment : null)
      try {
        return await client.call(operation, input, options)
      } catch (error) {
        if (typeof (error as { status?: unknown }).status === 'number' || !(await server.hasDied())) throw error
        await server.start()
      }
    }
    throw new Error(`${operation} was killed ${max_kills_per_call} times`)
  }
  return async (client, operation, input) => {
    if (operation !== 'sandbox.clock.advance') return repeat(client, operation, input)
    return advanceClock(client, input, repeat)
  }
}

/** Advances to a time, so that a repeated call advances no further. */
async function advanceClock(
  client: Client,
  input: { readonly seconds?: number; readonly to?: string },
  call: StoryCall,
): Promise<unknown> {
  const { now } = await client.call('sandbox.clock.get', {})
  const to = input.to ?? new Date(Date.parse(now) + (input.seconds ?? 0) * 1000).toISOString()
  for (;;) {
    const result = (await call(client, 'sandbox.clock.advance', { to })) as { readonly reached: boolean }
    if (result.reached) return result
  }
}

const context_length = 200

/** Where two texts of events begin to differ. */
function describeDifference(expected: string, found: string): string {
  const at = [...expected].findIndex((letter, index) => letter !== found[index])
  const around = (text: string): string => text.slice(Math.max(0, at - context_length), at + context_length)
  return `without kills ${around(expected)}, with them ${around(found)}`
}
