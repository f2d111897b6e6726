import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { CommandFailure, usageFailure } from '../failures.ts'

/** One step of a story, as the stories of the platform's own tests have them. */
export interface StoryStep {
  readonly text?: string
  readonly call?: string
  readonly input?: Readonly<Record<string, unknown>>
  /** Names for members of the output: `{ order: 'id' }`; later steps write them as `{{order}}`. */
  readonly save?: Readonly<Record<string, string>>
  readonly expect?: Readonly<Record<string, unknown>>
  /** The problem that the call ends with. */
  readonly problem?: string
  /** Types of events that have happened by then. */
  readonly events?: readonly string[]
}

export interface Story {
  readonly title?: string
  readonly steps: readonly StoryStep[]
}

/** Checks a document that was read from a file. */
export function checkStory(document: unknown, path: string): Story {
  const { steps } = (document ?? {}) as Partial<Story>
  if (!Array.isArray(steps)) throw usageFailure(`${path} needs a list "steps".`)
  for (const [index, step] of steps.entries()) {
    const { call, events, as } = step as StoryStep & { as?: unknown }
    if (as !== undefined) throw usageFailure(`${path}: step ${index + 1} acts as somebody else, which only the platform's own tests can.`) // prettier-ignore
    if (typeof call !== 'string' && !Array.isArray(events)) throw usageFailure(`${path}: step ${index + 1} needs "call" or "events".`) // prettier-ignore
  }
  return document as Story
}

/** Runs a step; throws a sentence if it ends in another way than it says. `saved` gets what it saves. */
export async function runStoryStep(client: Client, step: StoryStep, saved: Record<string, unknown>): Promise<void> {
  if (step.events) return expectEvents(client, step.events)
  const id = step.call!
  const input = fillIn(step.input ?? {}, saved) as Record<string, unknown>
  const output = await callStep(client, id, input).catch((error: unknown) => {
    if (step.problem !== undefined && error instanceof ApiProblem && error.problem === step.problem) return null
    throw error
  })
  if (step.problem !== undefined) {
    if (output !== null) throw differs(step, `${id} succeeded, and should end with ${step.problem}`)
    return
  }
  for (const [name, path] of Object.entries(step.save ?? {})) saved[name] = memberAt(output, path)
  for (const [path, expected] of Object.entries(step.expect ?? {})) {
    const [found, wanted] = [memberAt(output, path), fillIn(expected, saved)]
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      throw differs(step, `${path} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
  }
}

/** An advance that takes longer than a call waits goes on. */
async function callStep(client: Client, id: string, input: Record<string, unknown>): Promise<unknown> {
  if (id !== 'sandbox.clock.advance') return client.call<unknown>(id, input)
  let result = await client.call<{ reached: boolean; target: string }>('sandbox.clock.advance', input)
  while (!result.reached) result = await client.call('sandbox.clock.advance', { to: result.target })
  return result
}

const differs = ({ text, call }: StoryStep, what: string): CommandFailure =>
  new CommandFailure('failure', `The story goes another way at "${text ?? call}": ${what}.`)

/** The member at a path such as `features.0.id`. */
const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], value)

/** The value with each `{{name}}` replaced by the saved value. */
export function fillIn(value: unknown, saved: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const path = /^\{\{(.+)\}\}$/.exec(value)?.[1]
    return path === undefined ? value : memberAt(saved, path)
  }
  if (Array.isArray(value)) return value.map((entry) => fillIn(entry, saved))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fillIn(entry, saved)]))
}

async function expectEvents(client: Client, types: readonly string[]): Promise<void> {
  const missing: string[] = []
  for (const event_type of types) {
    const { events } = await client.call('events.list', { event_type, limit: 1 })
    if (events.length === 0) missing.push(event_type)
  }
  if (missing.length > 0) throw new CommandFailure('failure', `These events have not happened: ${missing.join(', ')}.`)
}
