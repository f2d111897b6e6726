import { toRequest, type MatrixCase } from './cases.ts'
import type { MatrixAnswer } from './facts.ts'

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

/** Sends a case and reads the whole response. */
export async function sendCase(url: string, matrixCase: MatrixCase): Promise<MatrixAnswer & { readonly sent: string }> {
  const { bearer } = matrixCase.principal.credential
  const { method, path, body } = toRequest(matrixCase)
  const headers = {
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(bearer ? { authorization: `Bearer ${await bearer()}` } : {}),
  }
  const init = { method, headers, redirect: 'manual' as const, ...(body === null ? {} : { body }) }
  const answer = await readAnswer(await fetch(`${url}${path}`, init))
  return { ...answer, sent: `${path} ${body ?? ''}` }
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
