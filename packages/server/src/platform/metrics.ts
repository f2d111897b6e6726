export type MetricLabels = Readonly<Record<string, string | number>>

export interface CounterMetric {
  add(labels?: MetricLabels, amount?: number): void
}

export interface GaugeMetric {
  set(value: number, labels?: MetricLabels): void
}

export interface HistogramMetric {
  /** In the unit at the end of the metric's name. */
  observe(value: number, labels?: MetricLabels): void
}

export interface Metrics {
  counter(name: string, help: string): CounterMetric
  gauge(name: string, help: string): GaugeMetric
  /** A gauge whose value is read when the metrics are printed. */
  gaugeCallback(name: string, help: string, read: () => number): void
  histogram(name: string, help: string, buckets?: readonly number[]): HistogramMetric
  /** Records one finished call by its operation id. */
  recordCall(operation: string, status: number, took_ms: number): void
  /** All metrics in the Prometheus text format 0.0.4. */
  print(): string
}

/** Seconds, from a cached response to a long search. */
const call_buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** More series than this mean wrong labels; further ones are summed up as `other`. */
const max_series = 2000

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): readonly string[]
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** The text of a label object that is passed again is cached. */
const labelTexts = new WeakMap<MetricLabels, string>()

function formatLabels(labels: MetricLabels): string {
  const existing = labelTexts.get(labels)
  if (existing !== undefined) return existing
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')
  labelTexts.set(labels, text)
  return text
}

const withLabels = (name: string, text: string): string => (text === '' ? name : `${name}{${text}}`)

/** Values by their labels, up to the maximum number of series. */
function createSeries<Value>(make: () => Value): { at(labels: MetricLabels): Value; all(): Iterable<[string, Value]> } {
  const series = new Map<string, Value>()
  const at = (text: string): Value => {
    const found = series.get(text) ?? make()
    series.set(text, found)
    return found
  }
  return {
    at(labels) {
      const text = formatLabels(labels)
      if (series.has(text) || series.size < max_series) return at(text)
      return at(formatLabels(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']))))
    },
    all: () => series,
  }
}

function createHistogram(name: string, help: string, buckets: readonly number[]): Family & HistogramMetric {
  const series = createSeries(() => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }))
  return {
    name,
    help,
    type: 'histogram',
    observe(value, labels = {}) {
      const found = series.at(labels)
      const at = buckets.findIndex((bound) => value <= bound)
      if (at >= 0) found.counts[at]! += 1
      found.sum += value
      found.count += 1
    },
    lines: () =>
      [...series.all()].flatMap(([text, { counts, sum, count }]) => {
        const comma = text === '' ? '' : ','
        let cumulativeCount = 0
        const bucketLines = buckets.map((bound, index) => {
          cumulativeCount += counts[index]!
          return `${name}_bucket{${text}${comma}le="${bound}"} ${cumulativeCount}`
        })
        return [
          ...bucketLines,
          `${name}_bucket{${text}${comma}le="+Inf"} ${count}`,
          `${withLabels(`${name}_sum`, text)} ${sum}`,
          `${withLabels(`${name}_count`, text)} ${count}`,
        ]
      }),
  }
}

function createValueFamily(name: string, help: string, type: 'counter' | 'gauge') {
  const series = createSeries(() => ({ value: 0 }))
  return {
    name,
    help,
    type,
    series,
    lines: () => [...series.all()].map(([text, { value }]) => `${withLabels(name, text)} ${value}`),
  }
}

function registerProcessGauges(gaugeCallback: Metrics['gaugeCallback']): void {
  gaugeCallback('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  gaugeCallback('process_heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  gaugeCallback('process_cpu_seconds', 'Processor time used since the start.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gaugeCallback('process_uptime_seconds', 'Time since the start.', () => process.uptime())
}

/** A registry with the metrics of the process itself. Labels must have few values: operation ids, statuses, kinds. */
export function createMetrics(): Metrics {
  const families = new Map<string, Family>()
  const register = <Registered extends Family>(family: Registered): Registered => {
    if (!/^[a-z][a-z0-9_]*$/.test(family.name)) throw new Error(`"${family.name}" is not a valid metric name`)
    if (families.has(family.name)) throw new Error(`two metrics have the name "${family.name}"`)
    families.set(family.name, family)
    return family
  }
  const counter = (name: string, help: string): CounterMetric => {
    const { series } = register(createValueFamily(name, help, 'counter'))
    return { add: (labels = {}, amount = 1) => void (series.at(labels).value += amount) }
  }
  const gauge = (name: string, help: string): GaugeMetric => {
    const { series } = register(createValueFamily(name, help, 'gauge'))
    return { set: (value, labels = {}) => void (series.at(labels).value = value) }
  }
  const gaugeCallback = (name: string, help: string, read: () => number): void => {
    register({ name, help, type: 'gauge', lines: () => [`${name} ${read()}`] })
  }
  const histogram = (name: string, help: string, buckets: readonly number[] = call_buckets_s): HistogramMetric =>
    register(createHistogram(name, help, buckets))

  registerProcessGauges(gaugeCallback)
  const callCounter = counter('swath_calls_total', 'Finished calls by operation and status.')
  const callSeconds = histogram(
    'swath_call_seconds',
    'Time from the first byte of a request to the last byte of its response.',
  )
  const callLabels = new Map<string, Map<number, { countLabels: MetricLabels; timeLabels: MetricLabels }>>()
  let series = 0
  const getCallLabels = (
    operation: string,
    status: number,
  ): { countLabels: MetricLabels; timeLabels: MetricLabels } => {
    const existing = callLabels.get(operation)?.get(status)
    if (existing) return existing
    const labels = { countLabels: { operation, status }, timeLabels: { operation } }
    if (series++ >= max_series) return labels
    const byStatus = callLabels.get(operation) ?? new Map<number, typeof labels>()
    callLabels.set(operation, byStatus.set(status, labels))
    return labels
  }
  return {
    counter,
    gauge,
    gaugeCallback,
    histogram,
    recordCall(operation, status, took_ms) {
      const { countLabels, timeLabels } = getCallLabels(operation, status)
      callCounter.add(countLabels)
      callSeconds.observe(took_ms / 1000, timeLabels)
    },
    print: () =>
      [...families.values()]
        .flatMap(({ name, help, type, lines }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(), ''])
        .join('\n'),
  }
}
