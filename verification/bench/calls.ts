import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createOperationCall } from '../prove/load/sender.ts'
import { startServer, type ServerProcess } from '../prove/server-process.ts'
import { measureSteps, type StepTime } from './call-steps.ts'
import type { Figure } from './figure.ts'
import { createRequestBytes } from './socket-connection.ts'
import { measureThroughput } from './socket-load.ts'

const login = { username: 'admin@example.com', password: 'bench bench bench' }
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
  const steps = await measureSteps(id, JSON.stringify(input), login)
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
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-'))
  const server = await startServer({
    SWATH_DATA_DIR: folder,
    PORT: '0',
    DATABASE_URL: '',
    LOG_LEVEL: 'info',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
  })
  let bareRate: ServerProcess | null = null
  try {
    const token = await createTokenSource(server.url, login)()
    const call = createOperationCall(id, input, token)
    const candidate = { url: server.url, request: createRequestBytes(server.url, call) }
    const response = await fetch(`${server.url}${call.path}`, call as RequestInit)
    bareRate = await startServer(
      { BARE_BODY: await response.text() },
      fileURLToPath(new URL('./bare-server.ts', import.meta.url)),
    )
    const peer = { url: bareRate.url, request: createRequestBytes(bareRate.url, { ...call, path: '/bare' }) }
    return await compare(candidate, peer)
  } finally {
    await bareRate?.kill()
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

type LoadTarget = { readonly url: string; readonly request: Buffer }

async function compare(candidate: LoadTarget, peer: LoadTarget): Promise<Throughput> {
  const load = { connections, duration_ms }
  // Warm-up of the compiler.
  await measureThroughput({ ...peer, connections, duration_ms: 2000 })
  await measureThroughput({ ...candidate, connections, duration_ms: 2000 })
  const ratios: number[] = []
  let max_rate = 0
  for (let round = 1; round <= rounds; round++) {
    const bareRate = await measureThroughput({ ...peer, ...load })
    const candidateRate = await measureThroughput({ ...candidate, ...load })
    ratios.push(candidateRate / bareRate)
    max_rate = Math.max(max_rate, candidateRate)
    console.log(
      `round ${round}: bare ${Math.round(bareRate)}/s, pipeline ${Math.round(candidateRate)}/s, ratio ${(candidateRate / bareRate).toFixed(2)}`,
    )
  }
  const median = ratios.sort((left, right) => left - right)[Math.floor(ratios.length / 2)]!
  return { ratio: { name: 'calls: pipeline / bare route', value: median, must: min_ratio }, max_rate }
}
