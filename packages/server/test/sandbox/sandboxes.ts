import type { Client } from '@swath/client/client.ts'
import { createTestUser } from '../test-organizations.ts'
import type { OrderJson } from '../orders.ts'
import type { TestApp } from '../test-app.ts'

export interface TestSandbox {
  readonly organization: string
  /** The e-mail of its owner, whose password is that of every user of a test. */
  readonly email: string
  readonly client: Client
}

/** Creates a sandbox organization with an owner and a project. */
export async function createTestSandbox(
  app: TestApp,
  { seed = 'test', time = '2026-01-10T09:00:00.000Z' }: { readonly seed?: string; readonly time?: string } = {},
): Promise<TestSandbox> {
  const user = await createTestUser(app)
  const { id: organization } = await user.client.call<{ id: string }>('organizations.create', {
    name: 'Sandbox',
    sandbox: true,
    sandbox_seed: seed,
    sandbox_time: time,
  })
  const client = app.createClientFor(user.email, user.password)
  await client.call('projects.create', { name: 'Fields' })
  return { organization, email: user.email, client }
}

/** Advances the clock to the end, with as many calls as that takes. Returns the time that it reached. */
export async function advanceSandbox(client: Client, seconds: number): Promise<string> {
  let result = await client.call('sandbox.clock.advance', { seconds })
  while (!result.reached) result = await client.call('sandbox.clock.advance', { to: result.target })
  return result.now
}

/** An order of the sandbox as its owner sees it. */
export const readOrder = ({ client }: TestSandbox, order_id: string): Promise<OrderJson> =>
  client.call('orders.get', { order_id })

export interface SandboxEvent {
  readonly event_type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** All events of the organization, oldest first. */
export async function listSandboxEvents(client: Client): Promise<SandboxEvent[]> {
  const events: SandboxEvent[] = []
  for (let next: string | undefined; ;) {
    const page = await client.call('events.list', { limit: 100, ...(next === undefined ? {} : { next }) })
    events.push(...page.events)
    if (page.next === undefined) return events.toReversed()
    next = page.next
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The text of events in which each id is replaced by the number of its first appearance. */
export function numberIds(events: readonly object[]): string {
  const numbers = new Map<string, string>()
  return JSON.stringify(events).replaceAll(uuid, (id) => {
    const number = numbers.get(id) ?? `id-${numbers.size + 1}`
    numbers.set(id, number)
    return number
  })
}
