import type { TidyFinding } from '../tree.ts'
import { findingKinds, type FindingKind, type StatementFinding } from './findings.ts'

/** The findings that stand today, one line for each statement and kind: file, name, kind, number. It may only shrink. */
export const listPath = 'tools/tidy/distributed-statements.txt'

/** A finding with its file, and the function, constant or object of the schema that it is in. */
export interface LocatedFinding extends StatementFinding {
  readonly file: string
  /** Null in a migration. */
  readonly line: number | null
  readonly name: string
}

type FindingKey = `${string} ${string} ${FindingKind}`

const keyOf = ({ file, name, kind }: LocatedFinding): FindingKey => `${file} ${name} ${kind}`

/** The findings by statement and kind, each once. */
function groupFindings(findings: readonly LocatedFinding[]): Map<string, LocatedFinding[]> {
  const distinct = new Map(findings.map((finding) => [`${keyOf(finding)} ${finding.line} ${finding.detail}`, finding]))
  return Map.groupBy(distinct.values(), keyOf)
}

interface ListedFindings {
  readonly counts: ReadonlyMap<string, number>
  /** The number in the line `total`; null if there is none. */
  readonly total: number | null
}

function readList(text: string): ListedFindings {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rows = lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const)
  const counts = new Map(rows)
  const total = counts.get('total') ?? null
  counts.delete('total')
  return { counts, total }
}

/** The findings that are not in the list, and the rows of the list that are no longer found. */
export function compareWithList(findings: readonly LocatedFinding[], text: string): TidyFinding[] {
  const groups = groupFindings(findings)
  const { counts, total } = readList(text)
  const unlisted = [...groups].flatMap(([key, found]) => {
    const listed = counts.get(key) ?? 0
    return found.length > listed ? found.map((finding) => describe(finding, listed)) : []
  })
  const outdated = [...counts].flatMap(([key, count]): TidyFinding[] => {
    const found = groups.get(key)?.length ?? 0
    if (found >= count) return []
    const advice = found === 0 ? 'remove the line' : `write ${found}`
    return [{ file: listPath, message: `${key}: ${found} found, ${count} listed: ${advice}` }]
  })
  const sum = [...counts.values()].reduce((left, right) => left + right, 0)
  const isWrong = counts.size > 0 && total !== sum
  const wrongTotal = isWrong
    ? [{ file: listPath, message: `the line "total" must say ${sum}, and it may only shrink` }]
    : []
  return [...unlisted, ...outdated, ...wrongTotal]
}

function describe({ file, line, name, kind, detail }: LocatedFinding, listed: number): TidyFinding {
  const place = line === null ? name : `line ${line} (${name})`
  const allowed = listed === 0 ? '' : `; ${listed} of these are listed`
  return { file, message: `${place}: ${detail} (${kind}: ${findingKinds[kind]}${allowed})` }
}
