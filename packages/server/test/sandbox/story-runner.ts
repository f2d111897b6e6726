import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from '@swath/client/client.ts'
import { newId } from '../../src/platform/ids.ts'
import { advanceSandbox, createTestSandbox, listSandboxEvents } from './sandboxes.ts'
import type { TestApp } from '../test-app.ts'

const folder = new URL('./stories/', import.meta.url)

/** One step of a story; its text is for readers. */
export type StoryStep =
  | {
      readonly as?: 'administrator' | 'colleague'
      readonly call: string
      readonly input: Readonly<Record<string, unknown>>
      readonly save?: Readonly<Record<string, string>>
      readonly expect?: Readonly<Record<string, unknown>>
      /** The name of the problem that the call ends with. */
      readonly problem?: string
    }
  /** Types of events that have happened by then. */
  | { readonly events: readonly string[] }

/** A sandbox in which a story runs, and the values that its steps have saved. */
export interface StoryStage {
  readonly app: Pick<TestApp, 'admin' | 'createClientFor'>
  readonly owner: Client
  readonly saved: Record<string, unknown>
  /** Calls an operation; absent: once, and the clock is advanced with as many calls as that takes. */
  readonly call?: typeof runCall
}

/** The names of all stories. */
export const listStories = (): string[] => readdirSync(folder).map((file) => file.replace('.json', ''))

export const readStory = (name: string): StoryStep[] =>
  (JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as { steps: StoryStep[] }).steps

/** Runs the steps of a story in a new sandbox; `onStep` is called after each of them. */
export async function runStory(
  app: TestApp,
  steps: readonly StoryStep[],
  onStep: (sandbox: { readonly organization: string; readonly client: Client }) => Promise<void>,
): Promise<void> {
  const sandbox = await createTestSandbox(app)
  const stage = createStoryStage(app, sandbox.client, sandbox.organization)
  for (const step of steps) {
    await runStoryStep(stage, step)
    await onStep(sandbox)
  }
}

/** The stage of a story that begins. */
export const createStoryStage = (app: StoryStage['app'], owner: Client, organization: string): StoryStage => ({
  app,
  owner,
  saved: { organization, colleague: `${newId()}@example.org` },
})

/** The member at a path such as `features.0.id`. */
const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, name) => (part as Record<string, unknown> | null)?.[name], value)

/** The value with each `{{name}}` replaced by the saved value. */
function fillIn(value: unknown, saved: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const path = /^\{\{(.+)\}\}$/.exec(value)?.[1]
    return path === undefined ? value : memberAt(saved, path)
  }
  if (Array.isArray(value)) return value.map((entry) => fillIn(entry, saved))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fillIn(entry, saved)]))
}

async function runCall(client: Client, operation: string, input: object): Promise<unknown> {
  if (operation === 'sandbox.clock.advance' && 'seconds' in input) return advanceSandbox(client, Number(input.seconds))
  return client.call(operation as never, input as never)
}

function findCaller({ app, owner, saved }: StoryStage, as: 'administrator' | 'colleague' | undefined): Client {
  if (as === 'administrator') return app.admin
  return as === 'colleague' ? app.createClientFor(String(saved['colleague']), String(saved['password'])) : owner
}

/** Runs one step; throws if it ends in another way than it says. */
export async function runStoryStep(stage: StoryStage, step: StoryStep): Promise<void> {
  const { owner, saved, call = runCall } = stage
  if ('events' in step) {
    const types = new Set((await listSandboxEvents(owner)).map((event) => event.event_type))
    assert.deepEqual(
      step.events.filter((type) => !types.has(type)),
      [],
    )
    return
  }
  const client = findCaller(stage, step.as)
  const input = fillIn(step.input, saved) as object
  if (step.problem !== undefined) {
    await assert.rejects(call(client, step.call, input), { problem: step.problem }, JSON.stringify(step))
    return
  }
  const output = await call(client, step.call, input)
  for (const [name, path] of Object.entries(step.save ?? {})) {
    saved[name] = memberAt(output, path)
    assert.notEqual(saved[name], undefined, `${step.call}: no ${path} in ${JSON.stringify(output)}`)
  }
  for (const [path, expected] of Object.entries(step.expect ?? {}))
    assert.deepEqual(
      memberAt(output, path),
      fillIn(expected, saved),
      `${step.call}: ${path} in ${JSON.stringify(output)}`,
    )
}
