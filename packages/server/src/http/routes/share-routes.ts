import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SharedItem, ShareSession } from '@swath/contract/schemas/share-link.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { invariant, Problem } from '../../engine/problem.ts'
import type { RateLimitState } from '../../platform/rate-limits/rate-limit.ts'
import { addressBlockOf } from '../address-block.ts'
import { dispatchCall, type HttpContext } from '../http-call.ts'
import { setRateLimitHeaders } from '../rate-limit-headers.ts'
import { readBodyBytes } from '../read-body.ts'
import { getBodyStream } from '../server.ts'
import {
  renderPasswordPage,
  renderSharedPage,
  shareContentSecurityPolicy,
  renderMessagePage,
} from '../pages/share-page.ts'

export interface ShareRouteOptions extends HttpContext {
  /**
   * When a link expires that can be opened with its password; throws the Problem of one that cannot. Counts as a visit
   * unless `visit` is null.
   */
  readLinkState(token: string, visit: ShareVisit | null): Promise<{ readonly expires_at: Date }>
}

/** The client address that visits are counted by, and where the state of the rate limit is reported. */
export interface ShareVisit {
  readonly rateLimitKey: string
  reportRateLimits(states: readonly RateLimitState[]): void
}

const path = '/share/:token'
const formType = 'application/x-www-form-urlencoded'
const max_form_bytes = 8 * 1024
/** Maximum items of a collection that its page lists. */
const max_listed_items = 20

/** Not cached, not indexed, not sent on in a Referer header: the URL has the token of the link. */
const privateHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': shareContentSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

interface PageMessage {
  readonly title: string
  readonly text: string
}

const linkExpired: PageMessage = { title: 'This link is no longer valid', text: 'Ask the sender for a new one.' }

/** Page texts by problem, in place of a problem document; they reveal nothing about the link. */
const messageByProblem: Readonly<Record<string, PageMessage>> = {
  'not-found': { title: 'This link does not exist', text: 'Check that the URL is complete.' },
  'gone-expired': linkExpired,
  'gone-retention': linkExpired,
  'rate-limited': { title: 'Too many visits', text: 'Try again in a few minutes.' },
  'quota-exceeded': { title: 'Too many visits', text: 'The link has reached its limit of visits for now.' },
}

const defaultMessage: PageMessage = { title: 'This page is not available now', text: 'Try again later.' }

/**
 * The HTML pages of share links. Programs, which do not accept HTML, use the share operations. The pages call the same
 * operations, with the password and within the rate limits of visits.
 */
export function registerShareRoutes(app: FastifyInstance, options: ShareRouteOptions): void {
  app.get('/share/download', (request, reply) =>
    withErrorPages(request, reply, async () => {
      const input = { ...(request.query as object) }
      const { url } = await callOperation<{ url: string }>({
        options,
        request,
        reply,
        operation: 'share.asset.download',
        input,
      })
      return reply.headers(privateHeaders).redirect(url, 303)
    }),
  )
  app.get(path, async (request, reply) => {
    if (!acceptsHtml(request)) return rejectProgram(request)
    return withErrorPages(request, reply, async () => {
      const reportRateLimits = (states: readonly RateLimitState[]): void => setRateLimitHeaders(reply, states)
      await options.readLinkState(tokenOf(request), { rateLimitKey: addressBlockOf(request.ip), reportRateLimits })
      return sendPage(reply, renderPasswordPage(null))
    })
  })
  app.post(path, async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(formType)) return rejectProgram(request)
    return withErrorPages(request, reply, () => openLink(options, request, reply))
  })
}

/** Responds with 404 and keeps the token out of the log. */
function rejectProgram({ callLog }: FastifyRequest): never {
  callLog.set({ path: '/share' })
  throw new Problem('not-found', 'This URL is an HTML page. Programs open a link with the share operations.')
}

/** True for an error that only means that there are no tiles; the page then shows the rest. */
const isTilesUnavailable = (error: unknown): boolean =>
  error instanceof Problem && error.status < 500 && !(error.problem in messageByProblem)

const acceptsHtml = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/i.test(accept)

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token

/** Opens the link with the password of the form and sends its page. */
async function openLink(
  options: ShareRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = tokenOf(request)
  const stream = getBodyStream(request)
  const form = new URLSearchParams(stream ? (await readBodyBytes(stream, max_form_bytes, null)).toString() : '')
  const password = form.get('password') ?? ''
  const call = <T>(operation: string, input: object): Promise<T> =>
    callOperation<T>({ options, request, reply, operation, input })
  const { token: session, permission } = await call<ShareSession>('share.session.create', { token, password })
  const { expires_at } = await options.readLinkState(token, null)
  const list = { token: session, limit: max_listed_items }
  const { items, total } = await call<{ items: SharedItem[]; total: number }>('share.items.list', list)
  const tiles = await call<TileJson>('share.tilejson', { token: session }).catch((error: unknown) => {
    if (isTilesUnavailable(error)) return null
    throw error
  })
  return sendPage(reply, renderSharedPage({ session, expires_at, permission, items, total, tiles }))
}

async function callOperation<T>({
  options,
  request,
  reply,
  operation,
  input,
}: {
  readonly options: ShareRouteOptions
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly operation: string
  readonly input: object
}): Promise<T> {
  const result = await dispatchCall(options, { request, reply, operation, readBody: async () => input })
  invariant(result.kind === 'json', `${operation} returns JSON`)
  return result.output as T
}

/** Runs a page handler and sends problems as pages. Keeps the token out of the log. */
async function withErrorPages(
  request: FastifyRequest,
  reply: FastifyReply,
  respond: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  request.callLog.set({ path: '/share' })
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    request.callLog.set({ problem: error.problem, reason: error.message })
    reply.code(error.status)
    if (error.status === 429) reply.header('retry-after', String(error.extra['retry_after_s'] ?? 60))
    if (error.problem === 'forbidden' && request.method === 'POST')
      return sendPage(reply, renderPasswordPage('The password is not correct.'))
    const { title, text } = messageByProblem[error.problem] ?? defaultMessage
    return sendPage(reply, renderMessagePage(title, text))
  }
}

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply.headers(privateHeaders).type('text/html; charset=utf-8').send(html)
