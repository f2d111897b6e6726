import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { advanceSandbox, createTestSandbox, listSandboxEvents } from './sandboxes.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const folder = new URL('../../../../docs/sandbox/', import.meta.url)

/** One step of a story, as its page writes it in JSON. */
type Step =
  | {
      readonly as?: 'administrator'
      readonly call: string
      readonly input: Readonly<Record<string, unknown>>
      readonly save?: Readonly<Record<string, string>>
      readonly expect?: Readonly<Record<string, unknown>>
      /** The name of the problem that the call ends with. */
      readonly problem?: string
    }
  /** Types of events that have happened by then. */
  | { readonly events: readonly string[] }

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

const readSteps = (file: string): Step[] =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/```json\n(.*?)```/gs)].map(
    ([, text = '']) => JSON.parse(text) as Step,
  )

/** The member at a path such as `features.0.id`. */
const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, name) => (part as Record<string, unknown> | null)?.[name], value)

/** The value with each `{{name}}` replaced by what was saved. */
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

async function runStep(owner: Client, step: Step, saved: Record<string, unknown>): Promise<void> {
  if ('events' in step) {
    const types = new Set((await listSandboxEvents(owner)).map((event) => event.event_type))
    assert.deepEqual(
      step.events.filter((type) => !types.has(type)),
      [],
    )
    return
  }
  const client = step.as === 'administrator' ? app.admin : owner
  const input = fillIn(step.input, saved) as object
  if (step.problem !== undefined) {
    await assert.rejects(runCall(client, step.call, input), { problem: step.problem })
    return
  }
  const output = await runCall(client, step.call, input)
  for (const [name, path] of Object.entries(step.save ?? {})) saved[name] = memberAt(output, path)
  for (const [path, expected] of Object.entries(step.expect ?? {}))
    assert.deepEqual(memberAt(output, path), expected, `${step.call}: ${path} in ${JSON.stringify(output)}`)
}

for (const file of readdirSync(folder).filter((name) => name !== 'README.md')) {
  test(`the story ${file} happens as its page says`, async () => {
    const { client, organization } = await createTestSandbox(app)
    const saved: Record<string, unknown> = { organization }
    const steps = readSteps(file)
    assert.ok(steps.length > 1)
    for (const step of steps) await runStep(client, step, saved)
  })
}
