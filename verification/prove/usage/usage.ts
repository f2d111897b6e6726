import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { flush_interval_ms } from '../../../packages/server/src/domains/usage/call-meter.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { clientOf, login, serverSettings } from '../crash/crash-server.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { startServer } from '../server-process.ts'
import { compareCounts, type CountedOperation } from './compare-counts.ts'
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts'

/** Calls of the run, and how often the server is killed during it. */
const extents = { short: { calls: 2000, kills: 3 }, long: { calls: 50_000, kills: 12 } }
const senders = 8
/** The share of a round that is sent while the server is about to be killed. */
const late_share = 0.2
const max_uptime_ms = 1500
/** Writing the counts takes time, too, on a busy machine. */
const writing_ms = 5000

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
  readonly kills_ms: number[]
}

/**
 * Sends calls through a proxy that counts them, and kills the server now and then. The usage of the organization equals what
 * the proxy saw, except for calls that were answered less than the documented flush interval before a kill.
 */
export async function proveUsage({ short, seed }: ProofOptions): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-usage-'))
  const { calls, kills } = extents[short ? 'short' : 'long']
  const violations: string[] = []
  let server = await startServer(serverSettings(folder))
  const proxy = await startCountingProxy(server.url)
  const scenario: UsageScenario = { proxy, random: createRandom(seed), kills_ms: [] }
  const perRound = Math.ceil(calls / (kills + 1))
  try {
    await sendCalls(scenario, tokensOf(server.url), perRound)
    await server.stop()
    server = await startServer(serverSettings(folder))
    const exact = await compare(scenario, clientOf(server))
    if (exact.lost !== 0) violations.push(`${exact.lost} calls are missing although no process was killed`)
    for (let kill = 1; kill <= kills; kill++) {
      proxy.setTarget(server.url)
      const tokens = tokensOf(server.url)
      await sendCalls(scenario, tokens, Math.round(perRound * (1 - late_share)))
      await pause(flush_interval_ms + writing_ms)
      const sending = sendCalls(scenario, tokens, Math.round(perRound * late_share))
      await pause(scenario.random() * max_uptime_ms)
      scenario.kills_ms.push(performance.now())
      await server.kill()
      await sending
      server = await startServer(serverSettings(folder))
      console.log(`kill ${kill}/${kills}, ${proxy.calls.length} calls`)
    }
    const { lost, violations: found } = await compare(scenario, clientOf(server))
    violations.push(...exact.violations, ...found)
    const tried = `${proxy.calls.length} calls, ${kills} kills: ${lost} of the last ${flush_interval_ms / 1000} s before them are not counted`
    return { tried, violations }
  } finally {
    await server.stop()
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Tokens = ReturnType<typeof createTokenSource>

/** Tokens come from the server itself: signing in is not a call of an operation. */
const tokensOf = (url: string): Tokens => createTokenSource(url, login)

/** Sends calls through the proxy, some at a time; those that a kill interrupts are not repeated. */
async function sendCalls({ proxy, random }: UsageScenario, tokens: Tokens, count: number): Promise<void> {
  let left = count
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const [operation, input] = inputs[Math.floor(random() * inputs.length)]!
      const authorization = `Bearer ${await tokens()}`
      const headers = { authorization, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(input) }
      await fetch(`${proxy.url}/v1/op/${operation}`, request).then((response) => response.arrayBuffer(), ignoreBroken)
    }
  }
  await Promise.all(Array.from({ length: senders }, () => send().catch(ignoreBroken)))
}

/** The connection ends with the server. */
const ignoreBroken = (): void => undefined

async function compare({ proxy, kills_ms }: UsageScenario, client: Client) {
  const { organization } = await client.call<{ organization: { id: string } }>('users.me')
  const { operations } = await client.call<{ operations: CountedOperation[] }>('usage.current', {
    organization_id: organization.id,
  })
  // A call is younger than the interval if its count may not have been written before the kill.
  return compareCounts(proxy.calls, operations, { kills_ms, interval_ms: flush_interval_ms + writing_ms })
}
