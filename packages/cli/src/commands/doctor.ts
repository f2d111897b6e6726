import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { CommandFailure, classifyFailure, type FailureKind } from '../failures.ts'
import { createStyle } from '../output/colours.ts'
import { readOperationTable } from '../operations/operation-table.ts'
import { addConnectionOptions, openConnection, type ConnectionOptions, type OpenConnection } from '../profiles/open-connection.ts' // prettier-ignore
import { version } from '../version.ts'

interface Finding {
  readonly name: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly text: string
  readonly kind?: FailureKind
}

/** Signatures and tokens are refused if clocks differ by more. */
const max_skew_s = 60
const min_node_major = 20

/** `swath doctor`: whether this machine can work with the server, and what to do if not. */
export function registerDoctor(command: Command, context: CommandContext): void {
  addConnectionOptions(command).action(async () => {
    const findings = await examine(context, command.opts<ConnectionOptions>())
    const style = createStyle(context.env, context.stdout)
    const marks = { good: style('green', '✓'), warning: style('yellow', '!'), bad: style('red', '✗') }
    for (const { name, state, text } of findings) context.stdout.write(`${marks[state]} ${name.padEnd(12)} ${text}\n`)
    const bad = findings.find(({ state }) => state === 'bad')
    if (bad) throw new CommandFailure(bad.kind ?? 'failure', `Something is wrong: ${bad.name}.`)
  })
}

async function examine(context: CommandContext, options: ConnectionOptions): Promise<Finding[]> {
  const node = Number(process.versions.node.split('.')[0])
  const program: Finding = { name: 'program', state: node >= min_node_major ? 'good' : 'bad', text: `swath ${version} on Node ${process.versions.node}, ${readOperationTable().ids.length} operations` } // prettier-ignore
  const open = await openConnection(context, options).catch((error: Error) => error)
  if (open instanceof Error) return [program, { name: 'sign-in', state: 'bad', text: open.message, kind: classifyFailure(open) }] // prettier-ignore
  const begun_ms = Date.now()
  const ready = await fetch(`${open.connection.address}/readyz`).catch((error: Error) => error)
  if (ready instanceof Error)
    return [program, { name: 'address', state: 'bad', text: `${open.connection.address} does not answer: ${(ready.cause as Error | undefined)?.message ?? ready.message}. Check the URL, the proxy and the certificate.`, kind: 'temporary' }] // prettier-ignore
  return [
    program,
    { name: 'address', state: ready.ok ? 'good' : 'bad', text: `${open.connection.address} ${ready.ok ? `answers in ${Date.now() - begun_ms} ms` : `is not ready (${ready.status}): try again later`}`, kind: 'temporary' }, // prettier-ignore
    examineTransport(open),
    examineClock(ready, begun_ms),
    await examineSignIn(open),
    await examineOperations(open),
  ]
}

function examineTransport({ connection }: OpenConnection): Finding {
  const { protocol, hostname } = new URL(connection.address)
  if (protocol === 'https:') return { name: 'TLS', state: 'good', text: 'the certificate is accepted' }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return isLocal
    ? { name: 'TLS', state: 'good', text: 'not needed on this machine' }
    : { name: 'TLS', state: 'bad', text: 'credentials are sent without encryption: use an https: URL' }
}

function examineClock(response: Response, begun_ms: number): Finding {
  const server_ms = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(server_ms)) return { name: 'clock', state: 'warning', text: 'the server does not tell its time' }
  const skew_s = Math.round((begun_ms - server_ms) / 1000)
  return Math.abs(skew_s) <= max_skew_s
    ? { name: 'clock', state: 'good', text: 'agrees with the server' }
    : { name: 'clock', state: 'bad', text: `${Math.abs(skew_s)} s ${skew_s > 0 ? 'ahead of' : 'behind'} the server: set it, or signatures are refused` } // prettier-ignore
}

async function examineSignIn({ client, connection }: OpenConnection): Promise<Finding> {
  const name = 'sign-in'
  try {
    const { kind, user, organization } = await client.call<{ kind: string; user: { email: string } | null; organization: { name: string } | null }>('users.me') // prettier-ignore
    const source = connection.profile === null ? connection.source : `profile "${connection.profile}"`
    return { name, state: 'good', text: `${user?.email ?? kind} in ${organization?.name ?? 'no organization'}, by the ${source}` } // prettier-ignore
  } catch (error) {
    return { name, state: 'bad', text: `${(error as Error).message} Sign in again: swath login`, kind: classifyFailure(error) } // prettier-ignore
  }
}

/** Whether the server has the operations that this version offers. */
async function examineOperations({ client }: OpenConnection): Promise<Finding> {
  const response = await client.fetch('/openapi.json').catch(() => null)
  if (!response?.ok) return { name: 'operations', state: 'warning', text: 'the server does not print its operations' }
  const document = (await response.json()) as { info: { version: string }; paths: Record<string, unknown> }
  const text = JSON.stringify(Object.keys(document.paths))
  const missing = readOperationTable().ids.filter((id) => !text.includes(`/v1/op/${id}"`))
  return missing.length === 0
    ? { name: 'operations', state: 'good', text: `contract ${document.info.version}: the server has all of them` }
    : { name: 'operations', state: 'warning', text: `contract ${document.info.version} lacks ${missing.length}, such as ${missing[0]}: the server is older than this program` } // prettier-ignore
}
