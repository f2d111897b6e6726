import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SharedItem, ShareSession } from '@swath/contract/shapes/share-link.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { invariant, Problem } from '../engine/problem.ts'
import type { RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import { blockOf } from './address-block.ts'
import { enter, type Doors } from './door.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { readBytes } from './read-body.ts'
import { bodyStream } from './server.ts'
import { passwordPage, sharedPage, sharePolicy, wordsPage } from './share-page.ts'

export interface ShareDoors extends Doors {
  /**
   * When a link expires that can be opened with its password; throws the Problem of one that cannot. Counts as a visit
   * unless `visit` is null.
   */
  state(token: string, visit: LinkVisit | null): Promise<{ readonly expires_at: Date }>
}

/** The client address that visits are counted by, and where the state of the rate limit is reported. */
export interface LinkVisit {
  readonly origin: string
  tellLimits(states: readonly RateLimitState[]): void
}

const path = '/share/:token'
const formType = 'application/x-www-form-urlencoded'
const formLimit_bytes = 8 * 1024
/** Maximum items of a collection that its page lists. */
const listed_items = 20

/** Not cached, not indexed, not sent on in a Referer header: the URL has the token of the link. */
const discreet = {
  'cache-control': 'no-store',
  'content-security-policy': sharePolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

interface Words {
  readonly title: string
  readonly sentence: string
}

const ended: Words = { title: 'This link is no longer valid', sentence: 'Ask the sender for a new one.' }

/** Page texts by problem, in place of a problem document; they reveal nothing about the link. */
const words: Readonly<Record<string, Words>> = {
  'not-found': { title: 'This link does not exist', sentence: 'Check that the URL is complete.' },
  'gone-expired': ended,
  'gone-retention': ended,
  'rate-limited': { title: 'Too many visits', sentence: 'Try again in a few minutes.' },
  'quota-exceeded': { title: 'Too many visits', sentence: 'The link has reached its limit of visits for now.' },
}

const otherwise: Words = { title: 'This page is not available now', sentence: 'Try again later.' }

/**
 * The HTML pages of share links. Programs, which do not accept HTML, use the share operations. The pages call the same
 * operations, with the password and within the rate limits of visits.
 */
export function shareRoutes(app: FastifyInstance, doors: ShareDoors): void {
  app.get('/share/download', (request, reply) =>
    withPages(request, reply, async () => {
      const input = { ...(request.query as object) }
      const { url } = await ask<{ url: string }>(doors, request, reply, 'share.asset.download', input)
      return reply.headers(discreet).redirect(url, 303)
    }),
  )
  app.get(path, async (request, reply) => {
    if (!wantsPage(request)) return refuseProgram(request)
    return withPages(request, reply, async () => {
      const tellLimits = (states: readonly RateLimitState[]): void => rateLimitHeaders(reply, states)
      await doors.state(tokenOf(request), { origin: blockOf(request.ip), tellLimits })
      return show(reply, passwordPage(null))
    })
  })
  app.post(path, async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(formType)) return refuseProgram(request)
    return withPages(request, reply, () => open(doors, request, reply))
  })
}

/** Responds with 404 and keeps the token out of the log. */
function refuseProgram({ seen }: FastifyRequest): never {
  seen.set({ path: '/share' })
  throw new Problem('not-found', 'This URL is an HTML page. Programs open a link with the share operations.')
}

/** True for an error that only means that there are no tiles; the page then shows the rest. */
const isWithoutTiles = (error: unknown): boolean =>
  error instanceof Problem && error.status < 500 && !(error.problem in words)

const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/i.test(accept)

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token

/** Opens the link with the password of the form and sends its page. */
async function open(doors: ShareDoors, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = tokenOf(request)
  const stream = bodyStream(request)
  const form = new URLSearchParams(stream ? (await readBytes(stream, formLimit_bytes, null)).toString() : '')
  const password = form.get('password') ?? ''
  const to = <T>(operation: string, input: object): Promise<T> => ask<T>(doors, request, reply, operation, input)
  const { token: session, permission } = await to<ShareSession>('share.session.create', { token, password })
  const { expires_at } = await doors.state(token, null)
  const list = { token: session, limit: listed_items }
  const { items, total } = await to<{ items: SharedItem[]; total: number }>('share.items.list', list)
  const tiles = await to<TileJson>('share.tilejson', { token: session }).catch((error: unknown) => {
    if (isWithoutTiles(error)) return null
    throw error
  })
  return show(reply, sharedPage({ session, expires_at, permission, items, total, tiles }))
}

async function ask<T>(
  doors: ShareDoors,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  input: object,
): Promise<T> {
  const outcome = await enter(doors, request, reply, operation, async () => input)
  invariant(outcome.form === 'json', `${operation} returns JSON`)
  return outcome.output as T
}

/** Runs a page handler and sends problems as pages. Keeps the token out of the log. */
async function withPages(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  request.seen.set({ path: '/share' })
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    request.seen.set({ problem: error.problem, reason: error.message })
    reply.code(error.status)
    if (error.status === 429) reply.header('retry-after', String(error.extra['retry_after_s'] ?? 60))
    if (error.problem === 'forbidden' && request.method === 'POST')
      return show(reply, passwordPage('The password is not correct.'))
    const { title, sentence } = words[error.problem] ?? otherwise
    return show(reply, wordsPage(title, sentence))
  }
}

const show = (reply: FastifyReply, html: string): FastifyReply =>
  reply.headers(discreet).type('text/html; charset=utf-8').send(html)
