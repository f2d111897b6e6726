/** A line that a client prints about a capability, a kind of request, or the functions that it called. */
export interface ReportLine {
  readonly client: string
  readonly capability?: string
  readonly passed?: boolean
  readonly detail?: string
  readonly request?: string
  readonly answered?: number
  readonly good?: number
  readonly functions?: number
  readonly called?: number
}

const name_width = 64

/** The sum of a number over the lines that have it. */
export const sumLines = (lines: readonly ReportLine[], read: (line: ReportLine) => number | undefined): number =>
  lines.reduce((sum, line) => sum + (read(line) ?? 0), 0)

export const capabilitiesOf = (lines: readonly ReportLine[]): ReportLine[] =>
  lines.filter(({ capability }) => capability !== undefined)

/** Prints each capability with the clients that have it, each kind of request with its counts, and the counts of each client. */
export function printTable(lines: readonly ReportLine[]): void {
  printRows(
    'capability',
    capabilitiesOf(lines),
    (line) => line.capability!,
    ({ passed }) => (passed ? 'yes' : 'NO'),
  )
  const requests = lines.filter(({ request }) => request !== undefined)
  const describe = ({ good, answered }: ReportLine): string => `${good} of ${answered}`
  printRows('request (with success of answered)', requests, (line) => line.request!, describe)
  console.log(formatRow('client', ['capabilities', 'good', 'requests', 'with success', 'kinds'].map(pad).join('')))
  for (const [client, own] of Map.groupBy(lines, (line) => line.client)) {
    const capabilities = capabilitiesOf(own)
    const numbers = [
      capabilities.length,
      capabilities.filter(({ passed }) => passed).length,
      sumLines(own, ({ answered }) => answered),
      sumLines(own, ({ good }) => good),
      own.filter(({ request }) => request !== undefined).length,
    ]
    console.log(formatRow(client, numbers.map((number) => pad(String(number))).join('')))
  }
}

const pad = (text: string): string => text.padStart(14)
const formatRow = (name: string, rest: string): string => `${name.padEnd(name_width)} ${rest}`

function printRows(
  title: string,
  lines: readonly ReportLine[],
  name: (line: ReportLine) => string,
  cell: (line: ReportLine) => string,
): void {
  console.log(formatRow(title, 'clients'))
  for (const [row, cells] of Map.groupBy(lines, name))
    console.log(formatRow(row, cells.map((line) => `${line.client} ${cell(line)}`).join(', ')))
}
