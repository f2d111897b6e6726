import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTokenSource } from '@swath/client/tokens.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { createCallLog } from '../../packages/server/src/engine/call-log.ts'
import type { CallCredentials, CallRequest } from '../../packages/server/src/engine/pipeline/call-request.ts'
import { executeCall } from '../../packages/server/src/engine/pipeline.ts'
import { requireValidOutput, readInput } from '../../packages/server/src/engine/input/read-input.ts'
import { requireScope } from '../../packages/server/src/engine/pipeline/scope.ts'
import { createApp } from '../../packages/server/src/app.ts'
import { parseJsonBody } from '../../packages/server/src/http/read-body.ts'
import { median } from './median.ts'
import { highLimits } from '../prove/server-process.ts'
import { readConfig } from '../../packages/server/src/platform/config.ts'
import { createLogger } from '../../packages/server/src/platform/log.ts'

/** CPU time of one pipeline step in nanoseconds: the median of several rounds. */
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
  const log = createLogger({ level: 'info', destination: { write: () => {} } })
  const app = await createApp({ config, log })
  try {
    const token = await createTokenSource(await app.start(), login)()
    const steps = await createSteps({
      pipelineDependencies: app.pipeline,
      log,
      id: operation,
      body: Buffer.from(input),
      authorization: `Bearer ${token}`,
    })
    return await measureInTurn(steps)
  } finally {
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type PipelineDependencies = Parameters<typeof executeCall>[0]

async function createSteps({
  pipelineDependencies,
  log,
  id,
  body,
  authorization,
}: {
  readonly pipelineDependencies: PipelineDependencies
  readonly log: ReturnType<typeof createLogger>
  readonly id: string
  readonly body: Buffer
  readonly authorization: string
}): Promise<Record<string, () => unknown>> {
  const operation = findOperation(id)!
  const credentials: CallCredentials = { authorization, apiKey: null, tileToken: null, address: '127.0.0.1' }
  const request: CallRequest = {
    operation: id,
    credentials,
    readBody: () => Promise.resolve(parseJsonBody(body)),
    inputSource: 'body',
    idempotencyKey: null,
    baseUrl: 'http://localhost',
    requestId: 'bench-1',
    rateLimitKey: '127.0.0.1',
    signal: new AbortController().signal,
    log: createCallLog(),
  }
  const principal = await pipelineDependencies.authenticate(credentials, operation)
  const { handle, output } = await createHandle(pipelineDependencies, request, principal)
  // The pipeline counts calls only with `countCall`.
  const { countCall, ...uncounted } = pipelineDependencies
  const attributes = {
    operation: id,
    principal_kind: 'human',
    principal: principal.id,
    organization: principal.organization,
  }
  const line = { request: 'bench-1', method: 'POST', path: `/v1/op/${id}`, status: 200, ms: 0.12, ...attributes }
  return {
    find: () => pipelineDependencies.find(id),
    authenticate: () => pipelineDependencies.authenticate(credentials, operation),
    'check scope': () => requireScope(principal, operation),
    'check limits': () => pipelineDependencies.enforceRateLimits(principal, operation, request),
    'parse body': () => parseJsonBody(body),
    'check input': () => readInput(operation, { ...(JSON.parse(body.toString()) as object) }),
    handle,
    'check output': () => requireValidOutput(operation, output),
    'write output': () => JSON.stringify(output),
    'log line': () => log.info(line, 'call'),
    'count call': () => countCall?.({ principal, operation: id, failed: false, duration_ms: 0.1 }),
    'whole pipeline': () => executeCall(pipelineDependencies, request),
    'without counting': () => executeCall(uncounted, request),
  }
}

/** Runs the operation's handler, with a new call each time, and returns its output. */
async function createHandle(
  pipelineDependencies: PipelineDependencies,
  request: CallRequest,
  principal: Awaited<ReturnType<PipelineDependencies['authenticate']>>,
): Promise<{ handle: () => Promise<unknown>; output: unknown }> {
  const { operation, handle: answer } = pipelineDependencies.find(request.operation)!
  const input = readInput(operation, await request.readBody(operation))
  const handle = (): Promise<unknown> =>
    answer!(
      pipelineDependencies.createCall(request, principal, operation, { claim: null, audit: null }),
      input as never,
    ) as Promise<unknown>
  return { handle, output: await handle() }
}

/** Measures all steps in each round, so that what else the machine does meets each of them. */
async function measureInTurn(steps: Readonly<Record<string, () => unknown>>): Promise<StepTime[]> {
  const times = new Map<string, number[]>(Object.keys(steps).map((step) => [step, []]))
  for (let round = 0; round < rounds; round++)
    for (const [step, run] of Object.entries(steps)) times.get(step)!.push(await measureRound(run))
  return [...times].map(([step, values]) => ({ step, time_ns: Math.round(median(values)) }))
}

/** The CPU time of one call in nanoseconds, on the average of a round: what else the machine does is not part of it. */
async function measureRound(run: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  for (let call = 0; call < calls_per_round; call++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.threadCpuUsage(start)
  return ((user + system) * 1000) / calls_per_round
}
