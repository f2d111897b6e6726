import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { listSandboxEvents, numberIds } from '../../../packages/server/test/sandbox/sandboxes.ts'
import {
  createStoryStage,
  listStories,
  readStory,
  runStoryStep,
} from '../../../packages/server/test/sandbox/story-runner.ts'
import { testPassword } from '../../../packages/server/test/test-organizations.ts'
import { startKillableServer, type KillableServer } from '../harness/killable-server.ts'
import type { StepKillMoment } from '../harness/kill-points.ts'
import { createRandom } from '../harness/random.ts'
import { createConfiguredDatabase, createFolder } from '../harness/resources.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const program = fileURLToPath(new URL('story-process.ts', import.meta.url))
const moments: readonly StepKillMoment[] = ['before', 'after']
/** The seed chooses one of them for the short form, in which steps are killed at either moment, or not. */
const short_stories: readonly string[] = ['tasking-study', 'tasking-cancelled-with-fee']
const short_share = 0.6
const max_kills_per_call = 40

/**
 * Plays the stories of tasking orders while the server is killed at each named step of their way, once before the step
 * is durable and once right after it: a status, a sub-status, a decision, a hold and its resolution, a task of a host.
 * Each killed call is repeated. Every story ends as defined, with the events of a run without kills, and every hold is
 * right after every kill.
 */
export async function proveKilledStories({ short, seed, only = '' }: ProofOptions): Promise<ProofResult> {
  const names = listStories().filter(
    (name) =>
      name.startsWith('tasking-') &&
      name.includes(only) &&
      (!short || only !== '' || name === short_stories[seed % short_stories.length]),
  )
  await using folder = await createFolder('stories')
  await using database = await createConfiguredDatabase()
  await using server = await startKillableServer({ folder: folder.path, database_url: database.url, program })
  const violations: string[] = []
  const random = createRandom(seed)
  const chooseAtRandom: ChooseMoment = () =>
    random() < short_share ? moments[Math.floor(random() * moments.length)]! : null
  const kinds: readonly (readonly [when: string, choose: ChooseMoment])[] = short
    ? [['before or after', chooseAtRandom]]
    : moments.map((moment) => [moment, () => moment])
  for (const name of names) {
    const expected = await playStory(server, name, () => null)
    violations.push(...expected.violations)
    for (const [when, choose] of kinds) {
      const kills = server.kills
      const played = await playStory(server, name, choose)
      violations.push(...played.violations)
      if (played.events !== expected.events)
        violations.push(`${name}: ${describeDifference(expected.events, played.events)}`)
      console.log(`${name}: ${server.kills - kills} kills ${when} a step, ${violations.length} violations`)
    }
  }
  return { tried: `${server.kills} kills at steps of ${names.length} stories of tasking orders`, violations }
}

interface PlayedStory {
  readonly events: string
  readonly violations: readonly string[]
}

/** The moment at which the next step is killed; null for none. */
type ChooseMoment = () => StepKillMoment | null

/** Plays a story in a new sandbox. */
async function playStory(server: KillableServer, name: string, choose: ChooseMoment): Promise<PlayedStory> {
  server.passed.clear()
  const { organization, email } = await server.ask<{ organization: string; email: string }>('prepare')
  const createClientFor = (username: string, password: string): Client =>
    createClient({ baseUrl: server.url, token: createTokenSource(server.url, { username, password }) })
  const app = { admin: server.client, createClientFor }
  const owner = createClientFor(email, testPassword)
  const violations: string[] = []
  const call = createRepeatingCaller(server, { sandbox: organization, choose, violations })
  const found: string[] = []
  try {
    const stage = { ...createStoryStage(app, owner, organization), call }
    for (const step of readStory(name)) await runStoryStep(stage, step)
  } catch (error) {
    found.push((error as Error).message)
  }
  await server.arm(null)
  found.push(...(await server.ask<string[]>('check', { organization })))
  violations.push(...found.map((text) => `${name}: ${text}`))
  return { events: numberIds(await listSandboxEvents(owner)), violations }
}

type StoryCall = (client: Client, operation: string, input: object) => Promise<unknown>

interface StoryKills {
  /** In the keys of the calls, because those of the administrator belong to one organization in all stories. */
  readonly sandbox: string
  readonly choose: ChooseMoment
  readonly violations: string[]
}

/** Calls until there is a response; calls that may be repeated are killed at their steps. */
function createRepeatingCaller(server: KillableServer, { sandbox, choose, violations }: StoryKills): StoryCall {
  let calls = 0
  const repeat = async (client: Client, operation: string, input: object): Promise<unknown> => {
    const isIdempotent = findOperation(operation)?.idempotent === true
    const options = isIdempotent ? { idempotencyKey: `${sandbox} call ${calls++}` } : {}
    const isRepeatable = isIdempotent || operation === 'sandbox.clock.advance'
    for (let kills = 0; kills < max_kills_per_call; kills++) {
      await server.arm(isRepeatable ? choose() : null)
      try {
        return await client.call(operation, input, options)
      } catch (error) {
        if (typeof (error as { status?: unknown }).status === 'number' || !(await server.hasDied())) throw error
        await server.start()
        violations.push(...(await server.ask<string[]>('interrupted')))
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
