import { ApiProblem } from '@swath/client/problem.ts'

/** The exit code by the kind of what went wrong; scripts rely on the numbers. */
export const exitCodes = {
  failure: 1,
  usage: 2,
  signIn: 3,
  money: 4,
  notFound: 5,
  temporary: 6,
  timeout: 7,
} as const

export type FailureKind = keyof typeof exitCodes

/** What each exit code means, as `--help` and the README print it. */
export const exitCodeMeanings: Readonly<Record<FailureKind, string>> = {
  failure: 'any other failure',
  usage: 'wrong arguments, or an input that the server refuses as invalid',
  signIn: 'not signed in, or not permitted',
  money: 'refused for money: no credits, a limit, or a price that changed',
  notFound: 'it does not exist, or not any more',
  temporary: 'no connection, a rate limit, or a server that is busy: try again later',
  timeout: 'the time limit of a wait',
}

/** A failure of the command line itself; the message is one sentence with the way out. */
export class CommandFailure extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandFailure'
    this.kind = kind
  }
}

/** Arguments that cannot be understood. */
export const usageFailure = (message: string): CommandFailure => new CommandFailure('usage', message)

const kindsByProblem: Readonly<Record<string, FailureKind>> = {
  'insufficient-scope': 'signIn',
  'user-required': 'signIn',
  'not-a-member': 'signIn',
  'no-organization': 'signIn',
  forbidden: 'signIn',
  'insufficient-credits': 'money',
  'payment-declined': 'money',
  'payment-action-required': 'money',
  'past-due': 'money',
  'spend-limit-exceeded': 'money',
  'budget-exceeded': 'money',
  'quote-expired': 'money',
  'unknown-operation': 'usage',
  'idempotency-in-flight': 'temporary',
}

const kindsByStatus: Readonly<Record<number, FailureKind>> = {
  400: 'usage',
  401: 'signIn',
  402: 'money',
  404: 'notFound',
  410: 'notFound',
  422: 'usage',
  429: 'temporary',
  502: 'temporary',
  503: 'temporary',
  504: 'temporary',
}

/** The kind of any error. A refused sign-in of OAuth is a 400 with `invalid_grant`. */
export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof CommandFailure) return error.kind
  if (error instanceof ApiProblem) {
    if (error.document['error'] !== undefined)
      return error.status >= 500 || error.status === 429 ? 'temporary' : 'signIn'
    return kindsByProblem[error.problem] ?? kindsByStatus[error.status] ?? 'failure'
  }
  if (error instanceof Error && error.name === 'WaitTimeoutError') return 'timeout'
  const cause = error instanceof Error ? error.cause : undefined
  if (cause !== undefined && (isUnreachable(error) || classifyFailure(cause) !== 'failure'))
    return isUnreachable(error) ? 'temporary' : classifyFailure(cause)
  return isPromptAborted(error) ? 'usage' : 'failure'
}

/** `fetch` fails with a TypeError if there is no connection. */
export const isUnreachable = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined

/** The person left a question with Ctrl+C. */
const isPromptAborted = (error: unknown): boolean => error instanceof Error && error.name === 'ExitPromptError'
