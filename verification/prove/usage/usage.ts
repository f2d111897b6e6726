import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { call_count_flush_interval_ms } from '../../../packages/server/src/domains/usage/call-meter.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { createFolder, closeAtEnd } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import { compareCounts, type CountedOperation, type UnwrittenPeriod } from './compare-counts.ts'
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts'

/** Calls of the run, and how often the server is killed during it. */
const extents = { short: { calls: 1000, kills: 1 }, long: { calls: 50_000, kills: 12 } }
const senders = 8
/** The share of a round that is sent while the server is about to be killed. */
const late_share = 0.2
const max_uptime_ms = 1500
/** Writing the counts takes time, too: milliseconds, and more on a busy machine. */
const max_writing_ms = 60_000
const poll_ms = 100

/** Reads that answer, and one that is refused; not those that the comparison itself calls. */
const inputs: readonly (readonly [operation: string, input: object])[] = [
  ['projects.list', {}],
  ['glossary.collections.list', {}],
  ['eulas.list', {}],
  ['items.get', { item_id: newId() }],
]

interface UsageScenario {
  readonly proxy: CountingProxy
  readonly random: () => number
  /** In which calls may be answered that are never counted. */
  readonly periods: UnwrittenPeriod[]
}

/**
 * Sends calls through a proxy that counts them, and kills the server now and then. The usage of the organization equals what
 * the proxy saw, except for calls that were answered after the last write before a kill; such a write follows each call within the
 * flush interval and the time that it takes.
 */
export async function proveUsage({ short, seed }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('usage')
  const { calls, kills } = extents[short ? 'short' : 'long']
  const violations: string[] = []
  await using server = await startServer({ SWATH_DATA_DIR: folder.path })
  await using proxy = closeAtEnd(await startCountingProxy(server.url))
  const scenario: UsageScenario = { proxy, random: createRandom(seed), periods: [] }
  let longest_ms = 0
  const perRound = Math.ceil(calls / (kills + 1))
  await sendCalls(scenario, server.token, perRound)
  await server.stop()
  await server.start()
  const exact = await compare(scenario, server.client)
  if (exact.lost !== 0) violations.push(`${exact.lost} calls are missing although no process was killed`)
  for (let kill = 1; kill <= kills; kill++) {
    proxy.setTarget(server.url)
    const { token } = server
    await sendCalls(scenario, token, Math.round(perRound * (1 - late_share)))
    const waited_ms = await waitUntilWritten(server.url)
    longest_ms = Math.max(longest_ms, waited_ms)
    if (waited_ms > call_count_flush_interval_ms + max_writing_ms)
      violations.push(`calls were not written in ${waited_ms} ms`)
    const from_ms = performance.now()
    const sending = sendCalls(scenario, token, Math.round(perRound * late_share))
    await pause(scenario.random() * max_uptime_ms)
    await server.kill()
    await sending
    // Answers that the server sent just before the kill arrive at the proxy after it.
    scenario.periods.push({ from_ms, to_ms: performance.now() })
    await server.start()
    console.log(`kill ${kill}/${kills}, ${proxy.calls.length} calls`)
  }
  const { lost, violations: found } = await compare(scenario, server.client)
  violations.push(...exact.violations, ...found)
  const tried = `${proxy.calls.length} calls, ${kills} kills: ${lost} of those since the last write before them are not counted; a write followed within ${(longest_ms / 1000).toFixed(1)} s`
  return { tried, violations }
}

/** Waits until the server has no count that is not written; returns how long that took. A server that is stuck ends it. */
async function waitUntilWritten(url: string): Promise<number> {
  const begin_ms = performance.now()
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const unwritten = /^swath_usage_unwritten_calls (\d+)$/m.exec(text)?.[1]
    if (unwritten === undefined) throw new Error('the server has no metric of unwritten calls')
    const waited_ms = performance.now() - begin_ms
    if (unwritten === '0' || waited_ms > 2 * max_writing_ms) return waited_ms
    await pause(poll_ms)
  }
}

/** Sends calls through the proxy, some at a time; those that a kill interrupts are not repeated. */
async function sendCalls({ proxy, random }: UsageScenario, token: () => Promise<string>, count: number): Promise<void> {
  let left = count
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const [operation, input] = inputs[Math.floor(random() * inputs.length)]!
      const authorization = `Bearer ${await token()}`
      const headers = { authorization, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(input) }
      await fetch(`${proxy.url}/v1/op/${operation}`, request).then((response) => response.arrayBuffer(), ignoreBroken)
    }
  }
  await Promise.all(Array.from({ length: senders }, () => send().catch(ignoreBroken)))
}

/** The connection ends with the server. */
const ignoreBroken = (): void => undefined

async function compare({ proxy, periods }: UsageScenario, client: Client) {
  const { organization } = await client.call<{ organization: { id: string } }>('users.me')
  const { operations } = await client.call<{ operations: CountedOperation[] }>('usage.current', {
    organization_id: organization.id,
  })
  return compareCounts(proxy.calls, operations, periods)
}
