import { toRequest, type MatrixCase } from './cases.ts'
import type { MatrixAnswer } from './facts.ts'
import { listIds } from './judge.ts'

/** Headers that differ between two calls whatever they ask for. */
const volatileHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  'server-timing',
  'x-request-id',
])

/** The server of the cases, and the ids that each principal has sent to it in any call. */
export interface CaseServer {
  readonly url: string
  readonly sentIds: Map<string, Set<string>>
}

/** Sends a case and reads the whole response. */
export async function sendCase(
  { url, sentIds }: CaseServer,
  matrixCase: MatrixCase,
): Promise<MatrixAnswer & { readonly sent: string }> {
  const { name, credential } = matrixCase.principal
  const { bearer } = credential
  const { method, path, body } = toRequest(matrixCase)
  const sent = `${path} ${body ?? ''}`
  // Before the call, because another one that lists it may be answered earlier.
  const ids = sentIds.get(name) ?? new Set()
  sentIds.set(name, ids)
  for (const id of listIds(sent)) ids.add(id)
  const headers = {
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(bearer ? { authorization: `Bearer ${await bearer()}` } : {}),
  }
  const init = { method, headers, redirect: 'manual' as const, ...(body === null ? {} : { body }) }
  const answer = await readAnswer(await fetch(`${url}${path}`, init))
  return { ...answer, sent }
}

export async function readAnswer(response: Response): Promise<MatrixAnswer> {
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const headers = [...response.headers]
    .filter(([name]) => !volatileHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  return { status: response.status, problem: isProblem ? readProblemName(body) : null, headers, body }
}

const readProblemName = (body: string): string => {
  const { type = '' } = JSON.parse(body) as { type?: string }
  // OGC API - Processes has types of its own for what does not exist.
  if (type.startsWith('http://www.opengis.net/')) return 'not-found'
  return type.slice(type.lastIndexOf('/') + 1)
}
