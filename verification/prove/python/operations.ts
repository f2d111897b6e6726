import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Client } from '@swath/client/client.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import { readExamples } from '../../../packages/server/test/contract/examples/reads.ts'
import { writeExamples } from '../../../packages/server/test/contract/examples/writes.ts'
import { createContractFixtures, type ContractFixtures } from '../../../packages/server/test/contract/fixtures.ts'
import { licensedHostsFile } from '../../../packages/server/test/hosts/licensed-hosts.ts'
import { startTestApp } from '../../../packages/server/test/test-app.ts'
import { resolveBeside } from '../harness/programs.ts'

/** An operation with the input of its example, and the token of who may call it. */
export interface ExampleCall {
  readonly id: string
  readonly input: object
  readonly token: string
}

export interface OperationResult {
  readonly tried: number
  readonly violations: readonly string[]
  /** The calls of one form, for a program that is checked. */
  readonly calls: readonly ExampleCall[]
}

/** Of a started app most examples of writes succeed; the others are refused as the contract declares it. */
const min_successful_share = 0.7

/** Calls the example of every operation through the blocking and the asynchronous tree of the package. */
export async function callEveryOperation(python: string): Promise<OperationResult> {
  const app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  try {
    const violations: string[] = []
    let [tried, calls]: [number, ExampleCall[]] = [0, []]
    for (const form of ['blocking', 'asynchronous']) {
      calls = await prepareCalls(await createContractFixtures(app))
      const outcomes = (await runOperations(python, 'call', { url: app.url, form, calls })) as Record<string, string>
      tried += Object.keys(outcomes).length
      violations.push(...judgeOutcomes(outcomes).map((violation) => `${form}: ${violation}`))
    }
    return { tried, violations, calls }
  } finally {
    await app.close()
  }
}

/** Runs `operations.py` with a request; returns what it prints. */
export async function runOperations(python: string, command: string, request: object): Promise<unknown> {
  const script = resolveBeside(import.meta.url, './operations.py')
  const child = spawn(python, ['-W', 'error', script, command], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(JSON.stringify(request))
  const output = await text(child.stdout)
  const [code] = await closed
  if (code !== 0) throw new Error(`operations.py ${command} ended with ${code}`)
  return JSON.parse(output)
}

/** Reads come first: writes delete what they read. */
async function prepareCalls(fixtures: ContractFixtures): Promise<ExampleCall[]> {
  const examples = { ...readExamples, ...writeExamples }
  const tokens = new Map<Client, string>()
  const calls: ExampleCall[] = []
  for (const operation of operationRegistry.toSorted(
    (a, b) => Number(a.effect !== 'read') - Number(b.effect !== 'read'),
  )) {
    const client = clientFor(operation, fixtures)
    if (!tokens.has(client)) tokens.set(client, await readToken(client))
    const example = examples[operation.id]!(fixtures)
    const input = operation.response_kind === 'event-stream' ? { ...example, max_seconds: 1 } : example
    calls.push({ id: operation.id, input, token: tokens.get(client)! })
  }
  return calls
}

function clientFor({ id, scope }: Operation, { sandbox, clipUser, admin, client }: ContractFixtures): Client {
  if (id.startsWith('sandbox.')) return sandbox
  if (scope?.startsWith('clip:')) return clipUser
  return scope !== null && isPrivilegedScope(scope) ? admin : client
}

/** The access token of a client, which shows it to nobody but the platform. */
async function readToken(client: Client): Promise<string> {
  const send = globalThis.fetch
  let bearer = ''
  globalThis.fetch = async (url, init) => {
    bearer = new Headers(init?.headers).get('authorization') ?? bearer
    return send(url, init)
  }
  try {
    await client.call('users.me')
  } finally {
    globalThis.fetch = send
  }
  return bearer.replace('Bearer ', '')
}

function judgeOutcomes(outcomes: Readonly<Record<string, string>>): string[] {
  const violations = operationRegistry.flatMap(({ id, effect, problems }) => {
    const outcome = outcomes[id] ?? 'not called'
    if (outcome === 'ok') return []
    const isDeclared = (problems as readonly string[]).includes(outcome)
    return isDeclared && effect !== 'read' ? [] : [`${id}: ${outcome}`]
  })
  const successful = Object.values(outcomes).filter((outcome) => outcome === 'ok').length
  const expected = operationRegistry.length * min_successful_share
  return successful > expected ? violations : [...violations, `only ${successful} operations succeeded`]
}
