import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { withTimeout } from './with-timeout.ts'

/** The outcome of an attempt at a background task; an `interrupted` one is repeated, because its process stopped. */
export type TaskAttemptOutcome = 'succeeded' | 'failed' | 'interrupted'

/** The values of one gauge at the time of a scrape, one for each set of labels. */
export type GaugeValues = readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]

/** Gauges that are read together when the metrics are printed. */
export interface GaugeSource {
  /** The text of each gauge by its name. */
  readonly gauges: Readonly<Record<string, string>>
  readonly labels: readonly string[]
  /** The values by the names of the gauges; a failure leaves them out of this scrape. */
  read(): Promise<Readonly<Record<string, GaugeValues>>>
}

/** The metrics of a process. Labels have few values: operation ids, statuses, kinds of tasks. */
export interface Metrics {
  /** Records one finished call by its operation id; `duration_ms` is from the first byte of the request to the last sent. */
  recordCall(operation: string, status: number, duration_ms: number): void
  /** Records one ended attempt at a background task. */
  recordAttempt(task: string, outcome: TaskAttemptOutcome, duration_ms: number): void
  addGauges(source: GaugeSource): void
  /** All metrics in the Prometheus text format 0.0.4. */
  print(): Promise<string>
}

/** Seconds, from a cached response to a long search. */
const call_buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Seconds, from a row to the conversion of a scene. */
const task_buckets_s = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800]
/** A scrape answers although a source hangs. */
const read_timeout_ms = 2000

/** Creates gauges that have the values of the last scrape; those of a failed one are left out and counted. */
function registerGauges(
  registry: Registry,
  { gauges, labels, read }: GaugeSource,
  failed: Counter,
): () => Promise<void> {
  const registered = new Map(
    Object.entries(gauges).map(([name, help]) => [
      name,
      new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    ]),
  )
  return async () => {
    const values = await withTimeout(read_timeout_ms, read(), 'the source of metrics did not respond').catch(() => {
      failed.inc()
      return {} as Readonly<Record<string, GaugeValues>>
    })
    for (const [name, gauge] of registered) {
      gauge.reset()
      for (const one of values[name] ?? []) gauge.set(one.labels, one.value)
    }
  }
}

/** Sums of other gauges, whose names end as if they were counters: promtool rejects them. */
const misnamed_gauges = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed_gauges) registry.removeSingleMetric(name)
}

/** Creates the metrics; those of the process itself (memory, event loop, garbage collection) only once in a process. */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  const registry = new Registry()
  if (ofProcess) collectProcessMetrics(registry)
  const registers = [registry]
  const createCounter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const createHistogram = (name: string, help: string, label: string, buckets: number[]) =>
    new Histogram({ name, help, labelNames: [label], buckets, registers })
  const calls = createCounter('swath_calls_total', 'Finished calls by operation and status.', ['operation', 'status'])
  const callSeconds = createHistogram(
    'swath_call_seconds',
    'Time from the first byte of a request to the last byte of its response.',
    'operation',
    call_buckets_s,
  )
  const attempts = createCounter(
    'swath_task_attempts_total',
    'Ended attempts at background tasks by task and outcome.',
    ['task', 'outcome'],
  )
  const attemptSeconds = createHistogram(
    'swath_task_attempt_seconds',
    'Time of attempts at background tasks.',
    'task',
    task_buckets_s,
  )
  const failedReads = createCounter(
    'swath_metrics_failed_reads_total',
    'Scrapes that lack the gauges of a source, because it failed or did not respond.',
  )
  const reads: (() => Promise<void>)[] = []
  return {
    recordCall: (operation, status, duration_ms) => {
      calls.inc({ operation, status })
      callSeconds.observe({ operation }, duration_ms / 1000)
    },
    recordAttempt: (task, outcome, duration_ms) => {
      attempts.inc({ task, outcome })
      attemptSeconds.observe({ task }, duration_ms / 1000)
    },
    addGauges: (source) => void reads.push(registerGauges(registry, source, failedReads)),
    print: async () => {
      await Promise.all(reads.map((read) => read()))
      return registry.metrics()
    },
  }
}
