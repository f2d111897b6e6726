import { expectAnswer, isOfBilling, isOfOperators } from './expectations.ts'
import type { Expectation } from './expectations.ts'
import type { MatrixCase } from './cases.ts'
import type { MatrixAnswer, World } from './facts.ts'
import { compareAbsent, findRevealed, judgeAnswer, normalize, type Secrets } from './judge.ts'
import { sendCase, type CaseServer } from './send-case.ts'
import type { PlantedSecrets } from './secrets.ts'
import type { MatrixTable } from './table.ts'

/** So many cases are sent at once. */
const max_at_once = 4

export interface MatrixRun extends CaseServer {
  readonly world: World
  readonly secrets: PlantedSecrets
  readonly table: MatrixTable
  readonly violations: string[]
  /** Which third of the operations the short form tries; null for all. */
  readonly share: number | null
}

/** What an account has done, with the ids that it has sent. */
const listsOwnCalls: ReadonlySet<string> = new Set(['users.export'])

export interface ExpectedMatrixCase extends MatrixCase {
  readonly expectation: Expectation
}

export const withExpectation = (matrixCase: MatrixCase): ExpectedMatrixCase => ({
  ...matrixCase,
  expectation: expectAnswer({
    ...matrixCase,
    isOtherRoute: matrixCase.route !== null,
    isTile: matrixCase.route?.urlToken === 'tile',
  }),
})

const describeCase = ({ principal, operation, route, target, field }: MatrixCase): string => {
  const where = route === null ? operation.id : `${route.method} ${route.path} (${operation.id})`
  return `${principal.name}, ${where}, ${target}${field === null ? '' : ` in ${field}`}`
}

/** To whom the secrets of the other project are secrets, too. */
function secretsFor({ secrets, world }: MatrixRun, { principal, operation }: MatrixCase): readonly Secrets[] {
  const { facts, own, isOperator } = principal
  if (isOperator && isOfOperators(operation)) return []
  const isInProject = own === world.own && facts.isAccepted && (facts.role === 'owner' || facts.role === 'admin')
  return isInProject || isOfBilling(facts, operation)
    ? [secrets.ofOrganization]
    : [secrets.ofOrganization, secrets.ofProject]
}

/** Runs cases, several at once, and records what is wrong with their answers. */
export async function runCases(run: MatrixRun, cases: readonly ExpectedMatrixCase[]): Promise<void> {
  const queue = cases[Symbol.iterator]()
  const absent = new Map<string, Map<string, string>>()
  const work = async (): Promise<void> => {
    for (const matrixCase of queue) await runCase(run, matrixCase, absent)
  }
  await Promise.all(Array.from({ length: max_at_once }, work))
  compareGroups(run, absent)
}

type AbsentAnswers = Map<string, Map<string, string>>

async function runCase(run: MatrixRun, matrixCase: ExpectedMatrixCase, absent: AbsentAnswers): Promise<void> {
  const { expectation, operation, principal, target } = matrixCase
  const report = (sentence: string): void => void run.violations.push(`${describeCase(matrixCase)}: ${sentence}`)
  const answer: MatrixAnswer & { sent: string } = await sendCase(run, matrixCase)
  run.table.count(principal.name, target, answer.status)
  const fault = judgeAnswer(expectation, operation, answer)
  if (fault) report(fault)
  for (const secrets of secretsFor(run, matrixCase)) {
    const found = findRevealed(secrets, answer, answer.sent)
    const revealed = listsOwnCalls.has(operation.id)
      ? found.filter((id) => !run.sentIds.get(principal.name)!.has(id))
      : found
    if (revealed.length > 0) report(`${answer.status} reveals ${revealed.slice(0, 3).join(', ')}`)
  }
  const isCompared = expectation.kind !== 'granted' && expectation.kind !== 'denied'
  if (!isCompared || target === 'none' || target === 'own' || target === 'other project') return
  const group = describeCase({ ...matrixCase, target: 'random' })
  if (!absent.has(group)) absent.set(group, new Map())
  absent.get(group)!.set(target, normalize(answer, answer.sent))
}

/** Answers about absent entities must be those to a random id. */
function compareGroups({ violations }: MatrixRun, absent: AbsentAnswers): void {
  for (const [group, answers] of absent) {
    const random = answers.get('random')
    if (random === undefined) continue
    for (const [target, text] of answers) {
      const difference = compareAbsent(text, random)
      if (difference) violations.push(`${group}: for ${target} ${difference}`)
    }
  }
}
