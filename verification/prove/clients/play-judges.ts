import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ciScript, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, startServer, type Environment } from '../harness/server-process.ts'
import { walkSignIn } from '../sign-in/sign-in.ts'
import type { ReportLine } from './client-report.ts'

/** Clients of OpenID Connect sign in with every grant. Returns a line for each thing that a client does. */
export async function playSignIn(folder: string): Promise<ReportLine[]> {
  const walks = await walkSignIn(folder)
  return walks.map(({ client, capability, violations }) => ({
    client,
    capability,
    passed: violations.length === 0,
    detail: violations.join('; '),
  }))
}

/** stac-api-validator reads every class that the STAC API declares. */
export const playStacValidator = (): Promise<ReportLine[]> =>
  withData({}, async (data) => {
    const { failure } = await runJudge('stac-validator.sh', [data])
    const capability = 'every declared class of the STAC API'
    return [{ client: 'stac-api-validator', capability, passed: failure === null, detail: failure ?? '' }]
  })

/** Thousands of calls come from one caller. */
const withoutRateLimits: Environment = Object.fromEntries(
  ['CALLS', 'ORDERS', 'SPENDING', 'SIGN_INS', 'SHARE_VISITS', 'SHARE_TILES'].map((name) => [`RATE_LIMIT_${name}`, '0']),
)

/** The long form calls each route so often that all documents get at least so many calls; it takes half an hour. */
const whole = { calls_of_route: '64', min_calls: '40000' }

/**
 * schemathesis sends generated input to every route of every OpenAPI document and judges the answers. Returns a line for each document,
 * with the numbers of its calls and of the answers with success.
 */
export const playSchemathesis = (short: boolean): Promise<ReportLine[]> =>
  withData(withoutRateLimits, async (data) => {
    const { lines, failure } = short
      ? await runJudge('schemathesis.sh', [data])
      : await runJudge('schemathesis.sh', [data, whole.calls_of_route], { SWATH_MIN_CALLS: whole.min_calls })
    const counts = lines.flatMap(readAnswers)
    const judged = { client: 'schemathesis', capability: 'every route of every document answers as described' }
    return [...counts, { ...judged, passed: failure === null && counts.length > 0, detail: failure ?? 'no calls' }]
  })

/** A line such as `openapi: 12 calls, 0 server errors (10 x 200, 2 x 404)`; none for the sum of all documents. */
function readAnswers(line: string): ReportLine[] {
  const [, document, calls, statuses = ''] = /^([\w-]+): (\d+) calls, \d+ server errors \((.*)\)$/.exec(line) ?? []
  if (document === undefined) return []
  const good = [...statuses.matchAll(/(\d+) x [23]\d\d/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  return [{ client: 'schemathesis', request: `all routes of ${document}`, answered: Number(calls), good }]
}

/** Calls with the data folder of a server, in which the scripts of `.ci/` find its URL and credentials. */
async function withData<T>(settings: Environment, judge: (data: string) => Promise<T>): Promise<T> {
  await using folder = await createFolder('judges')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path, ...settings })
  const credentials = { address: server.url, ...administrator }
  await writeFile(join(folder.path, 'first-credentials.json'), JSON.stringify(credentials), { mode: 0o600 })
  // Awaited here: the server ends with this function.
  return await judge(folder.path)
}

interface Judgement {
  readonly lines: readonly string[]
  /** The end of what the script printed if it failed, else null. */
  readonly failure: string | null
}

const max_failure_length = 8000

async function runJudge(name: string, args: readonly string[], environment: Environment = {}): Promise<Judgement> {
  try {
    return { lines: await runProgram(ciScript(name), args, { ...process.env, ...environment }), failure: null }
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    const failure = stdout + stderr === '' ? message : `${stdout}${stderr}`.slice(-max_failure_length)
    return { lines: stdout.split('\n'), failure }
  }
}
