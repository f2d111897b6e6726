import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, grantCredits, startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { chooseClients } from './choose-clients.ts'
import { capabilitiesOf, printTable, sumLines, type ReportLine } from './client-report.ts'
import { playSchemathesis, playSignIn, playStacValidator } from './play-judges.ts'
import { playQgis, playStacReaders } from './play-stac.ts'
import { runPlay } from './run-play.ts'

/** Folder in which the clients are installed, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-clients')

/**
 * Clients of others, unmodified, against a started server: up42-py plays each of its public functions and sends every request that it
 * knows, readers of STAC what they are used for; clients of OpenID Connect sign in, and judges of documents and classes call every route.
 * Prints a table of capabilities by client. `data` is the folder of the clients, which
 * are installed if missing; `only` a part of the names of those that play.
 */
export async function proveClients({ data, only = '', short }: ProofOptions): Promise<ProofResult> {
  const programs = data ?? defaultFolder()
  const installed = await runProgram('bash', [resolveBeside(import.meta.url, './install.sh'), programs, only])
  const played = chooseClients(installed, only)
  const start_ms = performance.now()
  const lines: ReportLine[] = []
  for (const environment of played)
    lines.push(...(await (plays[basename(environment)] ?? playUp42)(environment, short)))
  printTable(lines)
  const outcomes = capabilitiesOf(lines)
  const failed = outcomes.filter(({ passed }) => !passed)
  const seconds = Math.round((performance.now() - start_ms) / 1000)
  return {
    tried: `${outcomes.length} capabilities of ${new Set(lines.map(({ client }) => client)).size} clients, ${sumLines(lines, ({ called }) => called)} of ${sumLines(lines, ({ functions }) => functions)} public functions, ${sumLines(lines, ({ answered }) => answered)} requests of ${new Set(lines.map(({ request }) => request)).size - 1} kinds, ${sumLines(lines, ({ good }) => good)} with success, in ${seconds} s`,
    violations: failed.map(({ client, capability, detail }) => `${client}: ${capability}: ${detail}`),
  }
}

/** The names of folders whose clients are not versions of up42-py. */
const plays: Readonly<Record<string, (environment: string, short: boolean) => Promise<ReportLine[]>>> = {
  stac: playStacReaders,
  qgis: playQgis,
  'sign-in': playSignIn,
  'stac-api-validator': playStacValidator,
  schemathesis: (_environment, short) => playSchemathesis(short),
}

/** Each version has a server of its own. Returns the lines of its report. */
async function playUp42(environment: string): Promise<ReportLine[]> {
  await using folder = await createFolder('clients')
  const port = await freePort()
  await using server = await startServer({
    SWATH_DATA_DIR: folder.path,
    OUTSIDE_ALLOW: `http://127.0.0.1:${port}`,
  })
  const { client } = server
  await grantCredits(client)
  const { organization } = await client.call<{ organization: { id: string } }>('users.me')
  const { username, password } = administrator
  const token = await server.token()
  // Awaited here: the server ends with this function.
  return await runPlay(join(environment, 'bin', 'python'), {
    arguments: [resolveBeside(import.meta.url, './play.py')],
    request: { address: server.url, username, password, token, organization: organization.id, port },
  })
}
