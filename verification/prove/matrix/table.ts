import { targets, type Target } from './facts.ts'

/** The outcomes that the table tells apart. */
const outcomes = ['2xx', '401', '403', '404', 'other'] as const
type Outcome = (typeof outcomes)[number]

const outcomeOf = (status: number): Outcome =>
  status < 400 ? '2xx' : status === 401 || status === 403 || status === 404 ? `${status}` : 'other'

/** Counts cases by principal, target and outcome. */
export class MatrixTable {
  private readonly counts = new Map<string, Map<Target, Record<Outcome, number>>>()
  total = 0

  count(principal: string, target: Target, status: number): void {
    if (!this.counts.has(principal)) this.counts.set(principal, new Map())
    const row = this.counts.get(principal)!
    const cell = row.get(target) ?? { '2xx': 0, '401': 0, '403': 0, '404': 0, other: 0 }
    cell[outcomeOf(status)]++
    row.set(target, cell)
    this.total++
  }

  /** One line for each principal: for each target the number of cases, with those of each outcome. */
  print(): string {
    const header = ['principal', ...targets]
    const rows = [...this.counts].map(([principal, row]) => [
      principal,
      ...targets.map((target) => describeCell(row.get(target))),
    ])
    const widths = header.map((_, at) => Math.max(...[header, ...rows].map((line) => line[at]!.length)))
    return [header, ...rows].map((line) => line.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')).join('\n')
  }
}

const describeCell = (cell: Record<Outcome, number> | undefined): string =>
  cell === undefined
    ? '-'
    : outcomes
        .filter((outcome) => cell[outcome] > 0)
        .map((outcome) => `${outcome}:${cell[outcome]}`)
        .join(' ')
