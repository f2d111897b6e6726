import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../engine/problem.ts'
import { constantTimeEqual } from '../../platform/crypto/signatures.ts'
import { isLoopback } from '../../platform/loopback.ts'

export interface HealthRouteOptions {
  /** Resolves if the server can process calls; otherwise throws the reason. */
  checkReady(): Promise<void>
  /** All metrics in the Prometheus text format. */
  renderMetrics(): Promise<string>
  /** The token for reading metrics; null if only this machine may read them. */
  readonly metrics_token: string | null
  /** True if no proxy is in front of the server: one on this machine connects from a loopback address for everyone. */
  readonly trusts_local_clients: boolean
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** True for a request from a program on this machine. Requests that a proxy on it forwards are not local, if it says so. */
const isLocal = ({ ip, socket, headers }: FastifyRequest): boolean =>
  [ip, socket.remoteAddress ?? ''].every(isLoopback) && forwardingHeaders.every((name) => headers[name] === undefined)

/** Metrics show usage and failures, so only operators may read them. */
function requireMetricsAccess(
  request: FastifyRequest,
  { metrics_token: token, trusts_local_clients }: HealthRouteOptions,
): void {
  if (trusts_local_clients && isLocal(request)) return
  const [, presented = ''] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === null || !constantTimeEqual(presented, token)) {
    throw new Problem('unauthenticated', 'The metrics require the bearer token set in METRICS_TOKEN.')
  }
}

/** Routes for monitoring. Readiness is public; the reason for not being ready is only logged. */
export function registerHealthRoutes(app: FastifyInstance, options: HealthRouteOptions): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (app.isDraining()) return reply.code(503).send({ status: 'stopping' })
    try {
      await options.checkReady()
      return { status: 'ready' }
    } catch (error) {
      request.callLog.set({ not_ready: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      return reply.code(503).send({ status: 'not ready' })
    }
  })
  app.get('/metrics', async (request, reply) => {
    requireMetricsAccess(request, options)
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await options.renderMetrics())
  })
}
