import type { Page, Route } from 'playwright-core'

/** Response of an operation that replaces that of the server. */
export type Answer = 'never' | 'empty' | ProblemAnswer

interface ProblemAnswer {
  readonly status: number
  readonly problem: string
  readonly title: string
  /** Members of this problem type. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly retry_after_s?: number
}

export const serverError: Answer = { status: 500, problem: 'internal', title: 'Internal error' }
export const forbidden: Answer = { status: 403, problem: 'insufficient-scope', title: 'Insufficient scope' }

/** Answers the calls of some operations in another way than the server does. */
export async function intercept(page: Page, operations: readonly string[], answer: Answer): Promise<void> {
  for (const operation of operations)
    await page.route(`**/v1/op/${operation}`, (route) => answerRoute(route, operation, answer))
}

async function answerRoute(route: Route, operation: string, answer: Answer): Promise<void> {
  if (answer === 'never') return
  if (answer === 'empty') return answerEmpty(route)
  const { status, problem, title, members, retry_after_s } = answer
  const origin = new URL(route.request().url()).origin
  await route.fulfill({
    status,
    contentType: 'application/problem+json',
    headers: retry_after_s === undefined ? {} : { 'retry-after': String(retry_after_s) },
    body: JSON.stringify({
      type: `${origin}/problems/${problem}`,
      title,
      status,
      detail: `${operation} answered this on purpose.`,
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      required_scope: `${operation.split('.')[0]}:read`,
      ...members,
    }),
  })
}

/** The answer of the server without the members of its lists. */
async function answerEmpty(route: Route): Promise<void> {
  const response = await route.fetch()
  const type = response.headers()['content-type'] ?? ''
  if (!type.includes('json') || type.includes('ndjson')) return route.fulfill({ response, body: '' })
  await route.fulfill({ response, json: emptyLists((await response.json()) as unknown) })
}

function emptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isCount(name) ? 0 : emptyLists(member)]),
  )
}

const isCount = (name: string): boolean => /^(total|totalElements|totalPages|numberMatched|numberReturned)$/.test(name)
