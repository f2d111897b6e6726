import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenSource } from '@swath/client/tokens.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { observation } from '../../packages/server/src/engine/observe.ts'
import { perform, type CallRequest, type Credentials } from '../../packages/server/src/engine/pipeline.ts'
import { checkOutput, readInput } from '../../packages/server/src/engine/read-input.ts'
import { requireScope } from '../../packages/server/src/engine/scope.ts'
import { buildHouse } from '../../packages/server/src/house.ts'
import { readJson } from '../../packages/server/src/http/read-body.ts'
import { highLimits } from '../prove/server-process.ts'
import { readConfig } from '../../packages/server/src/platform/config.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'

/** Duration of one pipeline step in nanoseconds: the median of several rounds. */
export interface StepTime {
  readonly step: string
  readonly time_ns: number
}

const rounds = 9
const calls_per_round = 20_000

interface Login {
  readonly username: string
  readonly password: string
}

/** Measures each pipeline step separately, in this process and without a socket, for the call of the benchmark. */
export async function measureSteps(operation: string, input: string, login: Login): Promise<StepTime[]> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-steps-'))
  const config = readConfig({
    ...highLimits,
    SWATH_DATA_DIR: folder,
    PORT: '0',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
  })
  // Log lines are formatted but discarded: the disk is not part of a step.
  const log = openLog({ level: 'info', destination: { write: () => {} } })
  const app = await buildHouse({ config, log })
  try {
    const token = await tokenSource(await app.start(), login)()
    const steps = await stepsOf(app.steps, log, operation, Buffer.from(input), `Bearer ${token}`)
    const times: StepTime[] = []
    for (const [step, run] of Object.entries(steps)) times.push({ step, time_ns: await measure(run) })
    return times
  } finally {
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Steps = Parameters<typeof perform>[0]

async function stepsOf(
  pipeline: Steps,
  log: ReturnType<typeof openLog>,
  id: string,
  body: Buffer,
  authorization: string,
): Promise<Record<string, () => unknown>> {
  const operation = findOperation(id)!
  const credentials: Credentials = { authorization, apiKey: null, tileToken: null, address: '127.0.0.1' }
  const request: CallRequest = {
    operation: id,
    credentials,
    readBody: () => Promise.resolve(readJson(body)),
    inputFrom: 'body',
    idempotencyKey: null,
    baseUrl: 'http://localhost',
    requestId: 'bench-1',
    origin: '127.0.0.1',
    signal: new AbortController().signal,
    log: observation(),
  }
  const principal = await pipeline.authenticate(credentials, operation)
  const { handle, output } = await handlerOf(pipeline, request, principal)
  const facts = {
    operation: id,
    principal_kind: 'human',
    principal: principal.id,
    organization: principal.organization,
  }
  const line = { request: 'bench-1', method: 'POST', path: `/v1/op/${id}`, status: 200, ms: 0.12, ...facts }
  return {
    find: () => pipeline.find(id),
    authenticate: () => pipeline.authenticate(credentials, operation),
    'check scope': () => requireScope(principal, operation),
    'check limits': () => pipeline.admit(principal, operation, request),
    'parse body': () => readJson(body),
    'check input': () => readInput(operation, { ...(JSON.parse(body.toString()) as object) }),
    handle,
    'check output': () => checkOutput(operation, output),
    'write output': () => JSON.stringify(output),
    'log line': () => log.info(line, 'call'),
    'whole pipeline': () => perform(pipeline, request),
  }
}

/** Runs the operation's handler, with a new call each time, and returns its output. */
async function handlerOf(
  pipeline: Steps,
  request: CallRequest,
  principal: Awaited<ReturnType<Steps['authenticate']>>,
): Promise<{ handle: () => Promise<unknown>; output: unknown }> {
  const { operation, answer } = pipeline.find(request.operation)!
  const input = readInput(operation, await request.readBody(operation))
  const handle = (): Promise<unknown> =>
    answer!(pipeline.openCall(request, principal, operation, null), input as never) as Promise<unknown>
  return { handle, output: await handle() }
}

async function measure(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < calls_per_round; call++) {
      const result = run()
      if (result instanceof Promise) await result
    }
    times.push(Number(process.hrtime.bigint() - start) / calls_per_round)
  }
  return Math.round(times.sort((one, other) => one - other)[Math.floor(rounds / 2)]!)
}
