import { findCaptures } from '../../../packages/server/test/orders.ts'
import {
  advanceSandbox,
  createTestSandbox,
  listSandboxEvents,
  numberIds,
  type TestSandbox,
} from '../../../packages/server/test/sandbox/sandboxes.ts'
import { startTestApp, type TestApp } from '../../../packages/server/test/test-app.ts'
import { createBox } from '../harness/demo-scene.ts'
import { createRandom } from '../harness/random.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { closeAtEnd } from '../harness/resources.ts'

const hour_s = 3600
const day_s = 24 * hour_s
const max_month_ms = 60_000
const scenes = ['naip-va-18n', 'naip-va-17n']
/** The scenarios that an order is placed in; null for none. */
const scenarios = [
  null,
  null,
  null,
  null,
  { kind: 'host.delay', seconds: 2 * hour_s },
  { kind: 'host.fail', times: 2 },
  { kind: 'host.refuse_order' },
  { kind: 'host.wrong_checksum', deliveries: 1 },
  { kind: 'host.lose_response' },
] as const

interface Month {
  readonly orders: number
  readonly tasks: number
}

/** A month in a sandbox: orders and tasks spread over its first days, retention and its end. Returns its events. */
async function playMonth(app: TestApp, seed: number, { orders, tasks }: Month): Promise<string> {
  const draw = createRandom(seed)
  const { client } = await createTestSandbox(app, { seed: String(seed), time: '2026-01-02T00:00:00.000Z' })
  const captures = await findCaptures(client, 'commercial', scenes)
  for (let order = 0; order < orders; order++) {
    const scenario = scenarios[Math.floor(draw() * scenarios.length)]
    if (scenario) await client.call('sandbox.scenario.run', { scenario })
    await client.call('orders.archive.place', { captures: [captures[order % captures.length]!] })
    if (order % (orders / tasks) === 0) await placeTask(client, draw)
    if (order % 10 === 9) await advanceSandbox(client, 5 * hour_s)
  }
  await advanceSandbox(client, 35 * day_s)
  return numberIds(await listSandboxEvents(client))
}

/** Orders the acquisition of a new place, with a new plan after clouds. */
async function placeTask(client: TestSandbox['client'], draw: () => number): Promise<void> {
  const [west, south] = [Math.round(draw() * 100), Math.round(draw() * 50)]
  const geometry = createBox(west, south, west + 0.05, south + 0.05)
  const params = { maxCloudCover: 40, replan: draw() < 0.5 }
  const dataProduct = 'constellation:tasking-10m'
  await client.call('orders.tasking.place', { dataProduct, groups: [{ geometry }], params } as never)
}

/**
 * A month of a sandbox organization is played twice with one seed: the same events, each time in less than a minute. The short
 * form runs beside other work and does not judge the time.
 */
export async function proveSandbox({ short, seed }: ProofOptions): Promise<ProofResult> {
  const month = short ? { orders: 10, tasks: 2 } : { orders: 100, tasks: 20 }
  await using app = closeAtEnd(await startTestApp())
  const violations: string[] = []
  const months: string[] = []
  const seconds: number[] = []
  for (const _time of [1, 2]) {
    const started_ms = performance.now()
    months.push(await playMonth(app, seed, month))
    const spent_ms = performance.now() - started_ms
    seconds.push(Math.round(spent_ms / 100) / 10)
    if (!short && spent_ms > max_month_ms) violations.push(`a month took ${Math.round(spent_ms / 1000)} s`)
  }
  if (months[0] !== months[1]) violations.push('the same seed gave other events')
  const count = (JSON.parse(months[0]!) as unknown[]).length
  return {
    tried: `two months of ${month.orders} orders and ${month.tasks} tasks with ${count} events each, in ${seconds.join(' s and ')} s`,
    violations,
  }
}
