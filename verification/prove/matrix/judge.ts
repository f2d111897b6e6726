import type { Operation } from '@swath/contract/operation.ts'
import type { MatrixAnswer } from './facts.ts'
import type { Expectation } from './expectations.ts'

/** Problems that every operation may answer without declaring them. */
const undeclared = new Set([
  'unauthenticated',
  'insufficient-scope',
  'user-required',
  'no-organization',
  'validation',
  'rate-limited',
  'forbidden',
])

/** What is wrong with an answer; null if it is as declared. */
export function judgeAnswer(expectation: Expectation, operation: Operation, answer: MatrixAnswer): string | null {
  const { status, problem } = answer
  if (status >= 500) return `${describe(answer)} instead of an answer`
  switch (expectation.kind) {
    case 'refused':
      return status === expectation.status && problem === expectation.problem
        ? null
        : `${describe(answer)} instead of ${expectation.status} ${expectation.problem}`
    case 'denied':
    case 'absent':
      return problem !== null && expectation.problems.includes(problem)
        ? null
        : `${describe(answer)} instead of ${expectation.problems.join(' or ')}`
    case 'empty':
      return isEmpty(answer) ? null : `${describe(answer)} instead of nothing`
    case 'granted':
      return judgeGranted(expectation, operation, answer)
  }
}

function judgeGranted(
  { not, succeeds }: Extract<Expectation, { kind: 'granted' }>,
  { problems }: Operation,
  answer: MatrixAnswer,
): string | null {
  const { status, problem } = answer
  if (status < 400) return null
  if (succeeds) return `${describe(answer)} instead of a result`
  if (problem === null) return `${describe(answer)} without a problem document`
  const isDeclaredHere = (problems as readonly string[]).includes(problem)
  // Some operations refuse keys by what they are called with.
  const isOfKeys = problem === 'user-required' && isDeclaredHere
  if (not.includes(problem) && !isOfKeys) return `${describe(answer)} although it is granted`
  const isDeclared = undeclared.has(problem) || isDeclaredHere
  return isDeclared ? null : `${describe(answer)}, which is not declared`
}

const describe = ({ status, problem, body }: MatrixAnswer): string =>
  `${status}${problem === null ? '' : ` ${problem}`} (${body.slice(0, 160)})`

/** A refusal, or a list without rows, or a batch without an affected row. */
function isEmpty({ status, problem, body }: MatrixAnswer): boolean {
  if (problem !== null) return ['not-found', 'not-a-member', 'forbidden'].includes(problem)
  if (status >= 300) return false
  const document = JSON.parse(body) as Readonly<Record<string, unknown>>
  const rows = document['content'] ?? document['features'] ?? document['results']
  const affected = (row: unknown): boolean => (row as { deleted?: boolean }).deleted !== false
  return Array.isArray(rows) && rows.filter(affected).length === 0
}

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** All ids in a text. */
export const listIds = (text: string): readonly string[] => text.match(uuidPattern) ?? []

/** What an answer must not contain: ids and texts of those to whom its caller has no access. */
export interface Secrets {
  readonly ids: ReadonlySet<string>
  readonly markers: readonly string[]
}

/** The ids and markers of others in an answer; what the caller has sent reveals nothing. */
export function findRevealed({ ids, markers }: Secrets, { headers, body }: MatrixAnswer, sent: string): string[] {
  const text = `${headers}\n${body}`
  const named = [...new Set(listIds(text))].filter((id) => ids.has(id))
  return [...named, ...markers.filter((marker) => text.includes(marker))].filter((found) => !sent.includes(found))
}

/** An answer without what differs between two calls: the ids that were sent, and those of the call. */
export function normalize({ status, headers, body }: MatrixAnswer, sent: string): string {
  const text = listIds(sent).reduce((left, id) => left.replaceAll(id, 'ID'), `${status}\n${headers}\n${body}`)
  return text.replace(/"trace_id":"[^"]*"/, '')
}

/** How an answer about an absent entity differs from that about a random id; null if it does not. */
export function compareAbsent(one: string, random: string): string | null {
  if (one === random) return null
  let at = 0
  while (one[at] === random[at]) at++
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 30), at + 60))
  return `${around(one)} instead of ${around(random)}, as for a random id`
}
