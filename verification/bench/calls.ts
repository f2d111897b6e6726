import { fileURLToPath } from 'node:url'
import { createOperationCall } from '../prove/load/sender.ts'
import { createFolder, closeAtEnd } from '../prove/harness/resources.ts'
import { startServer, administrator, defaultSettings } from '../prove/harness/server-process.ts'
import { alternate, median, ratiosOf, type Figure } from './runner.ts'
import { createRequestBytes, measureThroughput, repeatFor } from './socket-load.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { createCallLog } from '../../packages/server/src/engine/call-log.ts'
import type { CallCredentials, CallRequest } from '../../packages/server/src/engine/pipeline/call-request.ts'
import { executeCall } from '../../packages/server/src/engine/pipeline.ts'
import { requireValidOutput, readCallInput } from '../../packages/server/src/engine/input/read-input.ts'
import { requireScope } from '../../packages/server/src/engine/pipeline/scope.ts'
import { createApp } from '../../packages/server/src/app.ts'
import { parseJsonBody } from '../../packages/server/src/http/bodies/read-body.ts'
import { readConfig } from '../../packages/server/src/platform/config.ts'
import { createLogger } from '../../packages/server/src/platform/log.ts'

const rounds = 7
const connections = 32
const duration_ms = 3000
const min_ratio = 0.5
const max_counting_share = 0.02

/** A read that needs no database: scope, input and output are checked and the call is logged. */
const id = 'catalog.sources.list'
const input = { country: 'nowhere' }

/**
 * Throughput of the whole pipeline compared with a bare route of the same framework that sends the same bytes, alternating;
 * and the duration of each pipeline step, so that a step that becomes slower shows.
 */
export async function benchCalls(): Promise<readonly Figure[]> {
  const steps = await measureSteps(id, JSON.stringify(input))
  for (const { step, time_ns } of steps) console.log(`${step.padEnd(16)} ${String(time_ns).padStart(7)} ns`)
  const { ratio, max_rate } = await compareThroughput()
  return [ratio, shareOfCounting(steps, max_rate)]
}

/**
 * The CPU time of counting a call for the usage of its organization, as a share of a whole call over HTTP: that of the fastest
 * round, which was disturbed the least.
 */
function shareOfCounting(steps: readonly StepTime[], max_rate: number): Figure {
  const count_ns = steps.find(({ step }) => step === 'count call')?.time_ns ?? Number.NaN
  const value = (count_ns * max_rate) / 1e9
  return { name: 'calls: counting / call', value, must: max_counting_share, atMost: true }
}

interface Throughput {
  readonly ratio: Figure
  /** Calls a second of the pipeline in its fastest round. */
  readonly max_rate: number
}

async function compareThroughput(): Promise<Throughput> {
  await using folder = await createFolder('bench')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path, LOG_LEVEL: 'info' })
  const call = createOperationCall(id, input, await server.token())
  const response = await fetch(`${server.url}${call.path}`, call as RequestInit)
  const program = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
  await using bare = await startServer({ BARE_BODY: await response.text() }, program)
  const candidate = { url: server.url, request: createRequestBytes(server.url, call) }
  const peer = { url: bare.url, request: createRequestBytes(bare.url, { ...call, path: '/bare' }) }
  return await compare(candidate, peer)
}

type LoadTarget = { readonly url: string; readonly request: Buffer }

async function compare(candidate: LoadTarget, peer: LoadTarget): Promise<Throughput> {
  const measure = ({ url, request }: LoadTarget, ms: number) =>
    measureThroughput({ url, connections, nextRequest: repeatFor(ms, request) })
  // Warm-up of the compiler.
  for (const target of [peer, candidate]) await measure(target, 2000)
  const sides = [candidate, peer].map((target) => () => measure(target, duration_ms))
  const [candidateRates = [], bareRates = []] = await alternate(rounds, ...sides)
  const ratios = ratiosOf(candidateRates, bareRates)
  for (const [round, ratio] of ratios.entries())
    console.log(
      `round ${round + 1}: bare ${Math.round(bareRates[round]!)}/s, pipeline ${Math.round(candidateRates[round]!)}/s, ratio ${ratio.toFixed(2)}`,
    )
  const ratio = { name: 'calls: pipeline / bare route', value: median(ratios), must: min_ratio }
  return { ratio, max_rate: Math.max(...candidateRates) }
}

/** CPU time of one pipeline step in nanoseconds: the median of several step_rounds. */
interface StepTime {
  readonly step: string
  readonly time_ns: number
}

const step_rounds = 9
const calls_per_round = 20_000

/** Measures each pipeline step separately, in this process and without a socket, for the call of the benchmark. */
async function measureSteps(operation: string, input: string): Promise<StepTime[]> {
  await using folder = await createFolder('bench-steps')
  const config = readConfig({ ...defaultSettings, SWATH_DATA_DIR: folder.path })
  // Log lines are formatted but discarded: the disk is not part of a step.
  const log = createLogger({ level: 'info', destination: { write: () => {} } })
  await using app = closeAtEnd(await createApp({ config, log }))
  const token = await createTokenSource(await app.start(), administrator)()
  const steps = await createSteps({
    pipelineDependencies: app.pipeline,
    log,
    id: operation,
    body: Buffer.from(input),
    authorization: `Bearer ${token}`,
  })
  // In each round all steps, so that what else the machine does meets each of them.
  const times = await alternate(step_rounds, ...Object.values(steps).map((run) => () => measureRound(run)))
  return Object.keys(steps).map((step, at) => ({ step, time_ns: Math.round(median(times[at]!)) }))
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
  const credentials: CallCredentials = { authorization, apiKey: null, urlToken: null, address: '127.0.0.1' }
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
    'check input': () => readCallInput(operation, { ...(JSON.parse(body.toString()) as object) }),
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
  const input = readCallInput(operation, await request.readBody(operation))
  const handle = (): Promise<unknown> =>
    answer!(
      pipelineDependencies.createCall(request, principal, operation, { claim: null, audit: null }),
      input as never,
    ) as Promise<unknown>
  return { handle, output: await handle() }
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
