export type Labels = Readonly<Record<string, string | number>>

export interface Counter {
  add(labels?: Labels, amount?: number): void
}

export interface Gauge {
  set(value: number, labels?: Labels): void
}

export interface Histogram {
  /** In the unit at the end of the metric's name. */
  observe(value: number, labels?: Labels): void
}

export interface Metrics {
  counter(name: string, help: string): Counter
  gauge(name: string, help: string): Gauge
  /** A gauge whose value is read when the metrics are printed. */
  watch(name: string, help: string, read: () => number): void
  histogram(name: string, help: string, buckets?: readonly number[]): Histogram
  /** Records one finished call by its operation id. */
  record(operation: string, status: number, took_ms: number): void
  /** All metrics in the Prometheus text format 0.0.4. */
  print(): string
}

/** Seconds, from a cached response to a long search. */
const callBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** More series than this mean wrong labels; further ones are summed up as `other`. */
const mostSeries = 2000

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): readonly string[]
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** The text of a label object that is passed again is cached. */
const written = new WeakMap<Labels, string>()

function labelText(labels: Labels): string {
  const known = written.get(labels)
  if (known !== undefined) return known
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')
  written.set(labels, text)
  return text
}

const withLabels = (name: string, text: string): string => (text === '' ? name : `${name}{${text}}`)

/** Values by their labels, up to the maximum number of series. */
function seriesOf<Value>(make: () => Value): { at(labels: Labels): Value; all(): Iterable<[string, Value]> } {
  const series = new Map<string, Value>()
  const at = (text: string): Value => {
    const found = series.get(text) ?? make()
    series.set(text, found)
    return found
  }
  return {
    at(labels) {
      const text = labelText(labels)
      if (series.has(text) || series.size < mostSeries) return at(text)
      return at(labelText(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']))))
    },
    all: () => series,
  }
}

function histogramFamily(name: string, help: string, buckets: readonly number[]): Family & Histogram {
  const series = seriesOf(() => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }))
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
        let below = 0
        const bounded = buckets.map((bound, index) => {
          below += counts[index]!
          return `${name}_bucket{${text}${comma}le="${bound}"} ${below}`
        })
        return [
          ...bounded,
          `${name}_bucket{${text}${comma}le="+Inf"} ${count}`,
          `${withLabels(`${name}_sum`, text)} ${sum}`,
          `${withLabels(`${name}_count`, text)} ${count}`,
        ]
      }),
  }
}

function valueFamily(name: string, help: string, type: 'counter' | 'gauge') {
  const series = seriesOf(() => ({ value: 0 }))
  return {
    name,
    help,
    type,
    series,
    lines: () => [...series.all()].map(([text, { value }]) => `${withLabels(name, text)} ${value}`),
  }
}

/** A registry with the metrics of the process itself. Labels must have few values: operation ids, statuses, kinds. */
export function openMetrics(): Metrics {
  const families = new Map<string, Family>()
  const keep = <Kept extends Family>(family: Kept): Kept => {
    if (!/^[a-z][a-z0-9_]*$/.test(family.name)) throw new Error(`"${family.name}" is not a valid metric name`)
    if (families.has(family.name)) throw new Error(`two metrics have the name "${family.name}"`)
    families.set(family.name, family)
    return family
  }
  const counter = (name: string, help: string): Counter => {
    const { series } = keep(valueFamily(name, help, 'counter'))
    return { add: (labels = {}, amount = 1) => void (series.at(labels).value += amount) }
  }
  const gauge = (name: string, help: string): Gauge => {
    const { series } = keep(valueFamily(name, help, 'gauge'))
    return { set: (value, labels = {}) => void (series.at(labels).value = value) }
  }
  const watch = (name: string, help: string, read: () => number): void => {
    keep({ name, help, type: 'gauge', lines: () => [`${name} ${read()}`] })
  }
  const histogram = (name: string, help: string, buckets: readonly number[] = callBuckets): Histogram =>
    keep(histogramFamily(name, help, buckets))

  watch('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  watch('process_heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  watch('process_cpu_seconds', 'Processor time used since the start.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  watch('process_uptime_seconds', 'Time since the start.', () => process.uptime())
  const calls = counter('swath_calls_total', 'Finished calls by operation and status.')
  const seconds = histogram(
    'swath_call_seconds',
    'Time from the first byte of a request to the last byte of its response.',
  )
  const labelsOfCalls = new Map<string, Map<number, { counted: Labels; timed: Labels }>>()
  let series = 0
  const labelsOf = (operation: string, status: number): { counted: Labels; timed: Labels } => {
    const known = labelsOfCalls.get(operation)?.get(status)
    if (known) return known
    const labels = { counted: { operation, status }, timed: { operation } }
    if (series++ >= mostSeries) return labels
    const ofOperation = labelsOfCalls.get(operation) ?? new Map<number, typeof labels>()
    labelsOfCalls.set(operation, ofOperation.set(status, labels))
    return labels
  }
  return {
    counter,
    gauge,
    watch,
    histogram,
    record(operation, status, took_ms) {
      const { counted, timed } = labelsOf(operation, status)
      calls.add(counted)
      seconds.observe(took_ms / 1000, timed)
    },
    print: () =>
      [...families.values()]
        .flatMap(({ name, help, type, lines }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(), ''])
        .join('\n'),
  }
}
